// Events in words.
import { bookName, modeName } from "../terms";
import { formatTime } from "../clock";
import type { Because, EventPage, EventTerms, Format, Listed, Mine, Phase, Row, Scoring } from "./types";

export const FORMATS: { id: Format; name: string; what: string }[] = [
  { id: "arena", name: "Arena", what: "Until the bell: who has played is paired again at once." },
  { id: "round_robin", name: "Round robin", what: "Everybody meets everybody once." },
  { id: "double_round_robin", name: "Double round robin", what: "Everybody meets everybody twice, with both colours." },
];

export const formatName = (f: Format): string => FORMATS.find((one) => one.id === f)?.name ?? f;

const PHASES: Record<Phase, string> = {
  draft: "Being prepared", open: "Entries are open", checkin: "Check-in", running: "Running", last_games: "Last games",
  provisional: "Over, results provisional", signed: "Over, results signed", published: "Over",
};

export const phaseName = (p: Phase): string => PHASES[p] ?? p;

/** Before the first game. */
export const isBefore = (p: Phase): boolean => p === "draft" || p === "open" || p === "checkin";

/** Games are paired or still played. */
export const isOn = (p: Phase): boolean => p === "running" || p === "last_games";

/** "4½" of half points. */
export function points(halves: number): string {
  const whole = Math.floor(halves / 2);
  if (halves % 2 === 0) return String(whole);
  return whole ? `${whole}½` : "½";
}

const QUARTERS = ["", "¼", "½", "¾"];

/** "11¾" of quarters: Sonneborn-Berger. */
export function quarters(n: number): string {
  const whole = Math.floor(n / 4);
  return `${whole || n % 4 === 0 ? whole : ""}${QUARTERS[n % 4]}`;
}

/** "1 point", "4½ points". */
export const pointWords = (halves: number): string => `${points(halves)} ${halves === 2 || halves === 1 ? "point" : "points"}`;

/** "1st", "2nd", "13th". */
export function ordinal(n: number): string {
  const tens = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${(!tens && ["", "st", "nd", "rd"][n % 10]) || "th"}`;
}

/** "3rd with 4½ points", as far as there is a place. */
export const standWords = (m: Pick<Mine, "place" | "points">): string =>
  (m.place ? `${ordinal(m.place)} with ${pointWords(m.points)}` : pointWords(m.points));

/** "5 minutes + 3 seconds a move, WBCA rules, WBCA-rated". */
export function playWords(e: { terms: EventTerms; rated: boolean }): string {
  const book = e.terms.rules || "wbca";
  const rated = e.rated ? (book === "wbca" ? "WBCA-rated" : "rated") : "not rated";
  return `${formatTime(e.terms.base, e.terms)}, ${modeName(e.terms.mode)}, ${bookName(book)} rules, ${rated}`;
}

/** "4:05" or "1:04:05" until a moment; never below zero. */
export function countdown(ms: number): string {
  const s = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor(s / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(s % 60)}` : `${minutes}:${two(s % 60)}`;
}

/** "12 minutes", "1 hour 30 minutes": how long something lasts. */
export function lastingWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const some = (n: number, one: string) => (n === 0 ? "" : n === 1 ? `1 ${one}` : `${n} ${one}s`);
  return [some(Math.floor(minutes / 60), "hour"), some(minutes % 60, "minute")].filter(Boolean).join(" ");
}

const DAY = 24 * 3_600_000;
const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DATE = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** A moment of day on the reader's own clock: "19:30", on another day "Mon, 30 Nov, 19:30". */
export const momentOf = (ms: number, now: number): string =>
  (new Date(ms).toDateString() === new Date(now).toDateString() ? TIME : DATE).format(new Date(ms));

/** "in 4:05 (at 19:30)"; the day alone where it is far. */
function untilWords(ms: number, now: number): string {
  if (ms - now > DAY) return `on ${momentOf(ms, now)}`;
  return ms > now ? `in ${countdown(ms - now)} (at ${momentOf(ms, now)})` : "at any moment";
}

/** Where the event is in its life, at civil time `now`. */
export function stateWords(e: Pick<EventPage, "phase" | "format" | "starts" | "bell" | "round" | "rounds" | "held" | "frozen" | "cancelled">, now: number): string {
  if (e.cancelled) return `Called off: ${e.cancelled}`;
  const starts = e.starts ? `Starts ${untilWords(e.starts, now)}` : "The organiser starts it";
  switch (e.phase) {
    case "draft": return "Being prepared: nobody can enter yet.";
    case "open": return `Entries are open. ${starts}.`;
    case "checkin": return `Check-in: who wants to play says so now. ${starts}.`;
    case "running": return `${runningWords(e, now)}${e.frozen ? " All boards stand still for a moment." : e.held ? " The arbiter holds the pairing." : ""}`;
    case "last_games": return e.format === "arena" ? "The bell has rung: the last games are being played." : "The last games are being played.";
    case "provisional": return "All games are over. The results are provisional until they are signed.";
    case "signed": return "All games are over; the results are signed.";
    default: return "It is over; the results are final.";
  }
}

function runningWords(e: Pick<EventPage, "format" | "bell" | "round" | "rounds">, now: number): string {
  if (e.format === "arena") return e.bell ? `The bell rings ${untilWords(e.bell, now)}.` : "It is running.";
  if (!e.round) return "The first round has not started.";
  return e.rounds && e.round > e.rounds ? "Play-off." : `Round ${e.round}${e.rounds ? ` of ${e.rounds}` : ""}.`;
}

/** "open" or "running", as lists put it. */
export function listedWords(e: Listed, now: number): string {
  if (e.called_off) return "Called off";
  if (isOn(e.phase)) return e.format === "arena" && e.bell && e.phase === "running" ? `Ends ${untilWords(e.bell, now)}` : phaseName(e.phase);
  if (isBefore(e.phase)) return e.starts ? `Starts ${untilWords(e.starts, now)}` : phaseName(e.phase);
  return `${phaseName(e.phase)}${e.bell || e.starts ? `, ${momentOf(e.bell || e.starts!, now)}` : ""}`;
}

export const playersWords = (n: number): string => (n === 1 ? "1 player" : `${n} players`);

/** What follows the number of people while lines of the organiser's list wait for theirs. */
export const linesWords = (e: Pick<EventPage, "lines" | "phase">): string =>
  (e.lines > 0 && (isBefore(e.phase) || isOn(e.phase)) ? ` and ${e.lines} more on the list` : "");

const others = (n: number, one: string, more: string): string => (n === 1 ? `1 other ${one}` : `${n} others ${more}`);

/** Why one has no game, at civil time `now`: the server's words with a wait that counts down. */
export function becauseWords(b: Because, now: number): string {
  const seconds = b.next && b.next > now ? Math.ceil((b.next - now) / 1000) : 0;
  const next = seconds ? `; next try in ${seconds} s` : "";
  const playing = others(b.others ?? 0, "is playing", "are playing");
  switch (b.code) {
    case "resting": return seconds ? `You rest for ${seconds} s, or until you are ready.` : "Your rest is over; you are paired in a moment.";
    case "match": return seconds ? `The second game of your match starts in ${seconds} s.` : "The second game of your match is about to start.";
    case "all_play": return `${playing}${next}.`;
    case "odd_one": return `You are the odd one out this time; ${playing}${next}.`;
    case "others_rest": return `${others(b.others ?? 0, "rests", "rest")} after a game${next}.`;
    case "repeat": return `Only your last opponent waits${next}.`;
    case "colors": return `With those who wait you would have the same colour too often${next}.`;
    case "next_pass": return `${others(b.others ?? 0, "waits", "wait")} too${next}.`;
    case "next_round": return seconds ? `The next round starts in ${seconds} s.` : "The next round has not started.";
    default: return b.text.endsWith(".") ? b.text : `${b.text}.`;
  }
}

/** What decides the order of those with the same points. */
export function orderWords(format: Format, scoring: Scoring): string {
  const worth = scoring === "arena" ? "A win is worth 2 and a draw 1; after two wins in a row twice that, until a game is not won. " : "";
  if (format === "arena") return `${worth}Order: points, performance, the games among those level, wins.`;
  return `${worth}Order: points, play-off, the games among those level, wins, Sonneborn-Berger.`;
}

const OUT: Partial<Record<Row["status"], string>> = { paused: "paused", withdrawn: "withdrawn", removed: "removed", expelled: "expelled", asked: "not approved yet" };

/** What stands behind a name in the table; undefined of who plays. */
export const statusWord = (s: Row["status"]): string | undefined => OUT[s];
