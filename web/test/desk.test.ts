import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../src/api";
import { DeskModel, inOrder } from "../src/desk/model";
import { actWords, byNeed, changedRows, clockField, gameTime, oddity, possible, readClock } from "../src/desk/words";
import type { Desk, DeskGame, Do, Row, Waiting } from "../src/event/types";
import type { Link } from "../src/link";
import type { Command, ServerFrame } from "../src/wire";

const ann = { id: "A", name: "Ann" };
const bob = { id: "B", name: "Bob" };
const cleo = { id: "C", name: "Cleo" };

const waiting = (id: string, over: Partial<Waiting> = {}): Waiting => ({ id, kind: "dispute", game: `g${id}`, white: ann, black: bob, by: "w", at: 1000, stops: true, ...over });

function fill(queue: Waiting[], now = 1_000_000): Desk {
  const page = { event: "club", now, you: { role: { organiser: false, arbiter: true } } };
  return { page, duty: [], frozen: false, games: [], queue, acts: [], reports: [] } as unknown as Desk;
}

/** A desk whose server and clock are the test. */
function sit(you = "Z") {
  const sent: Command[] = [];
  const said: Do[] = [];
  const sounds: number[] = [];
  const timers: { at: number; f: () => void }[] = [];
  const questions: { yes: (d: Desk) => void; no: (e: unknown) => void }[] = [];
  let now = 0;
  let hear: (f: ServerFrame) => void = () => undefined;
  const link = {
    status: "open", you: { id: you, name: "Zoe" }, start: () => undefined, send: (c: Command) => sent.push(c) > 0,
    listen: (f: (frame: ServerFrame) => void) => { hear = f; return () => undefined; }, watch: () => () => undefined,
  };
  const model = new DeskModel(link as unknown as Link, "club", {
    desk: () => new Promise((yes, no) => questions.push({ yes, no })),
    act: async (_, what) => { said.push(what); },
    sound: () => sounds.push(now),
    now: () => now,
    after: (ms, f) => {
      const one = { at: now + ms, f };
      timers.push(one);
      return () => { timers.splice(timers.indexOf(one), 1); };
    },
  });
  const settle = () => new Promise((done) => setImmediate(done));
  return {
    sent, said, sounds, questions, model,
    hear: (f: object) => hear(f as ServerFrame),
    answer: async (d: Desk) => { questions.shift()!.yes(d); await settle(); },
    refuse: async (e: unknown) => { questions.shift()!.no(e); await settle(); },
    pass: (ms: number) => {
      now += ms;
      for (const one of timers.filter((t) => t.at <= now)) {
        timers.splice(timers.indexOf(one), 1);
        one.f();
      }
    },
  };
}

test("the desk attends, asks, and asks again when it is called", async () => {
  const d = sit();
  const leave = d.model.open();
  assert.deepEqual({ ...d.sent[0], id: "" }, { t: "attend", id: "", event: "club", visible: false, desk: true });
  assert.equal(d.questions.length, 1);
  d.hear({ t: "desk", event: "club", n: 1 });
  d.hear({ t: "desk", event: "another", n: 1 });
  assert.equal(d.questions.length, 1, "one question at a time");
  await d.answer(fill([]));
  assert.equal(d.questions.length, 0, "not at once again");
  d.pass(250);
  assert.equal(d.questions.length, 1, "what happened meanwhile is asked for");
  await d.answer(fill([]));
  d.pass(4999);
  assert.equal(d.questions.length, 0);
  d.pass(1);
  assert.equal(d.questions.length, 1, "and without a call after five seconds");
  await d.answer(fill([]));
  d.hear({ t: "hello", v: 1, you: { id: "Z", name: "Zoe" } });
  assert.equal(d.sent.filter((c) => c.t === "attend").length, 2, "a new connection attends again");
  leave();
  assert.equal(d.sent.at(-1)?.t, "depart");
});

test("while games are played the desk asks each second", async () => {
  const d = sit();
  d.model.open();
  await d.answer({ ...fill([]), games: [game("a")] });
  d.pass(999);
  assert.equal(d.questions.length, 0);
  d.pass(1);
  await d.refuse(new Problem(0, "", "away"));
  d.pass(1000);
  assert.equal(d.questions.length, 0, "a server in trouble is asked seldom");
  d.pass(4000);
  assert.equal(d.questions.length, 1);
});

test("a server that cannot be reached is asked again, and what was known stays", async () => {
  const d = sit();
  d.model.open();
  await d.answer(fill([]));
  d.pass(5000);
  await d.refuse(new Problem(403, "forbidden", "Not your event."));
  assert.equal(d.model.problem?.code, "forbidden");
  assert.ok(d.model.desk);
  d.pass(5000);
  await d.answer(fill([]));
  assert.equal(d.model.problem, undefined);
});

test("what is new in the queue rings, what stands rings again, one's own game does not", async () => {
  const d = sit("C");
  d.model.open();
  await d.answer(fill([]));
  assert.equal(d.sounds.length, 0);
  d.pass(5000);
  await d.answer(fill([waiting("1")]));
  assert.equal(d.sounds.length, 1);
  d.pass(5000);
  await d.answer(fill([waiting("1")]));
  assert.equal(d.sounds.length, 1);
  d.pass(5000);
  await d.answer(fill([waiting("1")]));
  assert.equal(d.sounds.length, 2, "after ten seconds again");
  d.pass(5000);
  await d.answer(fill([waiting("2", { stops: false })]));
  assert.equal(d.sounds.length, 3);
  d.pass(60_000);
  await d.answer(fill([waiting("2", { stops: false })]));
  assert.equal(d.sounds.length, 3, "no clock stands for it");
  d.pass(5000);
  await d.answer(fill([waiting("3", { black: cleo })]));
  assert.equal(d.sounds.length, 3, "somebody else rules on it");
  assert.equal(d.model.own(waiting("3", { black: cleo })), true);
});

test("an act is sent as it is, and the desk looks what came of it", async () => {
  const d = sit();
  d.model.open();
  await d.answer(fill([]));
  d.pass(1000);
  await d.model.act({ do: "rule", game: "g", act: "minute", side: "w", why: "noise" });
  assert.deepEqual(d.said, [{ do: "rule", game: "g", act: "minute", side: "w", why: "noise" }]);
  assert.equal(d.questions.length, 1);
});

test("the server's time of day goes on between two answers", async () => {
  const d = sit();
  d.model.open();
  await d.answer(fill([], 5_000_000));
  d.pass(1234);
  assert.equal(d.model.civil(), 5_001_234);
});

test("clocks that stand come first in the queue, reports last", () => {
  const list = [
    waiting("report", { kind: "report", stops: false, at: 1 }), waiting("late", { until: 90_000 }), waiting("soon", { until: 30_000 }),
    waiting("noted", { stops: false, at: 2 }),
  ];
  assert.deepEqual(inOrder(list).map((w) => w.id), ["soon", "late", "noted", "report"]);
});

const game = (id: string, over: Partial<DeskGame> = {}): DeskGame =>
  ({ game: id, white: ann, black: bob, phase: "play", clk: { w: 1, b: 1, run: "w", flags: "" }, claims: 0, started: 0, ...over });

test("disputes come first among the games, then what is judged, then flags", () => {
  const flag = { w: 0, b: 1, run: "w", flags: "w" } as const;
  const games = [game("b", { started: 2 }), game("a", { started: 1 }), game("flag", { clk: flag }), game("demo", { phase: "demo" }), game("dispute", { phase: "dispute" })];
  assert.deepEqual(byNeed(games).map((g) => g.game), ["dispute", "demo", "flag", "a", "b"]);
});

test("what is out of the ordinary at a board is said", () => {
  assert.equal(oddity(game("a")), undefined);
  assert.equal(oddity(game("a", { phase: "dispute", dispute: "b" })), "Dispute (Black)");
  assert.equal(oddity(game("a", { phase: "dispute" })), "Clocks stopped");
  assert.equal(oddity(game("a", { dispute: "w" })), "Dispute noted (White)");
  assert.equal(oddity(game("a", { clk: { w: 0, b: 9, run: "w", flags: "w" } })), "White's flag is down");
  assert.equal(oddity(game("a", { clk: { w: 0, b: 0, run: "w", flags: "wb" } })), "Both flags down");
  assert.equal(oddity(game("a", { phase: "" })), "The table does not answer");
});

test("an act is offered where the game can take it", () => {
  const acts = (g: Parameters<typeof possible>[0]) => possible(g).map((r) => r.act);
  assert.ok(acts({ phase: "play", rules: "wbca" }).includes("stop"));
  assert.ok(!acts({ phase: "play", rules: "wbca" }).includes("resume"));
  assert.ok(!acts({ phase: "dispute", rules: "wbca" }).includes("stop"));
  assert.ok(acts({ phase: "dispute", dispute: "w", rules: "wbca" }).includes("unjust"));
  assert.ok(!acts({ phase: "play", rules: "wbca" }).includes("unjust"));
  assert.ok(acts({ phase: "play", rules: "cca" }).includes("delay"));
  assert.ok(!acts({ phase: "play", rules: "wbca" }).includes("delay"));
});

test("clocks in words", () => {
  assert.equal(gameTime(247_399), "4:07.3");
  assert.equal(clockField(240_000), "4:00");
});

test("clocks as people type them", () => {
  const read: [string, number | undefined][] = [
    ["4:30", 270_000], ["270", 270_000], ["0:04.5", 4500], ["0:04,5", 4500], ["1:00:00", 3_600_000], [" 3:00 ", 180_000], ["0", 0],
    ["4:75", undefined], ["four", undefined], ["", undefined], ["-3", undefined], ["4:", undefined],
  ];
  for (const [text, ms] of read) assert.equal(readClock(text), ms, text);
});

test("a corrected table shows whose place or points change", () => {
  const row = (id: string, place: number, halves: number) => ({ id, place, points: halves, games: 3 }) as Row;
  const changed = changedRows([row("A", 1, 6), row("B", 2, 4), row("C", 3, 1)], [row("B", 1, 6), row("A", 2, 4), row("C", 3, 1)]);
  assert.deepEqual(changed.map(({ row: r, was }) => [r.id, was?.place, r.place]), [["B", 2, 1], ["A", 1, 2]]);
});

test("an act says whom it concerns", () => {
  assert.equal(actWords({ do: "remove", who: "Bob", text: "not a member" }), "took out Bob: not a member");
  assert.equal(actWords({ do: "hush", who: "Bob", text: "May not chat" }), "Bob: May not chat");
  assert.equal(actWords({ do: "bell", text: "The hall closes early" }), "moved the bell: The hall closes early");
  assert.equal(actWords({ do: "add", who: "Bob", text: "" }), "entered Bob");
  assert.equal(actWords({ do: "advance", text: "The event was started" }), "The event was started");
});
