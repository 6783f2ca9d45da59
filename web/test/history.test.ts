import assert from "node:assert/strict";
import { test } from "node:test";
import {
  askedFilter, type Entry, gamesApi, gamesPage, lasts, moveCount, oneGameApi, outcomeFor, percent, type Point, ratingsApi, readFilter, reasonWords, series, signed, total, writeFilter,
} from "../src/history";
import { ratingRange, timeLabels } from "../src/people/chart";

test("a filter stands in the address and comes back from it; what is not known is left out", () => {
  const filter = { result: "1/2-1/2", opponent: "O.B Joyful", since: "2026-03-01" };
  const query = writeFilter(filter);
  assert.deepEqual(readFilter(query), filter);
  assert.deepEqual(readFilter(`${query}&after=xyz&limit=3&rules=`), filter);
  assert.equal(writeFilter({}), "");
  assert.equal(gamesPage("O.B Joyful", "?rules=fide"), "/people/O.B%20Joyful/games?rules=fide");
  assert.equal(gamesApi("Ann", { rules: "cca" }, "key+1"), "/api/people/Ann/games?rules=cca&after=key%2B1&limit=20");
  assert.equal(gamesApi(undefined, { result: "*" }), "/api/archive?result=*&limit=20");
});

test("days of a filter are the reader's own, the last one whole", () => {
  const asked = askedFilter({ since: "2024-02-28", until: "2024-02-28" });
  const [since, until] = [new Date(asked.since!), new Date(asked.until!)];
  assert.deepEqual([since.getDate(), since.getHours(), since.getMinutes()], [28, 0, 0]);
  assert.deepEqual([until.getMonth(), until.getDate(), until.getHours()], [1, 29, 0], "a leap year");
  assert.deepEqual(new Date(askedFilter({ until: "2026-12-31" }).until!).getFullYear(), 2027);
  assert.equal(askedFilter({ since: "yesterday" }).since, "yesterday", "for the server to refuse");
});

test("a game is found by the second in which it ended", () => {
  assert.equal(
    oneGameApi("Ann", "Bob", "2026-03-01T12:00:00.987654321Z"),
    "/api/people/Ann/games?opponent=Bob&since=2026-03-01T12%3A00%3A00.000Z&until=2026-03-01T12%3A00%3A01.000Z&limit=20",
  );
});

test("the graph begins with the rating before the first game", () => {
  const point = (at: string, rating: number, change: number): Point => ({ at, game: at, rating, change, deviation: 200 });
  const [times, ratings] = series([point("2026-03-01T12:30:00Z", 1600, -62), point("2026-03-01T12:00:00Z", 1662, 162)]);
  assert.deepEqual(ratings, [1500, 1662, 1600]);
  assert.deepEqual(times.map((t) => t - times[1]!), [-600, 0, 1800]);
  assert.deepEqual(series([]), [[], []]);
  assert.deepEqual(ratingRange(1500, 1500), [1450, 1550]);
  const [least, most] = ratingRange(1337, 1662);
  assert.ok(least <= 1317 && most >= 1682 && least % 10 === 0 && most % 10 === 0);
  assert.match(timeLabels([Date.UTC(2026, 2, 10, 12) / 1000], 86_400)[0]!, /^10 Mar$/);
  assert.match(timeLabels([Date.UTC(2026, 2, 10, 12) / 1000], 30 * 86_400)[0]!, /^Mar 2026$/);
});

test("few games are drawn each, many by day", () => {
  const rating = { kind: "wbca", rating: 1500, deviation: 60, provisional: false, games: 100 };
  assert.match(ratingsApi("Ann", rating), /each=game&limit=100$/);
  assert.match(ratingsApi("Ann", { ...rating, games: 101 }), /each=day$/);
});

test("results for one of the players", () => {
  const e = { result: "0-1", white: { id: "a", name: "Ann" }, black: { id: "b", name: "Bob" } } as Entry;
  assert.deepEqual([outcomeFor(e, "a"), outcomeFor(e, "b")], ["lost", "won"]);
  assert.equal(outcomeFor({ ...e, result: "1/2-1/2" }, "a"), "drawn");
  assert.equal(outcomeFor({ ...e, result: "*" }, "b"), "void");
  const sum = total([{ won: 3, drawn: 1, lost: 0 }, { won: 1, drawn: 0, lost: 3 }]);
  assert.deepEqual(sum, { won: 4, drawn: 1, lost: 3 });
  assert.deepEqual([percent(sum), percent({ won: 0, drawn: 0, lost: 0 })], ["56 %", "0 %"]);
});

test("names without a profile, and small words", () => {
  assert.deepEqual(["Guest 4F7K", "deleted", "Ann", "Augusta"].map(lasts), [false, false, true, true]);
  assert.deepEqual([signed(8), signed(-8), signed(0)], ["+8", "−8", "±0"]);
  assert.deepEqual([moveCount(0), moveCount(1), moveCount(3)], ["0 moves", "1 move", "2 moves"]);
  assert.deepEqual([reasonWords("fifty_moves"), reasonWords("time")], ["fifty moves", "flag claimed"]);
});
