import assert from "node:assert/strict";
import { test } from "node:test";
import { blindCommand } from "../src/blind";
import { parsePlacement } from "../src/placement";
import { begin, boardOf, ILLEGAL_MOVE, step } from "../src/practice";
import { pairs, score } from "../src/table/score";
import type { GameState } from "../src/wire";
import { backWords, deniedWords, resultFor } from "../src/words";

const game: GameState = {
  t: "state", game: "g", n: 3, you: "b", white: { id: "1", name: "Ann" }, black: { id: "2", name: "Bob" }, rules: "wbca", mode: "board",
  base: 180_000, wbca: true, premove: false, phase: "play", start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
  board: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", moves: [{ m: "e2e4", ms: 170_500 }], clk: { w: 170_500, b: 62_000, run: "b", flags: "" }, here: "b",
};

test("the commands of blind play", () => {
  const shown = parsePlacement(game.board);
  const ask = (text: string) => {
    const said = blindCommand(text, game, shown, 0, 1000);
    return said?.kind === "say" ? said.text : said?.what;
  };
  assert.equal(ask("c"), "Black 1 minute 1 second, White 2 minutes 51 seconds. Black's clock runs.");
  assert.equal(ask("l"), "White pawn e2 to e4.");
  assert.equal(ask("o"), "Ann plays White and is away.");
  assert.equal(ask("p N"), "White knights: b1, g1. Black knights: b8, g8.");
  assert.equal(ask("p q"), "White queens: d1. Black queens: d8.");
  assert.equal(ask("s e"), "File e: e1 white king, e4 white pawn, e7 black pawn, e8 black king.");
  assert.equal(ask("s 5"), "Rank 5: empty.");
  assert.equal(ask("claim illegal"), "illegal");
  assert.equal(ask("Claim Flag"), "flag");
  assert.equal(ask("e7e5"), undefined);
  assert.equal(ask("c5"), undefined, "a move, not the clocks");
});

test("the score is neutral while the game runs and tells afterwards", () => {
  const s = { ...game, moves: [{ m: "e2e4", ms: 1 }, { m: "e8e5", ms: 2 }], board: "rnbq1bnr/pppppppp/8/4k3/4P3/8/PPPP1PPP/RNBQKBNR w", pending: "d1h5" };
  assert.deepEqual(score(s).map((l) => [l.text, l.illegal]), [["e2-e4", false], ["Ke8-e5", false], ["Qd1-h5", false]]);
  const log = [
    { at: 1, k: "move", by: "w" as const, m: "e2e4", ply: 0, san: "e4", legal: true },
    { at: 2, k: "move", by: "b" as const, m: "a8a5", ply: 1, legal: false }, // taken back
    { at: 3, k: "move", by: "b" as const, m: "e8e5", ply: 1, legal: false },
    { at: 4, k: "move", by: "w" as const, m: "d1h5", ply: 2, san: "Qh5+", legal: true },
  ];
  assert.deepEqual(score(s, log).map((l) => [l.text, l.illegal]), [["e4", false], ["Ke8-e5", true], ["Qh5+", false]]);
  assert.deepEqual(pairs(score(s)), [{ number: 1, white: 0, black: 1 }, { number: 2, white: 2, black: undefined }]);
});

test("denied claims and results in words", () => {
  assert.match(deniedWords({ k: "denied", by: "w", claim: "illegal", step: 1 }, "w"), /^Your claim of an illegal move was wrong\./);
  assert.match(deniedWords({ k: "denied", by: "b", claim: "illegal", step: 2, add: 60_000 }, "w"), /60 seconds more for you/);
  assert.match(deniedWords({ k: "denied", by: "b", claim: "time", step: 2, add: 60_000 }, undefined), /60 seconds more for White/);
  assert.match(deniedWords({ k: "denied", by: "w", claim: "time", step: 1 }, "w"), /Three of these are free/);
  assert.match(backWords({ k: "back", by: "w", m: "e1e5" }, "w", false), /same man must move/);
  assert.match(backWords({ k: "back", by: "w", m: "e1e5" }, "b", false), /^White took a move back/);
  assert.match(backWords({ k: "back", by: "w", m: "e1e5" }, "b", true), /your reply went with it/);
  const end = { result: "0-1", reason: "time", rule: "WBCA 7c", text: "" };
  assert.deepEqual(["w", "b", undefined].map((me) => resultFor(end, me as "w" | "b" | undefined)), ["You lose", "You win", "Black wins"]);
  assert.equal(resultFor({ ...end, result: "1/2-1/2" }, "w"), "Draw");
});

test("the practice goes its way and nothing out of turn moves it", () => {
  let x = begin();
  assert.equal(step(x, { a: "press" }, 1), x, "no press without a move");
  assert.equal(step(x, { a: "illegal" }, 1), x);
  x = step(x, { a: "drop", m: "g1f3" }, 58_000);
  assert.equal(x.stage, "press");
  assert.equal(x.clk.run, "w", "the clock runs until it is pressed");
  x = step(x, { a: "press" }, 57_000);
  assert.deepEqual([x.clk.run, x.clk.w], ["b", 57_000]);
  x = step(x, { a: "opponent" }, 57_000);
  assert.equal(x.last, ILLEGAL_MOVE);
  assert.equal(boardOf(x), "1nbqkbnr/pppppppp/8/r7/8/5N2/PPPPPPPP/RNBQKB1R");
  assert.equal(step(x, { a: "drop", m: "e2e4" }, 50_000).stage, "missed", "moving on lets it stand");
  x = step(step(x, { a: "illegal" }, 50_000), { a: "next" }, 50_000);
  assert.equal(step(x, { a: "flag" }, 1), x, "the flag is still up");
  x = step(x, { a: "fall" }, 20_000);
  assert.equal(x.clk.flags, "b");
  assert.equal(step(x, { a: "flag" }, 20_000).stage, "done");
});
