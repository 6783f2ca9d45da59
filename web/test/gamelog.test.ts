import assert from "node:assert/strict";
import { test } from "node:test";
import { lastMove, mayClaimIllegal, mayRelease, nextPly, ownPending, receive } from "../src/gamelog";
import type { Clocks, EventsFrame, GameEvent, GameState } from "../src/wire";

const clk: Clocks = { w: 180_000, b: 180_000, run: "w", flags: "" };

export const fresh = (over: Partial<GameState> = {}): GameState => ({
  t: "state", game: "g", n: 0, you: "w", white: { id: "1", name: "A" }, black: { id: "2", name: "B" }, rules: "wbca", mode: "board",
  base: 180_000, wbca: true, claims: ["illegal", "time", "both_flags", "draw_8f", "draw", "abandoned"], late: 0, risk: { take: 60_000 }, premove: false, phase: "play", start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
  board: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", moves: [], clk, here: "wb", ...over,
});

const frame = (n: number, e: GameEvent[], c: Partial<Clocks> = {}): EventsFrame => ({ t: "ev", n, at: n * 1000, clk: { ...clk, ...c }, e });

function play(s: GameState, ...frames: EventsFrame[]): GameState {
  for (const f of frames) {
    const step = receive(s, f);
    assert.equal(step.kind, "applied");
    if (step.kind === "applied") s = step.state;
  }
  return s;
}

test("frames come exactly once and in order; a gap asks for a snapshot (NET-01)", () => {
  const s = fresh({ n: 31 });
  assert.equal(receive(s, frame(31, [{ k: "press", by: "w" }])).kind, "seen");
  assert.equal(receive(s, frame(33, [{ k: "press", by: "w" }])).kind, "gap");
  assert.equal(receive(undefined, frame(1, [])).kind, "gap");
  const step = receive(s, frame(32, [{ k: "move", by: "w", m: "e2e4", ply: 0 }]));
  assert.equal(step.kind === "applied" && step.state.n, 32);
  assert.equal(s.n, 31, "the state given stays as it was");
});

test("release, press, reply", () => {
  let s = play(fresh(), frame(1, [{ k: "move", by: "w", m: "e2e4", ply: 0 }]));
  assert.equal(s.pending, "e2e4");
  assert.equal(s.moves.length, 0);
  assert.equal(lastMove(s), "e2e4");
  assert.equal(mayRelease(s, "w"), false);
  assert.equal(mayRelease(s, "b"), true, "the reply may come before the press");
  assert.equal(mayClaimIllegal(s, "b"), false, "nothing was completed yet");
  assert.equal(nextPly(s, "b"), 1);
  s = play(s, frame(2, [{ k: "press", by: "w" }], { w: 177_000, run: "b" }));
  assert.equal(s.board, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b");
  assert.deepEqual(s.moves, [{ m: "e2e4", ms: 177_000 }]);
  assert.equal(mayClaimIllegal(s, "b"), true, "after every press of the opponent");
  assert.equal(mayClaimIllegal(s, "w"), false);
  assert.equal(nextPly(s, "b"), 1);
  assert.equal(nextPly(s, "w"), 2);
});

test("a reply in advance waits, is executed at the press, or goes with a move taken back", () => {
  const moved = play(fresh({ you: "b" }), frame(1, [{ k: "move", by: "w", m: "e1e5", ply: 0 }]), frame(2, [{ k: "queued", by: "b", m: "e7e6", press: false }]));
  assert.equal(ownPending(moved, "b"), "e7e6");
  assert.equal(mayRelease(moved, "b"), false, "a queue of one");
  const back = play(moved, frame(3, [{ k: "unqueued" }, { k: "back", by: "w", m: "e1e5" }]));
  assert.equal(back.pending, undefined);
  assert.equal(back.queued, undefined);
  const done = play(moved, frame(3, [{ k: "press", by: "w" }, { k: "move", by: "b", m: "e7e6", ply: 1 }], { run: "b" }));
  assert.equal(done.queued, undefined);
  assert.equal(done.pending, "e7e6");
  assert.equal(done.moves.length, 1);
});

test("offers, presence, pauses and the end", () => {
  let s = play(fresh(), frame(1, [{ k: "offer", by: "b" }]), frame(2, [{ k: "away", by: "b" }]));
  assert.equal(s.offer, "b");
  assert.equal(s.here, "w");
  s = play(s, frame(3, [{ k: "decline", by: "w" }]), frame(4, [{ k: "here", by: "b" }, { k: "here", by: "b" }]), frame(5, [{ k: "pause", why: "outage", ms: 3 }]));
  assert.equal(s.offer, "");
  assert.equal(s.here, "wb");
  assert.equal(mayRelease(s, "w"), false);
  s = play(s, frame(6, [{ k: "resume" }]), frame(7, [{ k: "move", by: "w", m: "f3f7", ply: 0 }, { k: "end", end: { result: "1-0", reason: "checkmate", rule: "WBCA 7a", text: "" } }]));
  assert.equal(s.phase, "over");
  assert.equal(lastMove(s), "f3f7", "a mate needs no press");
  assert.equal(mayRelease(s, "w"), false);
});

test("events this client does not know are counted and change nothing else", () => {
  const s = play(fresh(), frame(1, [{ k: "something_new" }]));
  assert.deepEqual(s, { ...fresh(), n: 1 });
});

test("a restored position takes the moves after it back", () => {
  const moves = [{ m: "e2e4", ms: 1 }, { m: "e8e5", ms: 2 }, { m: "g1f3", ms: 3 }];
  const s = fresh({ moves, n: 7, pending: "a7a6", seen: 2, late: 2 });
  const board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b";
  const step = receive(s, { t: "ev", n: 8, at: 1, clk: { ...clk, run: "b" }, e: [{ k: "restored", by: "b", board, ply: 1, add: 120_000 }] });
  assert.ok(step.kind === "applied");
  assert.deepEqual([step.state.board, step.state.moves.length, step.state.pending, step.state.seen], [board, 1, undefined, undefined]);
  const first = receive(s, { t: "ev", n: 8, at: 1, clk, e: [{ k: "restored", by: "w", board: s.start, add: 120_000 }] });
  assert.ok(first.kind === "applied" && first.state.moves.length === 0, "a missing ply is the first move");
});

test("a claim is judged, a win is shown, and the game goes on", () => {
  let s = fresh();
  const take = (...e: GameEvent[]) => {
    const step = receive(s, { t: "ev", n: s.n + 1, at: 1, clk, e });
    assert.ok(step.kind === "applied");
    s = step.state;
    return [s.phase, s.claim?.claim, s.shows?.by];
  };
  assert.deepEqual(take({ k: "proof", by: "b", claim: "draw" }), ["proof", "draw", undefined]);
  assert.deepEqual(take({ k: "demo", by: "w", rule: "WBCA 8e" }), ["demo", "draw", "w"], "a spectator gets no side board");
  assert.deepEqual(take({ k: "proof", by: "b", claim: "draw" }), ["proof", "draw", "w"], "the tables are asked");
  assert.deepEqual(take({ k: "demoend", shown: true }, { k: "denied", by: "b", claim: "draw", take: 60_000 }, { k: "resume" }), ["play", undefined, undefined]);
  assert.deepEqual(take({ k: "dispute", by: "w" }), ["play", undefined, undefined]);
  assert.deepEqual(take({ k: "dispute", by: "w", stops: true })[0], "dispute");
  assert.deepEqual(take({ k: "ruling", who: "A", why: "b", act: "resume" })[0], "play");
});

test("the plain count of a position comes with the press", () => {
  let s = fresh({ pending: "e2e4", seen: 2 });
  const step = receive(s, { t: "ev", n: 1, at: 1, clk, e: [{ k: "press", by: "w", seen: 3 }] });
  assert.ok(step.kind === "applied" && step.state.seen === 3);
  s = { ...step.state, pending: "e7e5" };
  const next = receive(s, { t: "ev", n: 2, at: 1, clk, e: [{ k: "press", by: "b" }] });
  assert.ok(next.kind === "applied" && next.state.seen === undefined);
});

test("where the rules correct for two moves, an illegal move can also be claimed out of turn", () => {
  const s = fresh({ moves: [{ m: "e2e4", ms: 1 }, { m: "e8e5", ms: 2 }, { m: "g1f3", ms: 3 }], board: "rnbq1bnr/pppppppp/8/4k3/4P3/5N2/PPPP1PPP/RNBQKB1R b" });
  assert.equal(mayClaimIllegal(s, "w"), false);
  assert.equal(mayClaimIllegal({ ...s, late: 2 }, "w"), true);
});
