import assert from "node:assert/strict";
import { test } from "node:test";
import { LobbyModel } from "../src/lobby";
import type { Link } from "../src/link";
import { lookingWords, rangeWords } from "../src/terms";
import type { Command, ServerFrame } from "../src/wire";

/** A line that keeps what is sent. */
function line() {
  const sent: Command[] = [];
  let hear: (f: ServerFrame) => void = () => undefined;
  const link = {
    status: "open", seat: undefined, start: () => undefined, send: (c: Command) => sent.push(c) > 0,
    listen: (f: (frame: ServerFrame) => void) => { hear = f; }, watch: () => undefined,
  };
  const lobby = new LobbyModel(link as unknown as Link);
  return { sent, lobby, hear: (f: object) => hear(f as ServerFrame) };
}

const five = { base: 300_000, mode: "board", rules: "wbca" } as const;
const ann = { id: "A", name: "Ann" };

test("a seek is asked for again with exactly the fields of the command", () => {
  const { sent, lobby, hear } = line();
  lobby.ask({ t: "seek", base: 300_000, mode: "board", min: 1400 });
  hear({ t: "seeking", id: "s", ...five, min: 1400, rating: 1500, reach: { from: 50, grows: 25, anybody: 20_000, waited: 0 } });
  hear({ t: "hello", v: 1, you: ann });
  const again = { ...sent[1], id: "" };
  assert.deepEqual(again, { t: "seek", id: "", ...five, min: 1400 });
});

test("challenges come, go, and come again with a new connection", () => {
  const { sent, lobby, hear } = line();
  const challenge = { t: "challenge", invite: "i", by: ann, ...five, color: "white", wbca: true, rated: false };
  hear(challenge);
  hear(challenge);
  assert.equal(lobby.challenges.length, 1);
  hear({ t: "uninvited", invite: "i", why: "withdrawn" });
  assert.equal(lobby.challenges.length, 0);
  hear(challenge);
  hear({ t: "hello", v: 1, you: { id: "B", name: "Bob" } });
  assert.equal(lobby.challenges.length, 0);
  hear(challenge);
  lobby.block("A");
  assert.equal(lobby.challenges.length, 0);
  assert.equal(sent[0]?.t, "block");
});

test("who has challenged is told that the answer is no", () => {
  const { sent, lobby, hear } = line();
  lobby.ask({ t: "invite", base: 300_000, mode: "board", color: "white", to: "Bob" });
  hear({ t: "invited", id: (sent[0] as { id: string }).id, invite: "i", url: "http://x/i/i", ...five, color: "white", wbca: true, to: "Bob" });
  assert.equal(lobby.asking, false);
  hear({ t: "uninvited", invite: "other", why: "declined" });
  assert.ok(lobby.invited);
  hear({ t: "uninvited", invite: "i", why: "declined" });
  assert.equal(lobby.invited, undefined);
  assert.equal(lobby.asking, false);
  assert.equal(lobby.message, "Bob has declined.");
});

test("a pool widens with the time, an open seek keeps its range", () => {
  const pool = { ...five, rating: 1612, reach: { from: 50, grows: 25, anybody: 20_000, waited: 0 } };
  assert.equal(lookingWords(pool, 0), "For opponents rated 1562 to 1662; for any in 20 s.");
  assert.equal(lookingWords(pool, 10_000), "For opponents rated 1312 to 1912; for any in 10 s.");
  assert.equal(lookingWords(pool, 20_000), "For opponents of any rating.");
  assert.equal(lookingWords({ ...pool, min: 1500 }, 20_000), "For opponents of any rating, within 1500 and more.");
  assert.equal(lookingWords({ ...five, rating: 1500 }, 5000), "Others see it in the list of offers below.");
  assert.equal(rangeWords({ max: 1700 }), "1700 and less");
  assert.equal(rangeWords({ min: 1500, max: 1700 }), "1500 to 1700");
  assert.equal(rangeWords({}), undefined);
});
