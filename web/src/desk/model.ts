// The arbiter's desk of one event: what the server tells of it, asked again whenever something happens.
import { asProblem } from "../people/answer";
import type { Problem } from "../api";
import * as api from "../event/api";
import { hallOf } from "../event/hall";
import type { Desk, Do, Waiting } from "../event/types";
import type { Link } from "../link";
import { play, type Sound } from "../sound";
import { commandId } from "../wire";

export interface DeskWorld {
  desk(event: string): Promise<Desk>;
  act(event: string, what: Do): Promise<unknown>;
  sound(sound: Sound): void;
  now(): number; // of one monotonic clock, ms
  after(ms: number, f: () => void): () => void; // returns the way to call it off
}

const WORLD: DeskWorld = {
  desk: api.desk,
  act: (event, what) => api.act(event, what),
  sound: play,
  now: () => performance.now(),
  after: (ms, f) => {
    const timer = setTimeout(f, ms);
    return () => clearTimeout(timer);
  },
};

const AT_MOST_EACH = 250; // the server calls no oftener
const PLAYED_EACH = 1000; // while games are played: their clocks and boards call nobody
const ANYWAY_EACH = 5000; // a call that did not arrive keeps nobody waiting
const REMIND_EACH = 10_000; // while clocks stand for a ruling

export class DeskModel {
  desk: Desk | undefined;
  at = 0; // when `desk` came
  problem: Problem | undefined; // of the last try
  private asking = false;
  private wanted = false; // something has happened since the last question was sent
  private asked = Number.NEGATIVE_INFINITY;
  private later: (() => void) | undefined;
  private rang = Number.NEGATIVE_INFINITY;
  private known: Set<string> | undefined; // what waited before
  private closed = true;
  private watchers = new Set<() => void>();

  constructor(readonly link: Link, readonly event: string, private world: DeskWorld = WORLD) {}

  watch(f: () => void): () => void {
    this.watchers.add(f);
    return () => this.watchers.delete(f);
  }

  /** Sits down at the desk until the returned function is called. */
  open(): () => void {
    this.closed = false;
    const deaf = this.link.listen((frame) => {
      if (frame.t === "hello") this.attend();
      if (frame.t === "desk" && frame.event === this.event) this.load();
    });
    const blind = this.link.watch(() => this.changed());
    hallOf(this.link).end(); // a socket attends once
    if (this.link.status === "open") this.attend();
    else {
      this.link.start();
      this.load();
    }
    return () => {
      this.closed = true;
      deaf();
      blind();
      this.later?.();
      this.link.send({ t: "depart", id: commandId() });
    };
  }

  /** Who sits at the desk waits for no game of his own: `visible` is for the event's page. */
  private attend(): void {
    this.link.send({ t: "attend", id: commandId(), event: this.event, visible: false, desk: true });
    this.load();
  }

  /** Asks for the desk: at once, or when the last question is old enough. */
  load(): void {
    if (this.closed) return;
    this.wanted = true;
    if (this.asking) return;
    const wait = this.asked + AT_MOST_EACH - this.world.now();
    this.later?.();
    if (wait > 0) this.later = this.world.after(wait, () => this.ask());
    else this.ask();
  }

  private ask(): void {
    if (this.closed || this.asking) return;
    this.asking = true;
    this.wanted = false;
    this.asked = this.world.now();
    const done = () => {
      this.asking = false;
      if (this.closed) return;
      this.ring();
      this.changed();
      if (this.wanted) this.load();
      else this.later = this.world.after(this.desk?.games.length && !this.problem ? PLAYED_EACH : ANYWAY_EACH, () => this.ask());
    };
    this.world.desk(this.event).then(
      (desk) => {
        this.desk = desk;
        this.at = this.world.now();
        this.problem = undefined;
        done();
      },
      (e) => {
        this.problem = asProblem(e);
        done();
      },
    );
  }

  /** The bell of the desk: for all that is new in the queue, and again while clocks stand. */
  private ring(): void {
    if (!this.desk) return;
    const queue = this.desk.queue.filter((w) => !this.own(w));
    const news = this.known !== undefined && queue.some((w) => !this.known!.has(w.id));
    const first = this.known === undefined && queue.length > 0;
    this.known = new Set(queue.map((w) => w.id));
    const again = queue.some((w) => w.stops) && this.world.now() >= this.rang + REMIND_EACH;
    if (!news && !first && !again) return;
    this.rang = this.world.now();
    this.world.sound("call");
  }

  /** Does something, and looks at once what came of it. Rejects with the server's words. */
  async act(what: Do): Promise<void> {
    await this.world.act(this.event, what);
    this.load();
  }

  /** Unix ms by the server's clock. */
  civil(): number {
    return (this.desk?.page.now ?? Date.now()) + this.world.now() - this.at;
  }

  get me(): string | undefined {
    return this.link.you?.id;
  }

  /** Nobody rules on a game of his own. */
  own(g: { game: string; white: { id: string }; black: { id: string } }): boolean {
    return this.me !== undefined && (g.white.id === this.me || g.black.id === this.me);
  }

  get onDuty(): boolean {
    return this.desk?.duty.some((d) => d.id === this.me) ?? false;
  }

  get mayRule(): boolean {
    return this.desk?.page.you.role.arbiter ?? false;
  }

  private changed(): void {
    for (const f of this.watchers) f();
  }
}

/** What waits, that for which clocks stand first, and the shortest time left before the longer. */
export function inOrder(queue: Waiting[]): Waiting[] {
  const rank = (w: Waiting) => (w.stops ? 0 : w.kind === "report" ? 2 : 1);
  return [...queue].sort((a, b) => rank(a) - rank(b) || (a.until ?? a.at) - (b.until ?? b.at));
}
