import assert from "node:assert/strict";
import { test } from "node:test";
import { retryDelay } from "../src/link";
import { Outbox } from "../src/outbox";
import { parsePlacement } from "../src/placement";
import { reviewPremove, setPremove } from "../src/premove";
import { CLOSE_SLOW, CLOSE_TOO_MANY, commandId } from "../src/wire";

test("command ids fit the protocol and do not repeat", () => {
  const ids = new Set(Array.from({ length: 2000 }, commandId));
  assert.equal(ids.size, 2000);
  for (const id of ids) assert.match(id, /^[A-Za-z0-9_-]{1,32}$/);
});

test("after a reconnect moves and presses of this ply go out once more with their ids, claims never (NET-01, NET-02)", () => {
  const box = new Outbox();
  box.add({ t: "move", id: "m7", m: "e2e4", ply: 40, press: false });
  box.add({ t: "press", id: "p7", ply: 40 });
  box.add({ t: "claim", id: "c1", claim: "illegal" });
  box.add({ t: "move", id: "old", m: "e2e4", ply: 38, press: false });
  assert.deepEqual(box.resend(40).map((c) => c.id), ["m7", "p7"]);
  assert.deepEqual(box.resend(40).map((c) => c.id), [], "once");
  assert.equal(box.settle("m7"), undefined);
});

test("an acknowledged command is not sent again", () => {
  const box = new Outbox();
  box.add({ t: "move", id: "m1", m: "e2e4", ply: 0, press: true });
  assert.equal(box.settle("other"), undefined);
  assert.equal(box.settle(undefined), undefined);
  assert.equal(box.settle("m1")?.id, "m1");
  assert.deepEqual(box.resend(0), []);
});

test("a move for a ply that has passed is forgotten", () => {
  const box = new Outbox();
  box.add({ t: "move", id: "m1", m: "e2e4", ply: 0, press: true });
  assert.deepEqual(box.resend(2), []);
  assert.equal(box.find("move"), undefined);
});

test("UI-01: a premove that became impossible never comes back", () => {
  const before = parsePlacement("rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b");
  const pre = setPremove(before, "w", "d4e5", 4);
  assert.ok(pre);
  const after = parsePlacement("rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR w"); // 2...exd4
  assert.deepEqual(reviewPremove(pre, after, "w", 4, true), {});
});

test("a premove is bound to its ply and its man", () => {
  const p = parsePlacement("4k3/8/8/8/3P4/8/8/4K3 b");
  const pre = setPremove(p, "w", "d4d5", 6);
  assert.equal(setPremove(p, "w", "e8e7", 6), undefined, "the other's man");
  assert.deepEqual(reviewPremove(pre, p, "w", 6, false), { keep: pre });
  assert.deepEqual(reviewPremove(pre, p, "w", 6, true), { play: "d4d5" });
  assert.deepEqual(reviewPremove(pre, p, "w", 8, true), {});
  assert.deepEqual(reviewPremove(pre, parsePlacement("4k3/8/8/8/3Q4/8/8/4K3 w"), "w", 6, true), {}, "another man stands there");
});

test("coming back: at once after a slow close, a jittered second after a restart, slower and slower otherwise", () => {
  assert.ok(retryDelay(CLOSE_SLOW, 0, 0.99) < 250);
  for (const r of [0, 0.5, 0.99]) {
    const wait = retryDelay(1012, 3, r);
    assert.ok(wait >= 300 && wait <= 1500, String(wait));
  }
  assert.ok(retryDelay(1006, 0, 0) >= 200);
  assert.ok(retryDelay(1006, 30, 0.99) <= 10_000);
  assert.ok(retryDelay(1006, 4, 0) > retryDelay(1006, 1, 0.99));
  assert.ok(retryDelay(CLOSE_TOO_MANY, 0, 0) >= 5000);
  assert.ok(retryDelay(1008, 0, 0) >= 5000);
});
