import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, groups, mark, square, walk } from "../src/desk/cross";
import type { PlayedGame, Row, Score } from "../src/event/types";

let n = 0;
const game = (white: string, black: string, score: Score, over: Partial<PlayedGame> = {}): PlayedGame =>
  ({ id: String(n++), white, black, score, started: 0, ended: n, ...over });
const rows = ["A", "B", "C"].map((id, i) => ({ id, name: id, place: i + 1 }) as Row);

test("a crosstable has every result twice, a void game nowhere", () => {
  const games = [game("A", "B", "1-0"), game("B", "A", "1/2-1/2"), game("C", "A", "0-1", { forfeit: true }), game("B", "C", "*")];
  assert.deepEqual(square(rows, games), [["", "1½", "+"], ["0½", "", ""], ["-", "", ""]]);
  assert.deepEqual(walk(rows, games), [["2w1", "2b½", "3b+"], ["1b0", "1w½"], ["1w-"]]);
});

test("results come in the order in which the games ended", () => {
  const games = [game("A", "B", "1-0", { ended: 20 }), game("A", "B", "0-1", { ended: 10 })];
  assert.deepEqual(square(rows, games)[0], ["", "01", ""]);
  assert.deepEqual(counted(games).map((g) => g.ended), [10, 20]);
});

test("both lose a game that neither came to", () => {
  const g = game("A", "B", "0-0", { forfeit: true });
  assert.deepEqual([mark(g, true), mark(g, false)], ["-", "-"]);
});

test("groups stand one after the other", () => {
  const list = [{ id: "X", group: 2 }, { id: "Y", group: 1 }, { id: "Z", group: 2 }] as Row[];
  assert.deepEqual(groups(list).map((g) => [g.group, g.rows.map((r) => r.id)]), [[1, ["Y"]], [2, ["X", "Z"]]]);
  assert.equal(groups(rows).length, 1);
});
