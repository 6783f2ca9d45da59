import assert from "node:assert/strict";
import { test } from "node:test";
import { draftOf, moment, ratable, reformed, settingsOf, wrongOf } from "../src/event/draft";
import { heard, lastOf } from "../src/event/talk";
import type { ChatLine, EventPage, Listed, Settings } from "../src/event/types";
import { becauseWords, countdown, lastingWords, linesWords, listedWords, ordinal, points, pointWords, quarters, standWords, stateWords } from "../src/event/words";

test("points are half points, Sonneborn-Berger quarters", () => {
  assert.deepEqual([0, 1, 2, 3, 9].map(points), ["0", "½", "1", "1½", "4½"]);
  assert.deepEqual([0, 1, 2, 3, 4, 47].map(quarters), ["0", "¼", "½", "¾", "1", "11¾"]);
  assert.deepEqual([1, 2, 3, 0].map(pointWords), ["½ point", "1 point", "1½ points", "0 points"]);
});

test("places as they are spoken", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]);
  assert.equal(standWords({ place: 3, points: 9 }), "3rd with 4½ points");
  assert.equal(standWords({ place: 0, points: 0 }), "0 points");
});

test("a countdown never goes below zero and says nothing of a second that is not over", () => {
  assert.deepEqual([245_000, 244_001, 1, 0, -5000, 3_845_000].map(countdown), ["4:05", "4:05", "0:01", "0:00", "0:00", "1:04:05"]);
});

test("why one waits: the seconds count down, and unknown reasons keep the server's words", () => {
  const at = 1_000_000;
  assert.equal(becauseWords({ code: "all_play", text: "", others: 3, next: at + 1000 }, at), "3 others are playing; next try in 1 s.");
  assert.equal(becauseWords({ code: "all_play", text: "", others: 1, next: at + 1000 }, at + 1000), "1 other is playing.");
  assert.equal(becauseWords({ code: "resting", text: "", next: at + 7500 }, at), "You rest for 8 s, or until you are ready.");
  assert.equal(becauseWords({ code: "odd_one", text: "", others: 4 }, at), "You are the odd one out this time; 4 others are playing.");
  assert.equal(becauseWords({ code: "something_new", text: "The lights are out" }, at), "The lights are out.");
});

test("the state of an event in words", () => {
  const at = new Date(2026, 10, 30, 19, 30).getTime();
  const e = { format: "arena" as const, held: false };
  assert.equal(stateWords({ ...e, phase: "open", starts: at + 300_000 }, at), "Entries are open. Starts in 5:00 (at 19:35).");
  assert.equal(stateWords({ ...e, phase: "open" }, at), "Entries are open. The organiser starts it.");
  assert.match(stateWords({ ...e, phase: "open", starts: at + 2 * 86_400_000 }, at), /^Entries are open\. Starts on Wed,? 2 Dec,? 19:30\.$/);
  assert.equal(stateWords({ ...e, phase: "running", bell: at + 60_000, held: true }, at), "The bell rings in 1:00 (at 19:31). The arbiter holds the pairing.");
  assert.equal(stateWords({ ...e, format: "round_robin", phase: "running", round: 3, rounds: 7 }, at), "Round 3 of 7.");
  assert.equal(stateWords({ ...e, format: "round_robin", phase: "running", round: 8, rounds: 7 }, at), "Play-off.");
  assert.equal(stateWords({ ...e, phase: "open", cancelled: "no heating" }, at), "Called off: no heating");
  const listed: Listed = { event: "x", name: "X", phase: "running", format: "arena", bell: at + 60_000, players: 2, terms: { rules: "wbca", base: 1, mode: "board" }, rated: false, access: "" };
  assert.equal(listedWords(listed, at), "Ends in 1:00 (at 19:31)");
  assert.equal(listedWords({ ...listed, phase: "open", called_off: true }, at), "Called off");
  assert.deepEqual([{ lines: 0, phase: "open" }, { lines: 3, phase: "open" }, { lines: 3, phase: "running" }, { lines: 3, phase: "published" }].map((p) => linesWords(p as Pick<EventPage, "lines" | "phase">)),
    ["", " and 3 more on the list", " and 3 more on the list", ""]);
});

// As the server's defaults of an arena are (server/arena, Defaults).
const DEFAULTS: Settings = {
  name: "", format: "arena", terms: { rules: "wbca", base: 300_000, mode: "board" }, scoring: "classic", bell: "play_on", duration: 3_600_000, last_pair: 10_000,
  rest: 10_000, round_rest: 10_000, repeat_wait: 15_000, color_wait: 15_000, guests: true, late: true,
  options: { ladder: true, presence: true, first_move: 20_000, both_flags_idle: 60_000, abandonment: true, delay_clock: true },
};

test("settings survive the form", () => {
  const made = settingsOf({ ...draftOf(DEFAULTS), name: " Tuesday blitz " }, DEFAULTS);
  assert.deepEqual({ ...made, zone: undefined }, {
    ...DEFAULTS, name: "Tuesday blitz", rated: false, two: false, start_at: 0, checkin_at: 0, access: "", approve: false, bots: false, min_rating: 0, max_rating: 0, most: 0,
    group_size: 0, auto_round: false, playoff: false, zone: undefined, options: { ...DEFAULTS.options, arbiter_calls_flags: false, arbiter_calls_illegal: false },
  });
  const again = settingsOf(draftOf(made), made);
  assert.deepEqual(again, made);
});

test("moments are those of the reader's own clock", () => {
  const at = new Date(2026, 11, 1, 19, 30).getTime();
  assert.equal(moment("2026-12-01T19:30"), at);
  assert.equal(draftOf({ ...DEFAULTS, start_at: at }).start, "2026-12-01T19:30");
  assert.equal(moment(""), 0);
});

test("WBCA-rated is offered for WBCA's own times alone: 3 to 7 minutes, no increment (WBCA 1)", () => {
  const d = draftOf(DEFAULTS);
  for (const [minutes, seconds, can] of [["3", "0", true], ["7", "0", true], ["2", "59", false], ["7", "1", false]] as const) {
    assert.equal(ratable({ ...d, minutes, seconds }).can, can, `${minutes}:${seconds}`);
  }
  assert.equal(ratable({ ...d, timing: "increment" }).can, false);
  assert.equal(settingsOf({ ...d, name: "x", rated: true, minutes: "10" }, DEFAULTS).rated, false);
  assert.deepEqual(["fide", "wbca"].map((rules) => ratable({ ...d, rules }).label), ["Rated", "WBCA-rated"]);
});

test("what cannot be is said at its field", () => {
  const d = { ...draftOf(DEFAULTS), name: "x" };
  assert.equal(wrongOf(d), undefined);
  const field = (change: object) => wrongOf({ ...d, ...change })?.field;
  assert.deepEqual(
    [{ name: "  " }, { minutes: "0" }, { duration: "" }, { lastPair: "3600" }, { checkin: "2026-12-01T19:00" }, { start: "2026-12-01T19:00", checkin: "2026-12-01T20:00" },
      { rest: "-1" }, { min: "2000", max: "1000" }, { most: "1" }, { groupSize: "2" }, { timing: "delay", each: "0" }].map(field),
    ["name", "minutes", "duration", "lastPair", "checkin", "checkin", "rest", "max", "most", "groupSize", "each"],
  );
});

test("another format brings its own defaults and keeps what was typed", () => {
  const robin: Settings = { ...DEFAULTS, format: "round_robin", options: { ...DEFAULTS.options, first_move: 50_000 } };
  const d = reformed({ ...draftOf(DEFAULTS), name: "x", minutes: "3", scoring: "arena" }, robin);
  assert.deepEqual([d.format, d.name, d.minutes, d.scoring, d.firstMove], ["round_robin", "x", "3", "classic", "50"]);
});

test("a chat grows by what is new, once each, and loses what was taken back", () => {
  const line = (n: number): ChatLine => ({ n, at: n, who: { id: "A", name: "Ann" }, text: `line ${n}` });
  let lines = heard([], { chat: [line(1), line(2)], muted: false });
  assert.equal(lastOf(lines), 2);
  lines = heard(lines, { chat: [line(2), line(3)], gone: [1], muted: false });
  assert.deepEqual(lines.map((l) => l.n), [2, 3]);
  lines = heard(lines, { chat: [], gone: [3, 1], muted: false });
  assert.deepEqual([lines.map((l) => l.n), lastOf(lines)], [[2], 2]);
  assert.equal(heard(lines, { chat: Array.from({ length: 300 }, (_, i) => line(i + 10)), muted: false }).length, 200);
});

test("how long an event lasts is no time of day", () => {
  assert.equal(lastingWords(12 * 60_000), "12 minutes");
  assert.equal(lastingWords(60 * 60_000), "1 hour");
  assert.equal(lastingWords(121 * 60_000), "2 hours 1 minute");
});
