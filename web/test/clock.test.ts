import assert from "node:assert/strict";
import { test } from "node:test";
import { delayLeft, formatBase, formatClock, formatTime, remaining, spokenClock } from "../src/clock";

test("a clock face rounds up and shows tenths under ten seconds", () => {
  const table: [ms: number, flagged: boolean, want: string][] = [
    [300_000, false, "5:00"],
    [299_999, false, "5:00"],
    [299_000, false, "4:59"],
    [60_001, false, "1:01"],
    [60_000, false, "1:00"],
    [10_001, false, "0:11"],
    [10_000, false, "0:10"],
    [9_999, false, "0:10.0"],
    [9_900, false, "0:09.9"],
    [1_001, false, "0:01.1"],
    [40, false, "0:00.1"], // CLK-06: 40 ms are time left
    [1, false, "0:00.1"],
    [0, false, "0:00.1"], // the server has not said that the flag is down
    [-500, false, "0:00.1"],
    [0, true, "0:00.0"],
    [-20, true, "0:00.0"],
    [60_000, true, "1:00"], // time added by a penalty after the flag fell
    [3_600_000, false, "1:00:00"],
    [10_800_000, false, "3:00:00"],
    [3_661_000, false, "1:01:01"],
  ];
  for (const [ms, flagged, want] of table) assert.equal(formatClock(ms, flagged), want, `${ms} ${flagged}`);
});

test("only the running clock goes on between frames, and never by a clock that went back", () => {
  const clk = { w: 5000, b: 7000, run: "b", flags: "" } as const;
  assert.equal(remaining(clk, "w", 100, 1100), 5000);
  assert.equal(remaining(clk, "b", 100, 1100), 6000);
  assert.equal(remaining(clk, "b", 100, 50), 7000);
  assert.equal(remaining({ ...clk, run: "" }, "b", 100, 1100), 7000);
});

test("times in words", () => {
  assert.equal(formatBase(300_000), "5 minutes");
  assert.equal(formatBase(90_000), "1 minute 30 seconds");
  assert.equal(formatBase(1000), "1 second");
  assert.equal(spokenClock(61_200, false), "1 minute 2 seconds");
  assert.equal(spokenClock(0, true), "flag down");
  assert.equal(spokenClock(3, false), "1 second");
});

test("a delay runs off before the time does", () => {
  const clk = { w: 60_000, b: 50_000, run: "w" as const, flags: "", delay: 3000 };
  const at = (now: number) => [delayLeft(clk, "w", 100, 100 + now), remaining(clk, "w", 100, 100 + now)];
  assert.deepEqual([0, 1000, 3000, 4500].map(at), [[3000, 60_000], [2000, 60_000], [0, 60_000], [0, 58_500]]);
  assert.equal(delayLeft(clk, "b", 0, 0), 0, "only of the side whose clock runs");
});

test("time controls in words", () => {
  assert.equal(formatTime(300_000, {}), "5 minutes");
  assert.equal(formatTime(180_000, { timing: "increment", each: 2000 }), "3 minutes + 2 seconds a move");
  assert.equal(formatTime(300_000, { timing: "delay", each: 1500 }), "5 minutes, delay 1.5 seconds");
  assert.equal(formatTime(60_000, { timing: "bronstein", each: 3000 }), "1 minute, Bronstein 3 seconds");
});
