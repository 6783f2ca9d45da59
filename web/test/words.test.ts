import assert from "node:assert/strict";
import { test } from "node:test";
import { blindCommand } from "../src/blind";
import { parsePlacement } from "../src/placement";
import { begin, boardOf, ILLEGAL_MOVE, step } from "../src/practice";
import { pairs, score } from "../src/table/score";
import type { GameState } from "../src/wire";
import { citations, countWords, ratedWords, termsWords } from "../src/terms";
import {
  backWords, delayWords, deniedWords, disputeWords, faultWords, holdWords, judgedWords, restoredWords, resultFor, riskWords, rulingWords, standingWords, times,
} from "../src/words";

const game: GameState = {
  t: "state", game: "g", n: 3, you: "b", white: { id: "1", name: "Ann" }, black: { id: "2", name: "Bob" }, rules: "wbca", mode: "board",
  base: 180_000, wbca: true, claims: ["illegal", "time", "both_flags", "draw_8f", "draw", "abandoned"], late: 0, risk: { take: 60_000 }, premove: false, phase: "play", start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
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
  assert.match(deniedWords({ k: "denied", by: "b", claim: "illegal", step: 2, add: 60_000 }, "w"), /does not hold\. A minute more for you\./);
  assert.match(deniedWords({ k: "denied", by: "b", claim: "time", step: 2, add: 60_000 }, undefined), /A minute more for White\./);
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

test("penalties and corrections in words, with the clocks", () => {
  const clk = { w: 239_000, b: 420_000, run: "w" as const, flags: "" };
  assert.equal(
    deniedWords({ k: "denied", by: "w", claim: "draw", code: "penalty_60s", take: 60_000 }, "w", clk),
    "Your claim of a draw does not hold: a minute off your clock (3:59 left).",
  );
  assert.equal(
    deniedWords({ k: "denied", by: "w", claim: "8e", code: "penalty_120s_to_opponent", add: 120_000 }, "b", clk),
    "White's claim of a draw does not hold. Two minutes more for you (7:00 left).",
  );
  const restored = { k: "restored", by: "w" as const, board: "4k3/8/8/8/8/8/8/R3K3 w", ply: 0, add: 120_000 };
  assert.equal(
    restoredWords(restored, "a1c2", "b", clk),
    "White's Ra1-c2 was illegal and is taken back; the man on a1 must move if it can. Two minutes more for you (7:00 left).",
  );
  assert.match(restoredWords({ ...restored, step: 1, add: 60_000 }, "a1c2", "w", clk), /^Your Ra1-c2 .* A second one loses\.$/);
  assert.match(faultWords({ k: "fault", by: "b", step: 1, add: 60_000 }, "w", true, clk), /^Black pressed without a move: .* A minute more for you \(3:59 left\)/);
  assert.match(faultWords({ k: "fault", by: "b", step: 1, add: 60_000 }, "b", false), /^You left a pawn on the last rank; it is a queen/);
  assert.match(delayWords({ k: "delay", by: "w", ms: 5000 }, "b", clk), /White has half the time \(3:59 left\), and both have a delay of 5 seconds/);
  assert.match(disputeWords({ k: "dispute", by: "w" }, "w"), /Nobody is on duty: it is written down/);
  assert.match(disputeWords({ k: "dispute", by: "w", stops: true }, "b"), /^White called the arbiter\. Both clocks stand/);
  assert.equal(rulingWords({ k: "ruling", who: "Ms Ruiz", why: "chat", act: "minute", by: "b", add: 60_000 }, "w", clk), "Ms Ruiz penalised Black: chat. A minute more for you (3:59 left).");
  const judged = { ...game, claim: { by: "w" as const, claim: "draw" } };
  assert.equal(judgedWords(judged, "b"), "White's claim of a draw is being judged; both clocks stand.");
  assert.equal(judgedWords({ ...game, claim: { by: "w", claim: "flag" } }, "b"), "Your flag is down. Both clocks stand while it is judged.");
  assert.deepEqual([{ take: 60_000 }, { add: 120_000 }, {}].map(riskWords), [
    "If it is wrong, it costs you a minute.", "If it is wrong, your opponent gets two minutes.", "A wrong claim costs nothing.",
  ]);
  assert.deepEqual([2, 3, 4, 11, 12, 21, 22].map(times), ["2nd time", "3rd time", "4th time", "11th time", "12th time", "21st time", "22nd time"]);
});

test("what holds the game up is also said to the ear", () => {
  const demo = { by: "w" as const, rule: "WBCA 8g", board: "8/4k3/8/8/3bP3/4K3/8/5B2 w", moves: ["e5d4"], w: 1, b: 1 };
  assert.equal(standingWords({ ...game, phase: "demo", demo }, "w"), "Side board: e5 to d4. You are on move there.");
  assert.match(standingWords({ ...game, phase: "demo", demo: { ...demo, moves: [] } }, "b"), /^White has to show here/);
  assert.match(standingWords({ ...game, phase: "demo", shows: { by: "w", rule: "WBCA 8g" } }, undefined), /on a side board/);
  assert.match(standingWords({ ...game, phase: "proof", claim: { by: "w", claim: "8e" } }, "b"), /being judged/);
  assert.equal(standingWords(game, "b"), "");
});

test("terms, and what WBCA rates", () => {
  assert.equal(termsWords({ base: 300_000, mode: "board", rules: "cca", timing: "delay", each: 5000 }), "5 minutes, delay 5 seconds, over the board, Continental rules");
  const rated = (base: number, t = {}) => ratedWords(base, t).rated;
  assert.deepEqual([179_999, 180_000, 420_000, 420_001].map((ms) => rated(ms)), [false, true, true, false]);
  assert.deepEqual([rated(300_000, { rules: "fide" }), rated(300_000, { timing: "increment", each: 1 })], [false, false]);
  assert.match(ratedWords(300_000, { rules: "uscf" }).why, /US Chess rules/);
});

test("whether a game counts, and for which rating", () => {
  assert.deepEqual([{ rules: "wbca", rated: true }, { rules: "fide", rated: true }, { rules: "wbca" }].map(countWords), ["WBCA-rated", "rated", "casual"]);
});

test("a citation links to its rules", () => {
  assert.deepEqual(citations("WBCA 8f+8h", "wbca"), [{ text: "WBCA 8f", href: "/rules/wbca#8f" }, { text: "8h", href: "/rules/wbca#8h" }]);
  assert.deepEqual(citations("US Chess 14E", "uscf"), [{ text: "US Chess 14E", href: "/rules/uscf#14E" }]);
  assert.deepEqual(citations("", "fide"), []);
});

test("a hold in plain words; only who plays has a move that is kept", () => {
  assert.equal(holdWords(true), "The clocks stand: the server cannot write down moves at the moment. Your move is kept and counts when it goes on.");
  assert.equal(holdWords(false), "The clocks stand: the server cannot write down moves at the moment.");
});
