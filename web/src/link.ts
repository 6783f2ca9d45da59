// The one WebSocket of this page: it comes back by itself, and says so when it cannot.
import { ensureGuest } from "./api";
import { remembered } from "./through";
import { CLOSE_REPLACED, CLOSE_SLOW, CLOSE_TOKEN, CLOSE_TOO_MANY, type Command, type Person, type ServerFrame } from "./wire";

export type LinkStatus = "off" | "connecting" | "open" | "lost" | "replaced";

const PING_EVERY = 5000;
const PONG_WITHIN = 4000;
const OPEN_WITHIN = 8000;

/** How long to wait before try number `attempt` (from 0) after a close with `code`; `random` in [0, 1). */
export function retryDelay(code: number, attempt: number, random: number): number {
  if (code === 1012) return 300 + 1200 * random;
  if (code === CLOSE_SLOW && attempt === 0) return 200 * random;
  const floor = code === 1008 || code === CLOSE_TOO_MANY ? 5000 : 0;
  return floor + Math.min(10_000, 400 * 2 ** attempt) * (0.5 + random / 2);
}

export class Link {
  status: LinkStatus = "off";
  you: Person | undefined;
  guest: boolean | undefined; // whether you have no account; undefined until the server has said
  heldSince: number | undefined; // performance.now() when the server said that all clocks stand
  seat: string | undefined; // the game this person sits at, as the server last said
  through = remembered(); // the event whose link led here: its guests count as its own
  retryAt = 0;
  private socket: WebSocket | undefined;
  private attempt = 0;
  private turn = 0; // of connecting: what an earlier one finds out does not count
  private timer: number | undefined;
  private pinger: number | undefined;
  private pongDue: number | undefined;
  private listeners = new Set<(frame: ServerFrame, at: number) => void>();
  private watchers = new Set<() => void>();

  /** Hears every frame with the moment of its arrival (performance.now()). Returns the way out. */
  listen(f: (frame: ServerFrame, at: number) => void): () => void {
    this.listeners.add(f);
    return () => this.listeners.delete(f);
  }

  /** Hears of changes of `status`. */
  watch(f: () => void): () => void {
    this.watchers.add(f);
    return () => this.watchers.delete(f);
  }

  /** Opens the socket if it is not open; also after "replaced", to take the game over. */
  start(): void {
    if (this.status !== "off" && this.status !== "replaced") return;
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    this.attempt = 0;
    void this.connect();
  }

  /** Comes back with the cookie as it is now: after a log-in or a log-out. */
  again(): void {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = undefined;
    this.you = this.guest = this.seat = undefined;
    if (socket) {
      socket.onclose = null;
      socket.close();
    }
    clearInterval(this.pinger);
    this.pong();
    this.status = "off";
    this.start();
  }

  /** Sends now or not at all. */
  send(command: Command | { t: "ping" }): boolean {
    if (this.status !== "open" || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  private set(status: LinkStatus): void {
    this.status = status;
    for (const f of this.watchers) f();
  }

  private hurry = (): void => {
    if (this.status !== "lost" || document.visibilityState !== "visible" || this.timer === undefined) return;
    clearTimeout(this.timer);
    void this.connect();
  };

  private async connect(): Promise<void> {
    const turn = ++this.turn;
    this.timer = undefined;
    if (this.status !== "lost") this.set("connecting");
    try {
      const me = await ensureGuest(this.through);
      if (turn !== this.turn) return; // somebody else's by now
      this.you = me;
      this.guest = me.guest;
    } catch {
      if (turn !== this.turn) return;
      this.retry(0);
      return;
    }
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws${this.via()}`);
    this.socket = socket;
    const slow = setTimeout(() => this.drop(socket, 0), OPEN_WITHIN);
    socket.onmessage = (e) => {
      const at = performance.now();
      if (socket !== this.socket) return;
      const frame = parseFrame(e.data);
      if (!frame) return;
      if (frame.t === "hello") {
        clearTimeout(slow);
        this.opened(frame);
      }
      if (frame.t === "pong") this.pong();
      if (frame.t === "hold") this.hold(frame.on, at);
      for (const f of this.listeners) f(frame, at);
    };
    socket.onclose = (e) => {
      clearTimeout(slow);
      this.drop(socket, e.code);
    };
  }

  private via(): string {
    return this.through ? `?${new URLSearchParams({ ...this.through })}` : "";
  }

  private opened(hello: { you: Person; game?: string }): void {
    this.you = hello.you;
    this.seat = hello.game;
    this.heldSince = undefined; // it is said again if it lasts
    this.attempt = 0;
    this.pinger = setInterval(() => this.ping(), PING_EVERY) as unknown as number;
    this.set("open");
  }

  private hold(on: boolean, at: number): void {
    this.heldSince = on ? this.heldSince ?? at : undefined;
    this.set(this.status);
  }

  private ping(): void {
    if (this.pongDue !== undefined || !this.send({ t: "ping" })) return;
    const socket = this.socket;
    this.pongDue = setTimeout(() => socket && this.drop(socket, 0), PONG_WITHIN) as unknown as number;
  }

  private pong(): void {
    clearTimeout(this.pongDue);
    this.pongDue = undefined;
  }

  /** The socket is gone or given up; a half-open one must not speak again. */
  private drop(socket: WebSocket, code: number): void {
    if (socket !== this.socket) return;
    this.socket = undefined;
    socket.onclose = null;
    socket.close();
    clearInterval(this.pinger);
    this.pong();
    if (code === CLOSE_REPLACED) this.set("replaced");
    else this.retry(code);
  }

  private retry(code: number): void {
    const wait = code === CLOSE_TOKEN && this.attempt === 0 ? 50 : retryDelay(code, this.attempt, Math.random());
    this.attempt++;
    this.retryAt = performance.now() + wait;
    this.timer = setTimeout(() => void this.connect(), wait) as unknown as number;
    this.set("lost");
  }
}

function parseFrame(data: unknown): ServerFrame | undefined {
  if (typeof data !== "string") return undefined;
  try {
    const frame = JSON.parse(data) as ServerFrame;
    return typeof frame?.t === "string" ? frame : undefined;
  } catch {
    return undefined;
  }
}
