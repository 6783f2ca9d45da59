import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePlacement } from "../src/placement";
import { neutral, type Reading, readMove, spokenMove } from "../src/reader";
import type { Color } from "../src/wire";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
const short = (r: Reading) => (r.kind === "move" ? r.m : r.kind === "ambiguous" ? `${r.moves.join("/")}?` : "-");

test("typed moves are read by geometry, never by legality", () => {
  const table: [board: string, side: Color, text: string, want: string][] = [
    [START, "w", "e2e4", "e2e4"],
    [START, "w", " E2-E4 ", "e2e4"],
    [START, "w", "e4", "e2e4"],
    [START, "w", "Nf3", "g1f3"],
    [START, "w", "nf3", "g1f3"],
    [START, "b", "Nf6", "g8f6"],
    [START, "w", "e1e5", "e1e5"], // both squares: whatever it is
    [START, "w", "Ke1-e5", "e1e5"],
    [START, "w", "Qe1-e5", "-"], // the man there is a king
    [START, "w", "Ke5", "-"], // no king reaches e5
    [START, "w", "Ra5", "-"], // its own pawn is in between
    [START, "w", "e7e5", "-"], // not an own man
    [START, "w", "a1a2", "-"], // own man there
    [START, "w", "e5", "-"],
    [START, "w", "exd3", "e2d3"], // a pawn takes aside; that nothing stands there is the players' business
    [START, "w", "hello", "-"],
    ["4k3/8/8/8/8/8/8/R3K2R w", "w", "Rd1", "a1d1"], // the king is in the other rook's way
    ["4k3/8/8/8/8/8/4K3/R6R w", "w", "Rd1", "a1d1/h1d1?"],
    ["4k3/8/8/8/8/8/4K3/R6R w", "w", "Rad1", "a1d1"],
    ["R7/8/8/4k3/8/8/4K3/R7 w", "w", "R1a4", "a1a4"],
    ["4k3/8/8/8/1r6/2N5/8/4K1N1 w", "w", "Ne2", "g1e2/c3e2?"], // the pinned one reaches it, too
    ["4k3/8/8/8/8/8/8/4K2R w", "w", "O-O", "e1g1"],
    ["r3k3/8/8/8/8/8/8/4K3 b", "b", "0-0-0", "e8c8"],
    ["4k3/8/8/8/8/8/8/3K3R w", "w", "O-O", "-"],
    ["4k3/P7/8/8/8/8/8/4K3 w", "w", "a8", "a7a8q"],
    ["4k3/P7/8/8/8/8/8/4K3 w", "w", "a8=N", "a7a8n"],
    ["4k3/P7/8/8/8/8/8/4K3 w", "w", "a7a8r", "a7a8r"],
    ["4k3/8/8/3pP3/8/8/8/4K3 w", "w", "exd6", "e5d6"],
    ["4k3/8/8/8/8/1b6/2P5/4K3 w", "w", "cxb3+", "c2b3"],
    ["4k3/8/8/8/8/1b6/2P5/4K3 w", "w", "bxb3", "-"],
    ["4k3/8/8/8/8/4p3/4P3/4K3 w", "w", "e3", "-"], // blocked
    ["4k3/8/8/8/8/4p3/4P3/4K3 w", "w", "e4", "-"], // jumps over a man
  ];
  for (const [board, side, text, want] of table) assert.equal(short(readMove(text, parsePlacement(board), side)), want, `${text} on ${board}`);
});

test("neutral notation never tells check or legality", () => {
  const table: [board: string, move: string, want: string][] = [
    [START, "g1f3", "Ng1-f3"],
    [START, "e1e5", "Ke1-e5"],
    ["4k3/8/8/3pP3/8/8/8/4K3 w", "e5d5", "e5xd5"],
    ["4k3/P7/8/8/8/8/8/4K3 w", "a7a8", "a7-a8=Q"],
  ];
  for (const [board, move, want] of table) assert.equal(neutral(parsePlacement(board), move), want);
  assert.equal(spokenMove(parsePlacement(START), "g1f3"), "White knight g1 to f3");
});
