// What the server tells of events and clubs. Times are ms, those of day Unix ms; points are half points, `sb` quarters.
import type { Clocks, Color, GameState, LogEvent, Mode, Terms } from "../wire";

export type Phase = "draft" | "open" | "checkin" | "running" | "last_games" | "provisional" | "signed" | "published";
export type Format = "arena" | "round_robin" | "double_round_robin";
export type Status = "asked" | "in" | "paused" | "withdrawn" | "removed" | "expelled";
export type Access = "" | "link" | "password";
export type Scoring = "classic" | "arena";
export type AtBell = "play_on" | "stop";
export type Score = "1-0" | "0-1" | "1/2-1/2" | "0-0" | "*";

export interface EventTerms extends Terms { base: number; mode: Mode }

/** A person as tables show him. Who has no account has chosen his name for this event. */
export interface Seated { id: string; name: string; rating?: number; account?: boolean }

export interface Member { id: string; name: string; role: string }

/** An event in a list. */
export interface Listed {
  event: string; name: string; phase: Phase; format: Format; starts?: number; bell?: number; club?: string; players: number;
  terms: EventTerms; rated: boolean; access: Access; called_off?: boolean;
}

/** A line of the table. `performance` 0: unknown; `out`: left before half of his games, which then count for nothing. */
export interface Row {
  place: number; group?: number; id: string; name: string; real?: string; rating: number; account?: boolean; status: Status;
  points: number; games: number; wins: number; draws: number; losses: number;
  playoff?: number; performance?: number; direct: number; sb: number; fire?: boolean; out?: boolean;
}

/** A game of the event that is over; `white` and `black` are ids, `changed` why it counts otherwise than it ended. */
export interface PlayedGame {
  id: string; white: string; black: string; score: Score; reason?: string; forfeit?: boolean; round?: number; group?: number;
  playoff?: boolean; repeat?: boolean; color?: boolean; out?: boolean; started: number; ended: number; changed?: string;
}

export interface Standings { rows: Row[]; games: PlayedGame[] }

export interface Notice { at: number; by: string; text: string }

/** Why somebody has no game at the moment. */
export interface Because { code: string; text: string; others?: number; next?: number }

/** How one stands oneself. `ready`: the rest after the last game is over. */
export interface Mine {
  status: Status; why?: string; place: number; points: number; games: number; here: boolean; ready: boolean; since?: number;
  game?: string; color?: Color; opponent?: string; because?: Because; checked?: boolean;
}

/** What one is and may here. `link` and `screen` are keys, told to staff as the settings are. */
export interface You {
  role: { organiser: boolean; arbiter: boolean };
  link?: string; screen?: string; settings?: Settings; entry?: Mine; playing?: string;
}

export interface EventPage {
  event: string; name: string; phase: Phase; format: Format; terms: EventTerms; rated: boolean; two: boolean; scoring: Scoring; at_bell: AtBell;
  access: Access; approve: boolean; guests: boolean; late: boolean; min_rating: number; max_rating: number; most: number; club?: string;
  starts?: number; checkin?: number; started?: number; bell?: number; duration?: number; now: number; held: boolean; frozen?: boolean; round?: number; rounds?: number;
  entries: number; lines: number; here: number; playing: number; waiting: number; games: number;
  top: Row[]; next?: string; notices: Notice[]; chat: number; staff: Member[];
  roster?: { id: string; name: string }[]; cancelled?: string; you: You;
}

export interface EntryView {
  id: string; name: string; real?: string; rating: number; account: boolean; status: Status; why?: string; checked: boolean; here: boolean;
  game?: string; colors: string; last?: string; claimed: boolean;
}

/** A board that is being played. `flags` and `away`: White's and Black's. */
export interface BoardView {
  game: string; white: Seated; black: Seated; place_white: number; place_black: number; ply: number; board: string; clk: Clocks;
  phase: GameState["phase"]; flags: [boolean, boolean]; away: [boolean, boolean]; dispute?: Color; since: number;
}

/** A running game as the desk lists it. `phase` "": its table does not answer; `claims`: how many were made and did not hold. */
export interface DeskGame {
  game: string; white: Seated; black: Seated; phase: GameState["phase"] | ""; clk: Clocks; claims: number; dispute?: Color; round?: number; started: number;
}

/** What waits for a ruling. `by` a side, or of a report a name; `stops`: both clocks stand, until `until` at most. */
export interface Waiting {
  id: string; kind: "dispute" | "demo" | "ladder" | "report"; game: string; white: Seated; black: Seated; by: string; at: number;
  text?: string; stops: boolean; until?: number;
}

/** An act of an arbiter or organiser; `failed` says why nothing came of it. */
export interface Act { n: number; at: number; by: string; do: string; game?: string; who?: string; text: string; failed?: string }

export interface Report { id: string; at: number; by: string; game: string; text: string; settled?: string }

export interface Desk {
  page: EventPage; duty: { id: string; name: string }[]; frozen: boolean; dropped?: { at: number; count: number };
  games: DeskGame[]; queue: Waiting[]; acts: Act[]; reports: Report[]; hushed?: { id: string; name: string }[];
}

/** All that happened in a game: `at` is ms of server time from its start, `started` civil. */
export interface GameLog {
  game: string; white: Seated; black: Seated; running: boolean; started: number; state: GameState; log: LogEvent[];
}

export interface ChatLine { n: number; at: number; who: { id: string; name: string }; text: string }

/** `gone`: numbers of lines that were taken back. */
export interface Chat { chat: ChatLine[]; gone?: number[]; muted: boolean }

export interface Listing { club: string; name: string; about: string; members?: number }

export interface ClubView extends Omit<Listing, "members"> { members: Member[]; events: Listed[]; you?: string }

/** Options of the games. */
export interface Options {
  ladder: boolean; presence: boolean; first_move: number; both_flags_idle: number; abandonment: boolean;
  arbiter_calls_flags?: boolean; arbiter_calls_illegal?: boolean; on_duty?: boolean; add_penalty?: boolean; wide_8i?: boolean;
  delay_clock?: boolean; window?: number;
}

/** What the organiser decides. */
export interface Settings {
  name: string; format: Format; terms: EventTerms; rated?: boolean; two?: boolean; scoring: Scoring; bell: AtBell; zone?: string;
  checkin_at?: number; start_at?: number; duration?: number; last_pair?: number; rest: number; repeat_wait: number; color_wait: number;
  access?: Access; approve?: boolean; guests?: boolean; bots?: boolean; late?: boolean; min_rating?: number; max_rating?: number; most?: number;
  group_size?: number; auto_round?: boolean; round_rest?: number; playoff?: boolean; options: Options;
}

/** The arbiter's act on a running game. */
export type RuleAct = "stop" | "resume" | "clocks" | "warn" | "minute" | "loss" | "result" | "annul" | "unjust" | "delay";

/** What people ask of an event: the body of POST acts. */
export type Do =
  | { do: "enter"; password?: string; name?: string; claim?: string }
  | { do: "arrive" | "pause" | "return" | "withdraw"; who?: string }
  | { do: "ready" }
  | { do: "report"; game: string; text: string }
  | { do: "edit"; settings: Settings }
  | { do: "password"; password: string }
  | { do: "staff"; organisers: string[]; arbiters: string[] }
  | { do: "advance"; to: Phase }
  | { do: "cancel"; why: string }
  | { do: "admit"; who: string }
  | { do: "remove"; who: string; why: string }
  | { do: "roster"; csv: string }
  | { do: "add"; name: string; real?: string; rating?: number }
  | { do: "bell"; bell: number; why: string }
  | { do: "round" }
  | { do: "hold"; held: boolean; why: string }
  | { do: "announce"; text: string }
  | { do: "hush"; who: string; on: boolean }
  | { do: "unsay"; n: number }
  | { do: "duty"; on: boolean }
  | { do: "pair"; white: string; black: string; why: string }
  | { do: "expel"; who: string; why: string }
  | { do: "correct"; game: string; score: Score; forfeit?: boolean; why: string }
  | { do: "freeze"; on: boolean; why: string }
  | { do: "rule"; game: string; act: RuleAct; side?: Color; clocks?: [number, number]; score?: Score; replay?: boolean; why: string }
  | { do: "settle"; report: string; why: string };
