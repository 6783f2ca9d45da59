// What is to be seen of a table, and what this player may do there: from the server's state and what he has put down meanwhile.
import type { BoardView } from "../board";
import { delayLeft, remaining } from "../clock";
import { lastMove, mayClaimIllegal, mayRelease, ownPending, turnOf } from "../gamelog";
import type { Link } from "../link";
import { Outbox } from "../outbox";
import { parsePlacement, type Placement, released, unpromoted } from "../placement";
import type { Premove } from "../premove";
import type { ClaimKind, Clocks, Color, GameState } from "../wire";
import type { SideBoard } from "./demo";
import { Hold } from "./hold";

export interface Promotion { from: string; to: string; ply: number; premove: boolean }

/** It changes nothing; TableModel does. */
export abstract class Sight {
  state: GameState | undefined;
  arrival = 0; // performance.now() of the frame that brought the clocks
  premove: Premove | undefined;
  promotion: Promotion | undefined;
  protected placed: { m: string; ply: number; id: string } | undefined; // put down here, not yet confirmed
  protected outbox = new Outbox();
  protected readonly hold = new Hold();
  abstract readonly side: SideBoard;

  constructor(readonly link: Link) {}

  get me(): Color | undefined {
    return this.state?.you || undefined;
  }

  /** Can commands be given now? */
  get live(): boolean {
    return this.link.status === "open" && Boolean(this.me) && this.state?.phase === "play";
  }

  /** Resigning is possible as long as there is a game. */
  get canResign(): boolean {
    return this.live || this.stands;
  }

  /** Both clocks stand for a verdict, and commands can be given. */
  get stands(): boolean {
    const phase = this.state?.phase;
    return this.link.status === "open" && Boolean(this.me) && (phase === "proof" || phase === "demo" || phase === "dispute");
  }

  /** May a draw be offered and answered? Also while an arbiter is waited for. */
  get canAgree(): boolean {
    return this.live || (this.stands && this.state!.phase === "dispute");
  }

  /** A win is being shown, and this player is one of the two. */
  get demo(): boolean {
    return Boolean(this.me && this.side.demo);
  }

  /** Do the rules of this game know the claim? */
  knows(claim: ClaimKind): boolean {
    return this.state?.claims.includes(claim) ?? false;
  }

  /** The completed board and on it every released move that this player may see. */
  get shown(): Placement {
    const s = this.state;
    if (!s) return EMPTY;
    let p = parsePlacement(s.board);
    const me = this.me;
    if (s.pending) p = released(p, s.pending);
    const mine = this.placed?.m ?? s.queued?.m;
    if (mine && me && p.turn === me) p = released(p, mine);
    return p;
  }

  /** A man of this player that waits on the board for his press, or (`queued`) for the opponent's. */
  get waiting(): { m: string; queued: boolean; pressed: boolean } | undefined {
    const s = this.state;
    const me = this.me;
    if (!s || !me || s.phase !== "play") return undefined;
    const m = this.placed?.m ?? ownPending(s, me);
    if (!m) return undefined;
    const queued = turnOf(s) !== me;
    const pressed = Boolean(this.outbox.find("press")) || s.mode === "fast" || (queued && Boolean(s.queued?.press));
    return { m, queued, pressed };
  }

  get canRelease(): boolean {
    return this.live && !this.placed && mayRelease(this.state!, this.me!);
  }

  get canPress(): boolean {
    return this.live && Boolean(this.waiting) && !this.waiting!.pressed;
  }

  get canTakeBack(): boolean {
    const w = this.waiting;
    return this.live && Boolean(w) && !w!.queued && this.state!.mode === "board" && !w!.pressed;
  }

  get canClaimIllegal(): boolean {
    return this.live && mayClaimIllegal(this.state!, this.me!);
  }

  get canPremove(): boolean {
    return this.live && this.state!.premove && !this.canRelease && !this.waiting;
  }

  /** What the flag button claims, from what both flags show; undefined where there is nothing. */
  get flagClaim(): ClaimKind | undefined {
    const flags = this.state?.clk.flags ?? "";
    if (flags.length === 2) return "both_flags";
    if (!this.me || flags !== this.me) return "time";
    return this.knows("draw_8f") ? "draw_8f" : undefined;
  }

  view(): BoardView {
    const s = this.state;
    const me = this.me;
    const open = this.promotion;
    const shown = this.shown;
    const queued = this.waiting?.queued ? this.waiting.m : undefined;
    return {
      placement: open && !open.premove ? unpromoted(shown, open.from, open.to) : shown,
      bottom: me ?? "w",
      last: s && (this.placed?.m ?? queued ?? lastMove(s)),
      hand: open ? undefined : this.canRelease || this.canPremove ? me : undefined,
      premoves: this.canPremove,
      premove: this.premove?.m,
      queued,
    };
  }

  left(side: Color, now = performance.now()): number {
    return this.state ? remaining(this.state.clk, side, this.arrival, this.hold.moment(now)) : 0;
  }

  delay(side: Color, now = performance.now()): number {
    return this.state ? delayLeft(this.state.clk, side, this.arrival, this.hold.moment(now)) : 0;
  }

  leftAside(side: Color, now = performance.now()): number {
    return this.side.left(side, this.hold.moment(now));
  }

  /** The server holds all games: what is done now counts later. */
  get held(): boolean {
    return this.hold.since !== undefined;
  }

  /** The clocks as they are shown: in a hold both stand. */
  get clk(): Clocks {
    const clk = this.state!.clk;
    return this.held ? { ...clk, w: this.left("w"), b: this.left("b"), run: "" } : clk;
  }
}

const EMPTY = parsePlacement("8/8/8/8/8/8/8/8 w");
