// The messages of the WebSocket, as package wire publishes them. Times are ms, squares and moves UCI.
import type { Mine, Notice, Phase, Row } from "./event/types";

export type Color = "w" | "b";
export type Mode = "board" | "fast";
export type ColorWish = "white" | "black" | "random";
export type ClaimKind = "illegal" | "time" | "both_flags" | "draw" | "draw_8f" | "ilc" | "abandoned";
export type Timing = "" | "increment" | "delay" | "bronstein";

/** `guest`: has no account; said at the tables of events, where guests choose their names. */
export interface Person { id: string; name: string; bot?: boolean; guest?: boolean }

/** What a game is played by, beside its base time and mode. `each`: ms a move. */
export interface Terms { rules: string; timing?: Timing; each?: number }

/** `delay`: ms left of the delay of the running side's move. */
export interface Clocks { w: number; b: number; run: "" | Color; flags: string; delay?: number }

export interface Ply { m: string; ms: number }

export interface End { result: string; reason: string; rule: string; text: string }

/** The side board on which `by` shows that he wins; `w` and `b` are the ms left for it. */
export interface Demo { by: Color; rule: string; board: string; moves: string[]; w: number; b: number }

export interface GameState extends Terms {
  t: "state";
  id?: string;
  game: string;
  n: number;
  you: "" | Color;
  white: Person;
  black: Person;
  mode: Mode;
  base: number;
  wbca: boolean;
  event?: string; // the NAME of the event it belongs to
  rated?: boolean; // counts for the players' ratings
  claims: string[];
  late: number; // own moves after which an illegal move of the opponent can still be claimed
  risk: { take?: number; add?: number }; // the price of a wrong draw claim, ms
  premove: boolean;
  phase: "waiting" | "play" | "paused" | "proof" | "demo" | "dispute" | "over";
  start: string;
  board: string;
  moves: Ply[];
  pending?: string;
  queued?: { m: string; press: boolean };
  offer?: "" | Color;
  clk: Clocks;
  here: string;
  seen?: number; // how often what now stands has stood there, from 2 on
  claim?: { by: Color; claim: string }; // being judged
  demo?: Demo; // to the players only
  shows?: { by: Color; rule: string }; // our own note: who shows a win
  end?: End;
}

export interface GameEvent {
  k: string;
  by?: Color;
  m?: string;
  ply?: number;
  press?: boolean;
  lag?: number;
  claim?: string;
  code?: string;
  step?: number;
  add?: number;
  take?: number;
  seen?: number;
  demo?: Demo;
  shown?: boolean;
  stops?: boolean;
  board?: string;
  who?: string;
  act?: string;
  score?: string;
  why?: string;
  rule?: string;
  ms?: number;
  end?: End;
}

/** A line of a game's log as an arbiter sees it; `at` in ms from the game's start. */
export interface LogEvent extends GameEvent { at: number; clk?: Clocks; text: string }

export interface EventsFrame { t: "ev"; n: number; id?: string; at: number; clk: Clocks; e: GameEvent[] }

export interface ErrorFrame { t: "err"; id?: string; code: string; msg: string }

/** `to`: the name of who is challenged. */
export interface Invitation extends Terms { invite: string; url: string; base: number; mode: Mode; color: ColorWish; wbca: boolean; casual?: boolean; to?: string; who?: string }

/** What somebody asks for beside the terms: ratings of opponents, and whether the game counts for no rating. */
export interface Range { min?: number; max?: number; casual?: boolean }

/** How far from its own rating a pool looks, in points: `from` at once, `grows` more a second, after `anybody` ms any. */
export interface Reach { from: number; grows: number; anybody: number; waited: number }

/** What somebody waits for. */
export interface Seeking extends Terms, Range { base: number; mode: Mode; rating: number; reach?: Reach }

/** A seek of somebody else. No `rating`: he has none. */
export interface OpenSeek extends Terms, Range { seek: string; by: Person; rating?: number; base: number; mode: Mode; rated: boolean; fits: boolean }

export interface Challenge extends Terms { invite: string; by: Person; rating?: number; base: number; mode: Mode; color: ColorWish; wbca: boolean; rated: boolean }

/** How an event stands; `n` rises with every change, `chat` is the number of the last line, `boards` are the games of the highest places. */
export interface EventFrame {
  t: "event"; id?: string; event: string; n: number; now: number; phase: Phase; name: string; starts?: number; bell?: number; started?: number; held: boolean;
  round?: number; rounds?: number; entries: number; lines: number; here: number; playing: number; waiting: number; games: number;
  top: Row[]; notices: Notice[]; boards: string[]; chat: number;
}

/** How one stands oneself in the event. */
export interface EntryFrame extends Mine { t: "entry"; id?: string; event: string }

export type ServerFrame =
  | { t: "hello"; v: number; you: Person; game?: string }
  | { t: "pong" }
  | { t: "hold"; on: boolean; why?: string } // the server cannot write down what people do: all clocks stand
  | ({ t: "seeking"; id?: string } & Seeking)
  | { t: "seeks"; id?: string; seeks: OpenSeek[] }
  | ({ t: "challenge" } & Challenge)
  | { t: "uninvited"; id?: string; invite: string; why: "declined" | "unanswered" | "withdrawn" }
  | { t: "blocks"; id?: string; people: Person[] }
  | { t: "idle"; id?: string; why?: string }
  | ({ t: "invited"; id?: string } & Invitation)
  | { t: "rematch"; id?: string; game: string; by: Color }
  | { t: "paired"; id?: string; game: string; color: Color }
  | { t: "joined"; id?: string; game: string; n: number }
  | { t: "done"; id: string }
  | EventFrame
  | EntryFrame
  | { t: "desk"; event: string; n: number } // the desk is to be asked again
  | ErrorFrame
  | GameState
  | EventsFrame;

// Every command the client sends, with exactly the fields the server knows for it.
export type Command =
  | ({ t: "seek"; id: string; base: number; mode: Mode } & Partial<Terms> & Range)
  | { t: "cancel"; id: string }
  | { t: "list"; id: string }
  | { t: "take"; id: string; seek: string }
  | ({ t: "invite"; id: string; base: number; mode: Mode; color: ColorWish; casual?: boolean; to?: string } & Partial<Terms>)
  | { t: "decline"; id: string; invite: string }
  | { t: "block" | "unblock"; id: string; who: string }
  | { t: "blocks"; id: string }
  | { t: "accept"; id: string; invite: string }
  | { t: "rematch"; id: string; game: string }
  | { t: "join"; id: string; game: string; since: number }
  | { t: "leave" }
  | { t: "here"; visible: boolean }
  | { t: "attend"; id: string; event: string; key?: string; visible: boolean; desk?: boolean }
  | { t: "depart"; id: string }
  | { t: "move"; id: string; m: string; ply: number; press: boolean }
  | { t: "press"; id: string; ply: number }
  | { t: "retract"; id: string; ply: number }
  | { t: "claim"; id: string; claim: ClaimKind }
  | { t: "resign"; id: string }
  | { t: "offer"; id: string }
  | { t: "answer"; id: string; accept: boolean }
  | { t: "demo"; id: string; m: string }
  | { t: "concede"; id: string }
  | { t: "dispute"; id: string }
  | { t: "mute"; id: string };

export const CLOSE_REPLACED = 4001;
export const CLOSE_SLOW = 4002;
export const CLOSE_TOKEN = 4003;
export const CLOSE_TOO_MANY = 4005;

export const other = (c: Color): Color => (c === "w" ? "b" : "w");

export const colorName = (c: Color): string => (c === "w" ? "White" : "Black");

/** A command id: unique among the commands of this person (10 random characters of the allowed alphabet). */
export function commandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (b) => ALPHABET[b % 64]).join("");
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
