import assert from "node:assert/strict";
import { test } from "node:test";
import type { Link, LinkStatus } from "../src/link";
import { TableModel } from "../src/table/model";
import type { Clocks, GameEvent, GameState, ServerFrame } from "../src/wire";

Object.assign(globalThis, {
  document: { visibilityState: "visible", addEventListener: () => undefined, removeEventListener: () => undefined },
});

type Sent = Record<string, unknown> & { t: string; id: string };

/** A link whose other end is the test. */
class Wire {
  status: LinkStatus = "open";
  seat: string | undefined;
  heldSince: number | undefined;
  sent: Sent[] = [];
  private ears: ((f: ServerFrame, at: number) => void)[] = [];
  listen(f: (frame: ServerFrame, at: number) => void) {
    this.ears.push(f);
    return () => undefined;
  }
  watch() {
    return () => undefined;
  }
  start() {}
  send(c: Sent) {
    if (this.status !== "open") return false;
    this.sent.push(c);
    return true;
  }
  say(frame: ServerFrame, at = 0) {
    for (const f of this.ears) f(frame, at);
  }
  lose() {
    this.status = "lost";
  }
  back() {
    this.status = "open";
    this.sent = [];
    this.say({ t: "hello", v: 1, you: { id: "1", name: "A" }, game: "g" });
  }
  only(t: string) {
    return this.sent.filter((c) => c.t === t);
  }
}

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
const clk: Clocks = { w: 180_000, b: 180_000, run: "w", flags: "" };

const snapshot = (over: Partial<GameState> = {}): GameState => ({
  t: "state", game: "g", n: 1, you: "w", white: { id: "1", name: "A" }, black: { id: "2", name: "B" }, rules: "wbca", mode: "board",
  base: 180_000, wbca: true, claims: ["illegal", "time", "both_flags", "draw_8f", "draw", "abandoned"], late: 0, risk: { take: 60_000 }, premove: false, phase: "play", start: START, board: START, moves: [], clk, here: "wb", ...over,
});

function sit(over: Partial<GameState> = {}): { table: TableModel; wire: Wire; ev: (n: number, e: GameEvent[], id?: string, c?: Partial<Clocks>) => void } {
  const wire = new Wire();
  const table = new TableModel(wire as unknown as Link, "g");
  table.open();
  wire.say(snapshot(over));
  const ev = (n: number, e: GameEvent[], id?: string, c: Partial<Clocks> = {}) => wire.say({ t: "ev", n, ...(id && { id }), at: 0, clk: { ...clk, ...c }, e });
  return { table, wire, ev };
}

const man = (table: TableModel, square: string) => {
  const m = table.shown.men.get(square);
  return m && m.color + m.kind;
};

test("a drop stands at once, is confirmed by its event, and a refusal takes it back", () => {
  const { table, wire, ev } = sit();
  table.drop("e2", "e4");
  assert.equal(man(table, "e4"), "wp");
  const sent = wire.only("move")[0]!;
  assert.deepEqual([sent.m, sent.ply, sent.press], ["e2e4", 0, false]);
  wire.say({ t: "err", id: sent.id, code: "touch_move", msg: "You have touched another man and must move it." });
  assert.equal(man(table, "e4"), undefined);
  assert.match(table.notice?.text ?? "", /must move/);
  table.drop("d2", "d4");
  const second = wire.only("move")[1]!;
  ev(2, [{ k: "move", by: "w", m: "d2d4", ply: 0 }], second.id);
  assert.equal(man(table, "d4"), "wp");
  assert.equal(table.canRelease, false);
  table.press();
  assert.equal(wire.only("press")[0]?.ply, 0);
  table.press(); // impatient
  assert.equal(wire.only("press").length, 1);
});

test("NET-01: an unanswered move and press go out once more with their ids after the network is back", () => {
  const { table, wire } = sit();
  table.drop("e2", "e4");
  table.press();
  const ids = wire.sent.filter((c) => c.t === "move" || c.t === "press").map((c) => c.id);
  wire.lose();
  wire.back();
  assert.deepEqual(wire.only("join").map((c) => c.since), [1]);
  assert.equal(wire.only("move").length, 0, "not before everything that was missed is here");
  wire.say({ t: "joined", game: "g", n: 1 });
  assert.deepEqual(wire.sent.filter((c) => c.t === "move" || c.t === "press").map((c) => c.id), ids);
});

test("NET-01: what was counted before the network went is not sent again", () => {
  const { table, wire, ev } = sit();
  table.drop("e2", "e4");
  const id = wire.only("move")[0]!.id;
  wire.lose();
  wire.back();
  ev(2, [{ k: "move", by: "w", m: "e2e4", ply: 0 }], id);
  wire.say({ t: "joined", game: "g", n: 2 });
  assert.equal(wire.only("move").length, 0);
  assert.equal(man(table, "e4"), "wp");
  assert.equal(table.canPress, true);
});

test("a snapshot after a restart settles what it shows, and the player is told", () => {
  const { table, wire } = sit();
  table.drop("e2", "e4");
  wire.lose();
  wire.back();
  wire.say(snapshot({ n: 9, pending: "e2e4" }));
  assert.match(table.notice?.text ?? "", /server was away/);
  assert.equal(wire.only("move").length, 0);
  assert.equal(man(table, "e4"), "wp");
});

test("claims are never sent again", () => {
  const { table, wire } = sit({ board: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w", moves: [{ m: "e2e4", ms: 1 }, { m: "e7e5", ms: 1 }] });
  table.claim("illegal");
  assert.equal(wire.only("claim").length, 1);
  wire.lose();
  wire.back();
  wire.say({ t: "joined", game: "g", n: 1 });
  assert.equal(wire.only("claim").length, 0);
});

test("a gap asks for one snapshot, not for many", () => {
  const { table, wire, ev } = sit();
  wire.sent = [];
  ev(4, [{ k: "offer", by: "b" }]);
  ev(5, [{ k: "decline", by: "w" }]);
  assert.deepEqual(wire.only("join").map((c) => c.since), [0]);
  wire.say(snapshot({ n: 5 }));
  ev(6, [{ k: "offer", by: "b" }]);
  assert.equal(table.state?.offer, "b");
});

test("NET-04: a stale move is refused and the board follows the server's", () => {
  const { table, wire, ev } = sit();
  table.drop("d2", "d4");
  const id = wire.only("move")[0]!.id;
  ev(2, [{ k: "move", by: "w", m: "e2e4", ply: 0 }]); // from the other tab
  assert.equal(man(table, "e4"), "wp");
  assert.equal(man(table, "d4"), undefined);
  wire.say({ t: "err", id, code: "stale_ply", msg: "" });
  assert.equal(man(table, "d2"), "wp");
});

test("UI-03: the picker closes when the game ends or the pawn is gone, and stays otherwise", () => {
  const board = "k6r/6P1/8/8/8/8/8/K7 b";
  const at = { board, start: board, pending: "h8h5" };
  const opened = () => {
    const s = sit(at);
    s.table.drop("g7", "g8"); // in reply to the released rook
    assert.ok(s.table.promotion);
    return s;
  };
  const stays = opened();
  stays.ev(2, [{ k: "press", by: "b" }]);
  assert.ok(stays.table.promotion, "the opponent has pressed: it still promotes");
  stays.table.press();
  assert.equal(stays.wire.only("move")[0]?.m, "g7g8q", "the clock without a piece takes a queen");
  const ended = opened();
  ended.ev(2, [{ k: "end", end: { result: "1-0", reason: "resignation", rule: "WBCA 7b", text: "" } }]);
  assert.equal(ended.table.promotion, undefined);
  const gone = opened();
  gone.ev(2, [{ k: "back", by: "b", m: "h8h5" }]);
  assert.equal(gone.table.promotion, undefined, "the move in reply to which it was made was taken back");
  const taken = sit({ board: "k5r1/6P1/8/8/8/8/8/K7 b", start: board, premove: true, base: 60_000, wbca: false });
  taken.table.choosePremove("g7", "g8");
  assert.ok(taken.table.promotion);
  taken.ev(2, [{ k: "move", by: "b", m: "g8g7", ply: 0 }]);
  assert.equal(taken.table.promotion, undefined, "the pawn was captured");
});

test("the illegal-move claim is open after every press of the opponent, whatever was played", () => {
  for (const m of ["e7e5", "e8e5"]) {
    const { table, ev } = sit({ board: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", moves: [{ m: "e2e4", ms: 1 }], clk: { ...clk, run: "b" } });
    assert.equal(table.canClaimIllegal, false);
    ev(2, [{ k: "move", by: "b", m, ply: 1 }]);
    assert.equal(table.canClaimIllegal, false, "not pressed");
    ev(3, [{ k: "press", by: "b" }]);
    assert.equal(table.canClaimIllegal, true);
    table.drop("d2", "d4");
    assert.equal(table.canClaimIllegal, true, "whether the reply ends it is the server's to say");
  }
});

test("the flag button claims what both flags show", () => {
  const claim = (flags: string) => sit({ clk: { ...clk, flags } }).table.flagClaim;
  assert.deepEqual(["", "b", "w", "wb", "bw"].map(claim), ["time", "time", "draw_8f", "both_flags", "both_flags"]);
  const us = sit({ claims: ["illegal", "time", "both_flags", "draw"], clk: { ...clk, flags: "w" } }).table;
  assert.equal(us.flagClaim, undefined, "these rules know no 8f: a claim with the own flag down could only be wrong");
});

test("a spectator can do nothing", () => {
  const { table, wire } = sit({ you: "" });
  wire.sent = [];
  table.drop("e2", "e4");
  table.press();
  table.claim("time");
  table.ask("resign");
  table.confirm();
  table.claimDraw();
  table.callArbiter();
  table.offerDraw();
  assert.deepEqual(wire.sent, []);
});

const later = (table: TableModel, ms: number) => {
  const now = performance.now.bind(performance);
  const at = now() + ms;
  performance.now = () => at;
  try {
    table.confirm();
  } finally {
    performance.now = now;
  }
};

test("a draw is claimed in two steps, and only on the position that was asked about", () => {
  const { table, wire, ev } = sit();
  table.claimDraw();
  assert.equal(table.question, "draw");
  table.claimDraw(); // the key bounced
  assert.deepEqual(wire.only("claim"), []);
  ev(2, [{ k: "move", by: "w", m: "e2e4" }]);
  assert.equal(table.question, "draw", "the position that will be judged is the one on the board");
  ev(3, [{ k: "press", by: "w" }], undefined, { run: "b" });
  assert.equal(table.question, undefined, "another position, another question");
  table.ask("draw");
  later(table, 1000);
  assert.deepEqual(wire.only("claim").map((c) => c.claim), ["draw"]);
});

test("while a claim is judged only resigning is possible", () => {
  const { table, wire, ev } = sit();
  ev(2, [{ k: "proof", by: "b", claim: "8e" }], undefined, { run: "" });
  wire.sent = [];
  table.drop("e2", "e4");
  table.claim("time");
  table.claimDraw();
  table.offerDraw();
  table.callArbiter();
  assert.deepEqual(wire.sent, []);
  table.ask("resign");
  later(table, 1000);
  assert.equal(wire.only("resign").length, 1);
});

test("a win is shown on the side board; a refused move goes back, and the game's board is as it was", () => {
  const { table, wire, ev } = sit();
  const board = "8/8/8/8/8/1K6/8/k6R w";
  const demo = { by: "w" as const, rule: "WBCA 8e", board, moves: [], w: 120_000, b: 60_000 };
  ev(2, [{ k: "proof", by: "b", claim: "draw" }], undefined, { run: "" });
  ev(3, [{ k: "demo", by: "w", rule: "WBCA 8e", demo }], undefined, { run: "" });
  assert.equal(table.demo, true);
  table.sideDrop("h1", "h7");
  table.sideDrop("b3", "c3"); // one at a time
  const sent = wire.only("demo");
  assert.deepEqual(sent.map((c) => c.m), ["h1h7"]);
  assert.equal(table.side.shown.men.get("h7")?.kind, "r");
  wire.say({ t: "err", id: sent[0]!.id, code: "demo_illegal", msg: "Only legal moves are played when a win is shown." });
  assert.equal(table.side.shown.men.get("h1")?.kind, "r");
  table.sideDrop("h1", "g1");
  ev(4, [{ k: "demomove", by: "w", m: "h1g1", demo: { ...demo, board: "8/8/8/8/8/1K6/8/k5R1 b", moves: ["h1g1"], w: 117_000 } }], wire.only("demo")[1]!.id, { run: "" });
  assert.equal(table.side.mayMove("w"), false);
  assert.equal(man(table, "h1"), "wr", "the game's own board stands still");
  assert.equal(man(table, "e2"), "wp");
  ev(5, [{ k: "demoend", shown: false }, { k: "denied", by: "b", claim: "draw", code: "penalty_60s", take: 60_000, rule: "WBCA 13b" }, { k: "resume" }]);
  assert.equal(table.demo, false);
  assert.equal(table.live, true);
  assert.match(table.notice?.text ?? "", /^Black's claim of a draw does not hold: a minute off Black's clock/);
  assert.equal(table.notice?.rule, "WBCA 13b");
});

test("a demonstration's move that was lost with the connection can be made again", () => {
  const demo = { by: "w" as const, rule: "WBCA 8e", board: "8/8/8/8/8/1K6/8/k6R w", moves: [], w: 120_000, b: 60_000 };
  const { table, wire } = sit({ phase: "demo", demo });
  table.sideDrop("h1", "h7");
  wire.lose();
  wire.back();
  wire.say({ t: "joined", game: "g", n: 1 });
  assert.deepEqual(wire.only("demo"), [], "its time runs: it is not sent by itself");
  assert.equal(table.side.mayMove("w"), true);
});

test("a demonstration is still there after a reload", () => {
  const demo = { by: "b" as const, rule: "WBCA 8g", board: "8/8/8/8/8/1K6/8/k6R w", moves: ["a2a1"], w: 50_000, b: 100_000 };
  const { table } = sit({ phase: "demo", demo, claim: { by: "w", claim: "8g" } });
  assert.equal(table.demo, true);
  assert.equal(table.side.mayMove("w"), true);
  assert.equal(table.side.left("b"), 100_000);
});

test("RED: while the server holds all games the clocks stand, and go on from there", () => {
  const { table, wire } = sit(); // White's clock runs since 0
  wire.say({ t: "hold", on: true, why: "journal" }, 2000);
  assert.ok(table.held);
  assert.deepEqual([table.left("w", 2000), table.left("w", 9000), table.left("b", 9000)], [178_000, 178_000, 180_000]);
  assert.equal(table.clk.run, "", "no clock is shown as running");
  assert.equal(table.canRelease, true, "a move is kept");
  table.drop("e2", "e4");
  assert.equal(wire.only("move").length, 1);
  wire.say({ t: "hold", on: true, why: "journal" }, 5000); // said once more
  assert.equal(table.left("w", 9000), 178_000);
  wire.say({ t: "hold", on: false }, 10_000);
  assert.ok(!table.held);
  assert.equal(table.clk.run, "w");
  assert.deepEqual([table.left("w", 10_000), table.left("w", 11_000)], [178_000, 177_000]);
});

test("RED: a frame that comes during a hold has the clocks of its moment; a lost socket ends it", () => {
  const { table, wire } = sit();
  wire.say({ t: "hold", on: true, why: "journal" }, 2000);
  wire.say({ t: "ev", n: 2, at: 0, clk: { ...clk, w: 178_500 }, e: [{ k: "offer", by: "b" }] }, 4000);
  assert.equal(table.left("w", 9000), 178_500);
  wire.say({ t: "hello", v: 1, you: { id: "1", name: "A" }, game: "g" }, 10_000);
  assert.ok(!table.held);
  assert.equal(table.left("w", 11_000), 177_500);
});

test("RED: a table that is opened during a hold stands, too", () => {
  const wire = new Wire();
  wire.heldSince = 1000;
  const table = new TableModel(wire as unknown as Link, "g");
  table.open();
  wire.say(snapshot(), 3000);
  assert.ok(table.held);
  assert.equal(table.left("w", 9000), 180_000);
});
