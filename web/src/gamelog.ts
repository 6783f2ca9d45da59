// The numbered frames of one game: every frame exactly once and in order, or a fresh snapshot.
import { displace, parsePlacement, writePlacement } from "./placement";
import { type EventsFrame, type GameEvent, type GameState, other } from "./wire";

export type Step =
  | { kind: "applied"; state: GameState }
  | { kind: "seen" } // a repeat of something that is in the state already
  | { kind: "gap" }; // frames are missing: ask for a snapshot

/** Takes the next frame of events into the state. The state given is left as it was. */
export function receive(state: GameState | undefined, frame: EventsFrame): Step {
  if (!state || frame.n > state.n + 1) return { kind: "gap" };
  if (frame.n <= state.n) return { kind: "seen" };
  let next: GameState = { ...state, n: frame.n };
  for (const e of frame.e) next = apply(next, e, frame);
  next.clk = frame.clk;
  return { kind: "applied", state: next };
}

function apply(s: GameState, e: GameEvent, frame: EventsFrame): GameState {
  switch (e.k) {
    case "start":
    case "resume":
      return playing(s);
    case "pause":
      return { ...s, phase: "paused" };
    case "move":
      return { ...s, pending: e.m, queued: e.by === s.you ? undefined : s.queued };
    case "back":
      return { ...s, pending: undefined };
    case "press":
      return press(s, e, frame);
    case "restored":
      return {
        ...s, board: e.board ?? s.board, moves: s.moves.slice(0, e.ply ?? 0), pending: undefined, queued: undefined, seen: undefined,
      };
    case "delay":
      return { ...s, timing: "delay", each: e.ms ?? 0 };
    case "proof":
      return { ...s, phase: "proof", claim: s.claim ?? (e.by && { by: e.by, claim: e.claim ?? "" }) };
    case "demo":
      return { ...s, phase: "demo", demo: e.demo, shows: e.by && { by: e.by, rule: e.rule ?? e.demo?.rule ?? "" } };
    case "demomove":
      return { ...s, demo: e.demo ?? s.demo };
    case "demoend":
      return { ...s, phase: "proof", demo: undefined, shows: undefined };
    case "dispute":
      return e.stops ? { ...s, phase: "dispute" } : s;
    case "ruling":
      return e.act === "stop" ? { ...s, phase: "dispute" } : e.act === "resume" ? playing(s) : s;
    case "queued":
      // the press of a reply that waits already comes without the move
      return { ...s, queued: { m: e.m ?? s.queued?.m ?? "", press: e.press ?? false } };
    case "unqueued":
      return { ...s, queued: undefined };
    case "offer":
      return { ...s, offer: e.by };
    case "decline":
      return { ...s, offer: "" };
    case "here":
      return e.by && !s.here.includes(e.by) ? { ...s, here: s.here + e.by } : s;
    case "away":
      return e.by ? { ...s, here: s.here.replace(e.by, "") } : s;
    case "end":
      return { ...playing(s), phase: "over", end: e.end, queued: undefined, offer: "" };
    default:
      return s;
  }
}

/** Nothing is being judged or shown. */
const playing = (s: GameState): GameState => ({ ...s, phase: "play", claim: undefined, demo: undefined, shows: undefined });

function press(s: GameState, e: GameEvent, frame: EventsFrame): GameState {
  if (!s.pending) return s;
  const before = parsePlacement(s.board);
  const ms = frame.clk[before.turn];
  return {
    ...s,
    board: writePlacement(displace(before, s.pending)),
    moves: [...s.moves, { m: s.pending, ms }],
    pending: undefined,
    seen: e.seen,
  };
}

/** The side whose completed turn it is: the one that owes a press. */
export const turnOf = (s: GameState): "w" | "b" => parsePlacement(s.board).turn;

/** The index of the next move that `side` can release. */
export function nextPly(s: GameState, side: "w" | "b"): number {
  return s.moves.length + (turnOf(s) === side ? 0 : 1);
}

/** The last move to be seen on the board, released or completed. */
export function lastMove(s: GameState): string | undefined {
  return s.pending ?? s.moves.at(-1)?.m;
}

/** Has `side` something on the board or queued that waits for a press? */
export function ownPending(s: GameState, side: "w" | "b"): string | undefined {
  if (turnOf(s) === side) return s.pending;
  return s.queued?.m;
}

/** May `side` put down a man now (the opponent's released move may be answered before his press)? */
export function mayRelease(s: GameState, side: "w" | "b"): boolean {
  if (s.phase !== "play") return false;
  if (turnOf(s) === side) return !s.pending;
  return Boolean(s.pending) && !s.queued;
}

/** Is there an opponent's completed move that `side` may claim as illegal? Legality plays no part (WBCA 12). */
export function mayClaimIllegal(s: GameState, side: "w" | "b"): boolean {
  if (s.phase !== "play") return false;
  if (turnOf(s) === side) return s.moves.length > 0;
  return s.late > 0 && s.moves.length > 1;
}

/** Who made the move of that index. */
export function moverOf(s: GameState, ply: number): "w" | "b" {
  const first = parsePlacement(s.start).turn;
  return ply % 2 === 0 ? first : other(first);
}
