// The side board of a demonstration: legal moves only (the server refuses the others), on a clock of its own.
import type { BoardView } from "../board";
import { isPromotion, type Kind, parsePlacement, type Placement, released, unpromoted } from "../placement";
import { type Color, type Command, commandId, type Demo } from "../wire";

export class SideBoard {
  demo: Demo | undefined;
  promotion: { from: string; to: string } | undefined;
  private placed: { m: string; id: string } | undefined; // put down here, not yet confirmed
  private arrival = 0;
  private runs = false;

  constructor(private give: (c: Extract<Command, { t: "demo" | "concede" }>) => boolean) {}

  /** The side board as the server has it; undefined when nothing is being shown. */
  take(demo: Demo | undefined, arrival: number, runs: boolean): void {
    if (demo !== this.demo) {
      this.placed = this.promotion = undefined;
      this.arrival = arrival;
    }
    this.demo = demo;
    this.runs = runs && demo !== undefined;
  }

  get turn(): Color {
    return this.demo ? parsePlacement(this.demo.board).turn : "w";
  }

  /** Whose time runs on the side board. */
  get running(): Color | undefined {
    return this.runs ? this.turn : undefined;
  }

  left(side: Color, now = performance.now()): number {
    if (!this.demo) return 0;
    return Math.max(0, this.demo[side] - (this.running === side ? Math.max(0, now - this.arrival) : 0));
  }

  /** The clocks stood for so many ms. */
  stood(ms: number): void {
    this.arrival += ms;
  }

  mayMove(me: Color | undefined): boolean {
    return this.runs && !this.placed && this.turn === me;
  }

  get shown(): Placement {
    const p = parsePlacement(this.demo?.board ?? "8/8/8/8/8/8/8/8 w");
    if (this.placed) return released(p, this.placed.m);
    return this.promotion ? unpromoted(p, this.promotion.from, this.promotion.to) : p;
  }

  view(me: Color | undefined): BoardView {
    return {
      placement: this.shown, bottom: me ?? "w", last: this.placed?.m ?? this.demo?.moves.at(-1), hand: this.mayMove(me) && !this.promotion ? me : undefined,
      premoves: false, premove: undefined, queued: undefined,
    };
  }

  drop(me: Color, from: string, to: string): void {
    if (!this.mayMove(me)) return;
    if (isPromotion(this.shown, me, from, to)) this.promotion = { from, to };
    else this.move(from + to);
  }

  promote(kind: Kind | undefined): void {
    const open = this.promotion;
    this.promotion = undefined;
    if (open && kind) this.move(open.from + open.to + kind);
  }

  /** A move whose squares are known. */
  move(m: string): void {
    const command = { t: "demo", id: commandId(), m } as const;
    if (this.give(command)) this.placed = { m, id: command.id };
  }

  concede(): void {
    if (this.demo) this.give({ t: "concede", id: commandId() });
  }

  /** A move that was refused goes back. */
  refused(id: string): void {
    if (this.placed?.id === id) this.placed = undefined;
  }

  /** What was on its way when the connection was lost has to be put down again. */
  forget(): void {
    this.placed = undefined;
  }
}
