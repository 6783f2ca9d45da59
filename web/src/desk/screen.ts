// What the projector shows and when. It asks by itself, with the key of the screen alone, and keeps what it had when nobody
// answers.
import { request } from "../api";
import { eventApi } from "../event/api";
import type { BoardView, EventPage, Row, Standings } from "../event/types";
import { isOn } from "../event/words";

export interface ScreenWorld {
  ask<T>(path: string): Promise<T>; // gives up by itself
  now(): number; // of one monotonic clock, ms
  after(ms: number, f: () => void): () => void; // returns the way to call it off
}

const PATIENCE = 8000; // with an answer

const WORLD: ScreenWorld = {
  ask: async <T>(path: string): Promise<T> => {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), PATIENCE);
    try {
      return await request<T>(path, "GET", undefined, giveUp.signal);
    } finally {
      clearTimeout(timer);
    }
  },
  now: () => performance.now(),
  after: (ms, f) => {
    const timer = setTimeout(f, ms);
    return () => clearTimeout(timer);
  },
};

const EACH = 1000;
const AFTER_FAILURE = 3000;
const LOST_AFTER = 6000; // without an answer it is said that the screen is old
const TABLE_LEAST = 3000; // between two looks at the whole table
const TABLE_EACH = 30; // and more for each entry: large tables are large answers
const TABLE_ANYWAY = 30_000;

export class ScreenModel {
  page: EventPage | undefined;
  rows: Row[] = [];
  boards: BoardView[] = [];
  pageAt = 0; // when they came
  boardsAt = 0;
  refused = ""; // the server's words: the key is wrong, or there is no such event
  private heard = 0; // the last answer
  private tableAt = Number.NEGATIVE_INFINITY;
  private tableOf = "";
  private later: (() => void) | undefined;
  private closed = true;
  private watchers = new Set<() => void>();

  constructor(readonly event: string, readonly key: string, private world: ScreenWorld = WORLD) {}

  watch(f: () => void): () => void {
    this.watchers.add(f);
    return () => this.watchers.delete(f);
  }

  open(): () => void {
    this.closed = false;
    this.heard = this.world.now();
    void this.round();
    return () => {
      this.closed = true;
      this.later?.();
    };
  }

  /** No answer for so long that what is shown may be old. */
  get lost(): boolean {
    return this.world.now() - this.heard > LOST_AFTER;
  }

  now(): number {
    return this.world.now();
  }

  /** Unix ms by the server's clock. */
  civil(): number {
    return (this.page?.now ?? Date.now()) + this.world.now() - this.pageAt;
  }

  private async round(): Promise<void> {
    let wait = EACH;
    try {
      await this.read();
      this.heard = this.world.now();
      this.refused = "";
    } catch (e) {
      wait = AFTER_FAILURE;
      const status = (e as { status?: number }).status ?? 0;
      if (status === 401 || status === 403 || status === 404) this.refused = (e as Error).message;
    }
    if (this.closed) return;
    for (const f of this.watchers) f();
    this.later = this.world.after(wait, () => void this.round());
  }

  private async read(): Promise<void> {
    const page = await this.world.ask<EventPage>(eventApi(this.event, "", this.key));
    this.page = page;
    this.pageAt = this.world.now();
    if (isOn(page.phase)) {
      this.boards = (await this.world.ask<{ boards: BoardView[] }>(eventApi(this.event, "boards", this.key))).boards;
      this.boardsAt = this.world.now();
    } else {
      this.boards = [];
    }
    // The table changes with a game that ends and with a correction, which the first places or the notices tell.
    const of = JSON.stringify([page.phase, page.games, page.entries, page.top, page.notices[0]?.at]);
    const age = this.world.now() - this.tableAt;
    if (age < (of === this.tableOf ? TABLE_ANYWAY : TABLE_LEAST + TABLE_EACH * page.entries)) return;
    this.rows = (await this.world.ask<Standings>(eventApi(this.event, "standings", this.key))).rows;
    this.tableOf = of;
    this.tableAt = this.world.now();
  }
}

/** Whether entries are taken: who comes into the hall may join. */
export const takesEntries = (p: EventPage): boolean =>
  p.phase === "open" || p.phase === "checkin" || (p.phase === "running" && p.late && p.format === "arena");

export const ROWS = 10; // of the table in one view
export const ROWS_EACH = 12_000; // ms
const BOARDS = 2; // side by side
export const BOARDS_EACH = 10_000;
const MOST_BOARDS = 20; // of the highest places: all come round within two minutes

/** Which of `count` views is shown at a moment of a clock, each for `each` ms. */
const turnAt = (now: number, each: number, count: number): number => (count > 0 ? Math.floor(now / each) % count : 0);

export function viewOf(rows: Row[], size: number, now: number): { rows: Row[]; from: number } {
  const from = turnAt(now, ROWS_EACH, Math.ceil(rows.length / size)) * size;
  return { rows: rows.slice(from, from + size), from };
}

/** Boards in the order of their places; the board of the leader is the first. */
export const byPlace = (boards: BoardView[]): BoardView[] => {
  const best = (b: BoardView) => Math.min(b.place_white || 9999, b.place_black || 9999);
  return [...boards].sort((a, b) => best(a) - best(b) || a.since - b.since || (a.game < b.game ? -1 : 1));
};

type Right = { kind: "boards"; boards: BoardView[] } | { kind: "join" } | { kind: "table" };

/** What stands beside the table: boards and the way to join take turns. */
export function rightOf(page: EventPage, boards: BoardView[], now: number): Right {
  const list = byPlace(boards).slice(0, MOST_BOARDS);
  const pairs = Math.ceil(list.length / BOARDS);
  const join = takesEntries(page) ? 1 : 0;
  if (pairs + join === 0) return { kind: "table" };
  const turn = turnAt(now, BOARDS_EACH, pairs + join);
  return turn < pairs ? { kind: "boards", boards: list.slice(turn * BOARDS, turn * BOARDS + BOARDS) } : { kind: "join" };
}

export const NOTICE_FOR = 15 * 60_000; // an announcement stands so long
const NOTICE_EACH = 10_000;
const NOTICES = 3;

/** The announcement that is shown now, if any; several take turns. */
export function noticeAt(page: EventPage, civil: number): string | undefined {
  const fresh = page.notices.filter((n) => civil - n.at < NOTICE_FOR).slice(0, NOTICES);
  return fresh[turnAt(civil, NOTICE_EACH, fresh.length)]?.text;
}
