// What happened, in plain words.
import { formatClock, isFlagged } from "./clock";
import type { LinkStatus } from "./link";
import { parsePlacement } from "./placement";
import { neutral } from "./reader";
import { type Clocks, type Color, colorName, type End, type GameEvent, type GameState, other } from "./wire";

const REFUSALS: Record<string, string> = {
  not_completed: "Your opponent has not pressed the clock yet: there is nothing to claim.",
  move_final: "That move stands: only an illegal move is taken back.",
  touch_move: "You touched another man with your illegal move, and it must move.",
  stale_ply: "The game had already moved on; here is the board as it stands.",
};

/** A refused command; the server's own line where there is no better one. */
export function refusalWords(code: string, msg: string, command: string): string {
  if (code === "move_pending" && command === "retract") return "That cannot be taken back now.";
  return REFUSALS[code] ?? (msg || "The server refused that.");
}

const CLAIM_NAMES: Record<string, string> = {
  illegal: "claim of an illegal move", king: "capture of the king", time: "claim on time", time_called: "claim on time", flag: "claim on time",
  both_flags: "claim of both flags", abandoned: "claim of an abandoned game", retract: "attempt to take a move back",
  ilc: "claim of insufficient losing chances", second: "claim of a second illegal move",
};

/** What wrong claims cost, by the ladder that counts them. */
const TIME_FREE = "Three of these are free; each further one gives your opponent a minute.";
const FREE: Record<string, string> = {
  illegal: "Each further one gives your opponent a minute.", time: TIME_FREE, both_flags: TIME_FREE,
};

/** Everything else that is claimed is a draw, by whatever letter. */
const claimName = (claim: string | undefined): string => CLAIM_NAMES[claim ?? ""] ?? "claim of a draw";

/** "you" or "White". */
const who = (c: Color, me: Color | undefined): string => (c === me ? "you" : colorName(c));
const Who = (c: Color, me: Color | undefined): string => (c === me ? "You" : colorName(c));
const Whose = (c: Color, me: Color | undefined): string => (c === me ? "Your" : `${colorName(c)}'s`);

/** "a minute", "two minutes". */
function span(ms: number): string {
  if (ms === 60_000) return "a minute";
  if (ms === 120_000) return "two minutes";
  return `${Math.round(ms / 1000)} seconds`;
}

/** What a side has now: " (4:12 left)". */
const now = (clk: Clocks | undefined, c: Color): string => (clk ? ` (${formatClock(clk[c], isFlagged(clk, c))} left)` : "");

function gain(e: GameEvent, me: Color | undefined, clk: Clocks | undefined): string {
  if (!e.add || !e.by) return "";
  const foe = other(e.by);
  return ` ${span(e.add).replace(/^./, (c) => c.toUpperCase())} more for ${who(foe, me)}${now(clk, foe)}.`;
}

export function deniedWords(e: GameEvent, me: Color | undefined, clk?: Clocks): string {
  const by = e.by ?? "w";
  const whose = `${Whose(by, me)} ${claimName(e.claim)}`;
  if (e.take) return `${whose} does not hold: ${span(e.take)} off ${by === me ? "your" : `${colorName(by)}'s`} clock${now(clk, by)}.`;
  if (e.add) return `${whose} does not hold.${gain(e, me, clk)}`;
  if (!e.step) return `${whose} does not hold; the game goes on.`;
  return `${whose} was wrong.${by === me ? ` ${FREE[e.claim ?? ""] ?? FREE.illegal}` : ""}`;
}

/** The illegal move `m` is taken back. */
export function restoredWords(e: GameEvent, m: string | undefined, me: Color | undefined, clk?: Clocks): string {
  const by = e.by ?? "w";
  const move = m && e.board ? ` ${neutral(parsePlacement(e.board), m)}` : "";
  const must = m ? `; the man on ${m.slice(0, 2)} must move if it can` : "";
  const last = e.step === 1 ? " A second one loses." : "";
  return `${Whose(by, me)}${move || " move"} was illegal and is taken back${must}.${gain(e, me, clk)}${last}`;
}

/** An illegal move that is not taken back: a pawn left on the last rank, or (`empty`) a press without a move. */
export function faultWords(e: GameEvent, me: Color | undefined, empty: boolean, clk?: Clocks): string {
  const by = e.by ?? "w";
  const what = empty ? `${Who(by, me)} pressed without a move` : `${Who(by, me)} left a pawn on the last rank; it is a queen`;
  return `${what}: that counts as an illegal move.${gain(e, me, clk)}${e.step === 1 ? " A second one loses." : ""}`;
}

export function delayWords(e: GameEvent, me: Color | undefined, clk?: Clocks): string {
  const by = e.by ?? "w";
  const half = by === me ? "you have half your time" : `${colorName(by)} has half the time`;
  return `No losing chances claimed: ${half}${now(clk, by)}, and both have a delay of ${span(e.ms ?? 0)} a move.`;
}

export function disputeWords(e: GameEvent, me: Color | undefined): string {
  const by = e.by ?? "w";
  const what = e.claim === "ilc" ? "claimed insufficient losing chances" : "called the arbiter";
  if (e.stops) return `${Who(by, me)} ${what}. Both clocks stand until the arbiter has ruled, three minutes at most.`;
  return `${Who(by, me)} ${what}. Nobody is on duty: it is written down, and the game goes on.`;
}

const ACTS: Record<string, string> = {
  duty: "is on duty", offduty: "is off duty", stop: "stopped the clocks", resume: "lets the game go on", clocks: "corrected the clocks",
  warn: "warned", minute: "penalised", loss: "ended the game: penalty for", result: "set the result",
  annul: "annulled the game", delay: "put in a delay clock for", unjust: "found no reason for the call of",
};

export function rulingWords(e: GameEvent, me: Color | undefined, clk?: Clocks): string {
  const about = e.by && ["warn", "minute", "loss", "delay", "unjust"].includes(e.act ?? "") ? ` ${who(e.by, me)}` : "";
  return `${e.who ?? "The arbiter"} ${ACTS[e.act ?? ""] ?? "ruled"}${about}${e.why ? `: ${e.why}` : ""}.${gain(e, me, clk)}`;
}

/** A claim that waits for its verdict. */
export function judgedWords(s: GameState, me: Color | undefined): string {
  if (!s.claim) return "A claim is being judged; both clocks stand.";
  if (s.claim.claim === "flag" || s.claim.claim === "time_called") return `${Whose(other(s.claim.by), me)} flag is down. Both clocks stand while it is judged.`;
  return `${Whose(s.claim.by, me)} ${claimName(s.claim.claim)} is being judged; both clocks stand.`;
}

/** Who has to show what, for the two players and for those who watch. */
export function demoWords(shows: Color | undefined, me: Color | undefined): string {
  if (!shows) return "A win is being shown on a side board. You will see how it ended.";
  if (!me) return `${colorName(shows)} has to show on a side board that ${colorName(shows)} wins. You will see how it ended.`;
  if (shows === me) return "Show here that you win by force: mate, or a position known as won, within two minutes of your time.";
  return `${colorName(shows)} has to show here that ${colorName(shows)} wins by force. Defend: your replies have a minute in all.`;
}

/** For the ear: what holds the game up, and the newest move on the side board. */
export function standingWords(s: GameState, me: Color | undefined): string {
  if (s.phase === "proof") return judgedWords(s, me);
  if (s.phase !== "demo") return "";
  const last = s.demo?.moves.at(-1);
  const turn = s.demo && parsePlacement(s.demo.board).turn;
  if (!last || !turn) return demoWords(s.demo?.by ?? s.shows?.by, me);
  return `Side board: ${last.slice(0, 2)} to ${last.slice(2, 4)}. ${turn === me ? "You are" : `${colorName(turn)} is`} on move there.`;
}

export const demoEndWords = (e: GameEvent): string => (e.shown ? "The forced win was shown." : "The forced win was not shown.");

/** What a wrong draw claim costs: the question before it. */
export function riskWords(risk: GameState["risk"]): string {
  if (risk.take) return `If it is wrong, it costs you ${span(risk.take)}.`;
  if (risk.add) return `If it is wrong, your opponent gets ${span(risk.add)}.`;
  return "A wrong claim costs nothing.";
}

/** "2nd time", "3rd time", "21st time". */
export function times(n: number): string {
  const tens = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${(!tens && ["", "st", "nd", "rd"][n % 10]) || "th"} time`;
}

export function backWords(e: GameEvent, me: Color | undefined, lapsed: boolean): string {
  if (lapsed) return "The move was taken back; your reply went with it.";
  if (e.by === me) return "Taken back. The same man must move, if it has a legal move.";
  return `${e.by === undefined ? "A player" : colorName(e.by)} took a move back.`;
}

export const SERVER_WAS_AWAY = "The server was away; both clocks stood still.";

export function pauseWords(e: GameEvent, turn: Color): string {
  if (e.why === "away") return `Both clocks stand until ${colorName(turn)} is back, half a minute at most.`;
  const charged = e.ms ? ` ${colorName(turn)} is charged ${(e.ms / 1000).toFixed(1)} s.` : "";
  return `${SERVER_WAS_AWAY}${charged}`;
}

/** "White wins", "Draw". */
export function resultWords(end: End): string {
  switch (end.result) {
    case "1-0": return "White wins";
    case "0-1": return "Black wins";
    case "1/2-1/2": return "Draw";
    default: return "No result";
  }
}

/** The same from one side: "You win". */
export function resultFor(end: End, me: Color | undefined): string {
  if (!me || end.result === "1/2-1/2" || end.result === "*") return resultWords(end);
  return (end.result === "1-0") === (me === "w") ? "You win" : "You lose";
}

export function linkWords(status: LinkStatus, playing: boolean): string | undefined {
  switch (status) {
    case "lost": return `Connection lost. ${playing ? "The clocks may go on; t" : "T"}rying to come back…`;
    case "connecting": return "Connecting…";
    default: return undefined;
  }
}

/** While the server holds all games. */
export function holdWords(playing: boolean): string {
  const kept = playing ? " Your move is kept and counts when it goes on." : "";
  return `The clocks stand: the server cannot write down moves at the moment.${kept}`;
}
