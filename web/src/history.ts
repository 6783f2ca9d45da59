// People and finished games, as the server keeps them.
import type { Mode, Person } from "./wire";

export interface Rating { kind: string; rating: number; deviation: number; provisional: boolean; games: number }

export interface Tally { won: number; drawn: number; lost: number }

/** The games by a rule set, those that are rated or those that are not. */
export interface RulesTally extends Tally { rules: string; rated: boolean }

export interface Profile { id: string; name: string; since: string; bot: boolean; ratings: Rating[]; record: RulesTally[] }

/** Somebody in a finished game, with his rating before and after it if the game is rated. */
export interface Player extends Person { before?: number; after?: number }

/** A finished game in a list. `base` in ms, times in RFC 3339. */
export interface Entry {
  game: string;
  white: Player;
  black: Player;
  rules: string;
  mode: Mode;
  base: number;
  rated: boolean;
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  reason: string;
  rule?: string;
  ended: string;
  plies: number;
}

/** A rating after a game, and what the game changed. */
export interface Point { at: string; game: string; rating: number; change: number; deviation: number }

export interface Opponent extends Person, Tally {}

export interface Leader extends Person { rating: number; deviation: number; games: number }

/** A page of a list; `next` is the parameter `after` of the next one. */
export interface Page { next?: string }

const inPath = encodeURIComponent;

export const personApi = (name: string): string => `/api/people/${inPath(name)}`;
export const opponentsApi = (name: string): string => `${personApi(name)}/opponents?limit=20`;
export const againstApi = (name: string, opponent: string): string => `${personApi(name)}/against/${inPath(opponent)}`;
export const leadersApi = (kind: string): string => `/api/leaders?kind=${inPath(kind)}&limit=50`;
export const searchApi = (beginning: string): string => `/api/search?name=${inPath(beginning)}&limit=50`;

/** Each game of few, the last one of each day of many. */
export const ratingsApi = (name: string, r: Rating): string =>
  `${personApi(name)}/ratings?kind=${inPath(r.kind)}&each=${r.games > MOST_POINTS ? "day" : `game&limit=${MOST_POINTS}`}`;

const MOST_POINTS = 100;

export const personPage = (name: string): string => `/people/${inPath(name)}`;
export const gamesPage = (name: string | undefined, filter = ""): string => `${name === undefined ? "" : personPage(name)}/games${filter}`;
export const searchPage = (beginning: string): string => `/people?name=${inPath(beginning)}`;

/** Whether a name may belong to an account: those of guests and of deleted accounts are nobody's. */
export const lasts = (name: string): boolean => !/^(guest|deleted)/i.test(name);

/** What the lists of games can be asked for; in the address of the page as in that of the server. */
export const FILTERS = ["rules", "rated", "result", "color", "opponent", "since", "until"] as const;
export type FilterName = (typeof FILTERS)[number];
export type Filter = Partial<Record<FilterName, string>>;

export function readFilter(query: string): Filter {
  const given = new URLSearchParams(query);
  const filter: Filter = {};
  for (const name of FILTERS) {
    const value = given.get(name);
    if (value) filter[name] = value;
  }
  return filter;
}

/** The filter as the part of an address behind the question mark, with it. */
export function writeFilter(filter: Filter, more: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of [...FILTERS.map((f) => [f, filter[f]] as const), ...Object.entries(more)]) if (value) query.set(name, value);
  const text = query.toString();
  return text && `?${text}`;
}

/** Days are the reader's own, the last one whole; the server is asked for moments. */
export function askedFilter(filter: Filter): Filter {
  const asked = { ...filter };
  if (filter.since) asked.since = midnight(filter.since, 0);
  if (filter.until) asked.until = midnight(filter.until, 1);
  return asked;
}

/** Midnight at the beginning of a day, or of a later one; what is no day stays for the server to refuse. */
function midnight(day: string, later: number): string {
  const [year, month, date] = day.split("-").map(Number);
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return day;
  const at = new Date(year!, month! - 1, date! + later);
  return Number.isNaN(at.getTime()) ? day : at.toISOString();
}

/** The games of a person, or of everybody, and the same ones as PGN. */
export const gamesApi = (name: string | undefined, filter: Filter, after?: string, limit = 20): string =>
  `${name === undefined ? "/api/archive" : `${personApi(name)}/games`}${writeFilter(askedFilter(filter), { after, limit: String(limit) })}`;
export const gamesPGN = (name: string | undefined, filter: Filter): string =>
  `${name === undefined ? "/api/archive" : personApi(name)}/pgn${writeFilter(askedFilter(filter))}`;

/** Where a rated game is found among those of its players: by the second in which it ended. */
export function oneGameApi(white: string, black: string, ended: string): string {
  const second = Math.floor(Date.parse(ended) / 1000) * 1000;
  return gamesApi(white, { opponent: black, since: new Date(second).toISOString(), until: new Date(second + 1000).toISOString() });
}

/** A rating over time: seconds since 1970 and the rating from then on, from before the first game. */
export function series(points: Point[]): [number[], number[]] {
  const times: number[] = [];
  const ratings: number[] = [];
  for (const p of [...points].reverse()) {
    times.push(Date.parse(p.at) / 1000);
    ratings.push(p.rating);
  }
  const first = points.at(-1);
  if (first) {
    const lead = Math.max(600, (times.at(-1)! - times[0]!) / 20);
    times.unshift(times[0]! - lead);
    ratings.unshift(first.rating - first.change);
  }
  return [times, ratings];
}

export const signed = (n: number): string => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "±0");

export const played = (t: Tally): number => t.won + t.drawn + t.lost;

/** Points of a hundred: "62 %". */
export const percent = (t: Tally): string => `${played(t) ? Math.round((100 * (t.won + t.drawn / 2)) / played(t)) : 0} %`;

export function total(list: Tally[]): Tally {
  const sum = { won: 0, drawn: 0, lost: 0 };
  for (const t of list) {
    sum.won += t.won;
    sum.drawn += t.drawn;
    sum.lost += t.lost;
  }
  return sum;
}

/** How a game ended for one of its players. */
export type Outcome = "won" | "drawn" | "lost" | "void";

export function outcomeFor(e: Entry, person: string): Outcome {
  if (e.result === "*") return "void";
  if (e.result === "1/2-1/2") return "drawn";
  return (e.result === "1-0") === (e.white.id === person) ? "won" : "lost";
}

export const SCORES: Record<Entry["result"], string> = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "*": "–" };
export const OUTCOMES: Record<Outcome, string> = { won: "Won", drawn: "Draw", lost: "Lost", void: "Void" };

const REASONS: Record<string, string> = {
  time: "flag claimed", time_called: "flag called", flag_arbiter: "flag", illegal_move: "illegal move claimed", king_capture: "king taken",
  perpetual: "perpetual check", identical_piece: "same piece each", king_pawn: "king and pawn", no_first_move: "no first move", absent: "nobody came",
  time_insufficient_material: "flag, no mating material", illegal_move_insufficient_material: "illegal move, no mating material",
  arbiter: "set by the arbiter", outage: "the server was away",
};

export const reasonWords = (reason: string): string => REASONS[reason] ?? reason.replaceAll("_", " ");

export const moveCount = (plies: number): string => {
  const moves = Math.ceil(plies / 2);
  return moves === 1 ? "1 move" : `${moves} moves`;
};

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const MOMENT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });

export const dayWords = (time: string): string => DAY.format(new Date(time));
export const momentWords = (time: string): string => MOMENT.format(new Date(time));
