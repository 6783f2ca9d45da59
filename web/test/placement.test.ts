import assert from "node:assert/strict";
import { test } from "node:test";
import { destinations, displace, isPromotion, parsePlacement, released, writePlacement } from "../src/placement";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";

test("placement reads and writes", () => {
  for (const p of [START, "8/8/8/8/8/8/8/K6k b", "r3k2r/8/8/3pP3/8/8/8/R3K2R w"]) assert.equal(writePlacement(parsePlacement(p)), p);
});

test("what a displacement leaves on the board (WBCA 14, ruling D26)", () => {
  const table: [what: string, before: string, move: string, after: string][] = [
    ["a step", START, "e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"],
    ["an illegal jump", START, "a1a5", "rnbqkbnr/pppppppp/8/R7/8/8/PPPPPPPP/1NBQKBNR b"],
    ["own man captured", START, "a1a2", "rnbqkbnr/pppppppp/8/8/8/8/RPPPPPPP/1NBQKBNR b"],
    ["an enemy man moved", START, "e7e5", "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR b"],
    ["castling short", "4k3/8/8/8/8/8/8/4K2R w", "e1g1", "4k3/8/8/8/8/8/8/5RK1 b"],
    ["castling long, Black", "r3k3/8/8/8/8/8/8/4K3 b", "e8c8", "2kr4/8/8/8/8/8/8/4K3 w"],
    ["no castling with a man between", "rn2k3/8/8/8/8/8/8/4K3 b", "e8c8", "rnk5/8/8/8/8/8/8/4K3 w"],
    ["no castling without a rook", "4k3/8/8/8/8/8/8/4K2N w", "e1g1", "4k3/8/8/8/8/8/8/6KN b"],
    ["no castling from another square", "4k3/8/8/8/8/8/8/3K3R w", "d1g1", "4k3/8/8/8/8/8/8/6KR b"],
    ["en passant", "4k3/8/8/3pP3/8/8/8/4K3 w", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b"],
    ["en passant, Black", "4k3/8/8/8/3pP3/8/8/4K3 b", "d4e3", "4k3/8/8/8/8/4p3/8/4K3 w"],
    ["a pawn aside on another rank takes nothing", "4k3/8/3pP3/8/8/8/8/4K3 w", "e6d7", "4k3/3P4/3p4/8/8/8/8/4K3 b"],
    ["promotion without a piece is a queen", "4k3/P7/8/8/8/8/8/4K3 w", "a7a8", "Q3k3/8/8/8/8/8/8/4K3 b"],
    ["underpromotion", "4k3/8/8/8/8/8/p7/4K3 b", "a2a1n", "4k3/8/8/8/8/8/8/n3K3 w"],
    ["an ordinary man is never promoted", "4k3/R7/8/8/8/8/8/4K3 w", "a7a8q", "R3k3/8/8/8/8/8/8/4K3 b"],
    ["a king is never taken: the man goes back", "4k3/8/8/8/8/8/4R3/4K3 w", "e2e8", "4k3/8/8/8/8/8/4R3/4K3 b"],
    ["nothing on the square", START, "e4e5", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b"],
  ];
  for (const [what, before, move, after] of table) assert.equal(writePlacement(displace(parsePlacement(before), move)), after, what);
});

test("a man released on a king stands there until the press", () => {
  assert.equal(writePlacement(released(parsePlacement("4k3/8/8/8/8/8/4R3/4K3 w"), "e2e8")), "4R3/8/8/8/8/8/8/4K3 b");
});

test("destinations are all squares without an own man, legal or not", () => {
  const dests = destinations(parsePlacement(START), "w");
  assert.equal(dests.size, 16);
  for (const to of dests.values()) assert.equal(to.length, 48);
  assert.ok(dests.get("a1")?.includes("e8"));
  assert.ok(!dests.get("d1")?.includes("e2"));
});

test("only an own pawn on the last rank asks for a piece", () => {
  const p = parsePlacement("4k3/P7/8/8/8/8/p7/4K3 w");
  assert.equal(isPromotion(p, "w", "a7", "a8"), true);
  assert.equal(isPromotion(p, "w", "a7", "h8"), true); // an illegal one, too
  assert.equal(isPromotion(p, "w", "a7", "a6"), false);
  assert.equal(isPromotion(p, "w", "a2", "a1"), false); // the other's pawn
  assert.equal(isPromotion(p, "w", "e1", "e8"), false);
});
