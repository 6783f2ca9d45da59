// The one-minute exercise: a fixed script with no rules of chess in it.
import { displace, parsePlacement, type Placement, placementField, released } from "./placement";
import type { Clocks } from "./wire";

export type Stage =
  | "place" // put a man down
  | "press" // press the clock
  | "watch" // the opponent makes his illegal move
  | "claim" // claim it
  | "missed" // moved on instead: the illegal move stands
  | "claimed" // verdict, on to the flag
  | "wait" // the opponent's last seconds run
  | "flag" // his flag is down: claim
  | "done";

export interface Exercise {
  stage: Stage;
  board: Placement;
  last: string | undefined;
  clk: Clocks;
}

const MINUTE = 60_000;

/** Black's rook jumps over his own pawn. */
export const ILLEGAL_MOVE = "a8a5";

const FLAG_POSITION = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 b";

export const OPPONENT_SECONDS = 4;

export function begin(): Exercise {
  return {
    stage: "place", board: parsePlacement("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"), last: undefined,
    clk: { w: MINUTE, b: MINUTE, run: "w", flags: "" },
  };
}

export type Act =
  | { a: "drop"; m: string }
  | { a: "press" }
  | { a: "opponent" } // his illegal move comes
  | { a: "illegal" }
  | { a: "next" }
  | { a: "fall" } // his time is used up
  | { a: "flag" };

/** The next state of the exercise; an act that does not belong to the stage changes nothing. `left` is what White's clock shows. */
export function step(x: Exercise, act: Act, left: number): Exercise {
  const w = Math.max(left, 1000);
  switch (`${x.stage}/${act.a}`) {
    case "place/drop": {
      const m = (act as { m: string }).m;
      return { ...x, stage: "press", board: released(x.board, m), last: m, clk: { ...x.clk, w } };
    }
    case "press/press":
      return { ...x, stage: "watch", clk: { ...x.clk, w, run: "b" } };
    case "watch/opponent":
      return { ...x, stage: "claim", board: displace(x.board, ILLEGAL_MOVE), last: ILLEGAL_MOVE, clk: { ...x.clk, b: MINUTE - 2400, run: "w" } };
    case "claim/drop": {
      const m = (act as { m: string }).m;
      return { ...x, stage: "missed", board: released(x.board, m), last: m, clk: { ...x.clk, w, run: "" } };
    }
    case "missed/next":
      return begin();
    case "claim/illegal":
      return { ...x, stage: "claimed", clk: { ...x.clk, w, run: "" } };
    case "claimed/next":
      return { stage: "wait", board: parsePlacement(FLAG_POSITION), last: "d7d1", clk: { w: 21_400, b: OPPONENT_SECONDS * 1000, run: "b", flags: "" } };
    case "wait/fall":
      return { ...x, stage: "flag", clk: { ...x.clk, b: 0, flags: "b" } };
    case "flag/flag":
      return { ...x, stage: "done", clk: { ...x.clk, run: "" } };
    default:
      return x;
  }
}

/** For tests and for comparing: what stands on the board. */
export const boardOf = (x: Exercise): string => placementField(x.board);
