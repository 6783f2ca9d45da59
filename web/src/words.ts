// What happened, in plain words.
import type { LinkStatus } from "./link";
import { type Color, colorName, type End, type GameEvent, type Mode, other } from "./wire";

export const modeName = (m: Mode): string => (m === "fast" ? "fast" : "over the board");

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
  illegal: "claim of an illegal move", time: "claim on time", both_flags: "claim of both flags", draw: "draw claim",
  abandoned: "claim of an abandoned game", retract: "attempt to take a move back",
};

/** What wrong claims cost, by the ladder that counts them. */
const TIME_FREE = "Three of these are free; each further one gives your opponent a minute.";
const FREE: Record<string, string> = {
  illegal: "Each further one gives your opponent a minute.", time: TIME_FREE, both_flags: TIME_FREE,
};

export function deniedWords(e: GameEvent, me: Color | undefined): string {
  const who = e.by === undefined ? "A player" : e.by === me ? "You" : colorName(e.by);
  const what = CLAIM_NAMES[e.claim ?? ""] ?? "claim";
  const whose = e.by === me ? "Your" : `${who}'s`;
  const first = `${whose} ${what} was wrong`;
  if (!e.add) return `${first}.${e.by === me ? ` ${FREE[e.claim ?? ""] ?? FREE.illegal}` : ""}`;
  const gains = e.by === undefined ? "the opponent" : me === other(e.by) ? "you" : colorName(other(e.by));
  return `${first}: ${Math.round(e.add / 1000)} seconds more for ${gains}.`;
}

export function backWords(e: GameEvent, me: Color | undefined, lapsed: boolean): string {
  if (lapsed) return "The move was taken back; your reply went with it.";
  if (e.by === me) return "Taken back. The same man must move, if it has a legal move.";
  return `${e.by === undefined ? "A player" : colorName(e.by)} took a move back.`;
}

export const SERVER_WAS_AWAY = "The server was away; both clocks stood still.";

export function pauseWords(e: GameEvent, turn: Color): string {
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
