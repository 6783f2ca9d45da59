// One event as this page has it: what the server tells of it and of oneself, and what one does there.
import { ensureGuest, Problem, problemWords } from "../api";
import type { Link } from "../link";
import { asProblem } from "../people/answer";
import { commandId, type EntryFrame, type EventFrame, type ServerFrame } from "../wire";
import { act, eventPage } from "./api";
import type { Do, EventPage, Mine, Notice } from "./types";

/** When the phase changes everybody asks for the page: within so many ms. */
const SPREAD = 1500;

const KEPT = 20; // notices

export class EventModel {
  page: EventPage | undefined;
  mine: Mine | undefined;
  problem: Problem | undefined; // the event cannot be shown at all
  unheard: string | undefined; // why nothing new is told
  trouble = ""; // of what was asked last
  busy = false;
  taken: string | undefined; // the name on the organiser's list by which one has entered
  boards: string[] = []; // running games of the highest places
  private readTo: number | undefined; // the last announcement that was read, or was there before one came
  private frame: EventFrame | undefined;
  private heard = { event: 0, entry: 0 }; // performance.now() of the last frames
  private base = 0; // civil time at `baseAt`
  private baseAt = 0;
  private asked = "";
  private who = "";
  private turn = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private leave: (() => void)[] = [];
  private watchers = new Set<() => void>();

  constructor(readonly link: Link, readonly event: string, readonly key: string) {}

  /** Attends and reads the page. Returns the way out. */
  open(): () => void {
    this.leave = [this.link.listen((frame, at) => this.hear(frame, at)), this.link.watch(() => this.changed())];
    const seen = () => this.attend();
    document.addEventListener("visibilitychange", seen);
    this.leave.push(() => document.removeEventListener("visibilitychange", seen));
    this.who = this.link.you?.id ?? "";
    if (this.link.status === "open") this.attend();
    else this.link.start();
    void this.read();
    return () => {
      this.link.send({ t: "depart", id: commandId() });
      clearTimeout(this.timer);
      this.turn++;
      for (const f of this.leave) f();
    };
  }

  watch(f: () => void): () => void {
    this.watchers.add(f);
    return () => this.watchers.delete(f);
  }

  private changed(): void {
    for (const f of this.watchers) f();
  }

  /** The server's civil time, in Unix ms. */
  now(at = performance.now()): number {
    return this.base ? this.base + at - this.baseAt : Date.now();
  }

  private attend(): void {
    this.asked = commandId();
    this.link.send({
      t: "attend", id: this.asked, event: this.event, ...(this.key && { key: this.key }), visible: document.visibilityState === "visible",
    });
  }

  private hear(frame: ServerFrame, at: number): void {
    switch (frame.t) {
      case "hello":
        this.attend();
        if (this.who && this.who !== frame.you.id) void this.read(); // logged in or out meanwhile
        this.who = frame.you.id;
        return;
      case "event":
        if (frame.event !== this.event) return;
        this.unheard = undefined;
        this.heard.event = at;
        this.told(frame, at);
        break;
      case "entry":
        if (frame.event !== this.event) return;
        this.heard.entry = at;
        this.stands(mineOf(frame));
        break;
      case "err":
        if (frame.id !== this.asked) return;
        this.unheard = frame.msg;
        break;
      case "paired":
        this.trouble = "";
        break;
      default:
        return;
    }
    this.changed();
  }

  private told(frame: EventFrame, at: number): void {
    const before = this.frame ?? this.page;
    this.frame = frame;
    this.boards = frame.boards ?? [];
    this.setTime(frame.now, at);
    if (this.page) this.page = overlaid(this.page, frame);
    if (before && before.phase !== frame.phase) this.readSoon(Math.random() * SPREAD);
  }

  private stands(mine: Mine | undefined): void {
    if (mine?.game) this.link.seat = mine.game;
    else if (this.mine?.game && this.link.seat === this.mine.game) this.link.seat = undefined;
    this.mine = mine;
  }

  private setTime(now: number, at: number): void {
    this.base = now;
    this.baseAt = at;
  }

  private readSoon(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.read(), wait);
  }

  /** Reads the page anew; what was told meanwhile is newer than the answer. */
  async read(): Promise<void> {
    const turn = ++this.turn;
    const since = performance.now();
    try {
      await ensureGuest(this.link.through);
      const page = complete(await eventPage(this.event, this.key));
      if (turn !== this.turn) return;
      this.problem = undefined;
      if (!this.base) this.setTime(page.now, performance.now());
      this.page = this.frame && this.heard.event >= since ? overlaid(page, this.frame) : page;
      if (this.heard.entry < since) this.stands(page.you.entry);
      this.readTo ??= page.notices[0]?.at ?? 0;
    } catch (e) {
      if (turn !== this.turn) return;
      if (!this.page || (e instanceof Problem && e.status === 404)) this.problem = asProblem(e);
    }
    this.changed();
  }

  /** Asks the server for it; tells whether it was done. What went wrong is in `trouble`. */
  async act(what: Do): Promise<boolean> {
    this.busy = true;
    this.trouble = "";
    this.changed();
    let done = false;
    try {
      await act(this.event, what, this.key);
      done = true;
      await this.read();
    } catch (e) {
      await this.read(); // it may have failed because something else is so by now
      this.trouble = problemWords(e);
    }
    this.busy = false;
    this.changed();
    return done;
  }

  /** Between two games, where one may say that one is ready. */
  get rests(): boolean {
    const m = this.mine;
    const rest = m?.because?.code === "resting" || m?.because?.code === "match"; // between rounds nobody is paired sooner
    return this.page?.phase === "running" && m?.status === "in" && !m.game && !m.ready && rest && (m.since ?? 0) > this.now();
  }

  /** An announcement that came while one was here and was not read yet. */
  get news(): Notice | undefined {
    const latest = this.page?.notices[0];
    return latest && this.readTo !== undefined && latest.at > this.readTo ? latest : undefined;
  }

  /** All that is announced was seen. */
  seen(): void {
    this.readTo = this.page?.notices[0]?.at ?? 0;
    this.changed();
  }

  get staff(): boolean {
    return Boolean(this.page?.you.role.organiser || this.page?.you.role.arbiter);
  }
}

function mineOf({ t: _, id: __, event: ___, ...mine }: EntryFrame): Mine {
  return mine;
}

/** An empty list may come as none. */
const complete = (page: EventPage): EventPage => ({ ...page, top: page.top ?? [], notices: page.notices ?? [], staff: page.staff ?? [] });

/** The page with what a frame says. */
function overlaid(page: EventPage, frame: EventFrame): EventPage {
  const { t: _, id: __, n: ___, boards: ____, notices, ...rest } = frame;
  return { ...page, ...rest, top: rest.top ?? [], notices: merged(notices ?? [], page.notices) };
}

/** Notices of both, the latest first, each once. */
function merged(fresh: Notice[], old: Notice[]): Notice[] {
  const seen = new Set<string>();
  return [...fresh, ...old]
    .filter((n) => {
      const same = `${n.at} ${n.by} ${n.text}`;
      return !seen.has(same) && seen.add(same);
    })
    .sort((a, b) => b.at - a.at)
    .slice(0, KEPT);
}
