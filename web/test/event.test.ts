import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Hall } from "../src/event/hall";
import { EventModel } from "../src/event/model";
import type { EventPage, Mine, Row } from "../src/event/types";
import type { Link, LinkStatus } from "../src/link";
import { remembered } from "../src/through";
import type { ServerFrame } from "../src/wire";

// A page whose visibility the test decides, and a server that answers what the test gives it.
const page = { visibilityState: "visible", listeners: new Set<() => void>() };
const stored = new Map<string, string>();
let answers: Record<string, () => { status: number; body: unknown }> = {};
let asked: { method: string; path: string; body: unknown }[] = [];

Object.assign(globalThis, {
  document: {
    get visibilityState() {
      return page.visibilityState;
    },
    addEventListener: (_: string, f: () => void) => page.listeners.add(f),
    removeEventListener: (_: string, f: () => void) => page.listeners.delete(f),
  },
  sessionStorage: { getItem: (k: string) => stored.get(k) ?? null, setItem: (k: string, v: string) => stored.set(k, v) },
  fetch: async (path: string, init: { method: string; body?: string }) => {
    asked.push({ method: init.method, path, body: init.body && JSON.parse(init.body) });
    const { status, body } = (answers[`${init.method} ${path.split("?")[0]}`] ?? (() => ({ status: 404, body: { code: "unknown_event", detail: "There is no such event." } })))();
    return { status, ok: status < 300, json: async () => body };
  },
});

type Sent = Record<string, unknown> & { t: string };

class Wire {
  status: LinkStatus = "open";
  you = { id: "A", name: "Ann" };
  through = remembered();
  seat: string | undefined;
  sent: Sent[] = [];
  ears = new Set<(f: ServerFrame, at: number) => void>();
  listen(f: (frame: ServerFrame, at: number) => void) {
    this.ears.add(f);
    return () => this.ears.delete(f);
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
  say(frame: object, at = performance.now()) {
    for (const f of [...this.ears]) f(frame as ServerFrame, at);
  }
  only(t: string) {
    return this.sent.filter((c) => c.t === t);
  }
}

const row = (id: string, points: number): Row => ({ place: 1, id, name: id, rating: 1500, status: "in", points, games: 1, wins: 1, draws: 0, losses: 0, direct: 0, sb: 0 });
const mine = (over: Partial<Mine> = {}): Mine => ({ status: "in", place: 1, points: 2, games: 1, here: true, ready: true, ...over });
const T = 1_800_000_000_000;

const view = (over: Partial<EventPage> = {}): EventPage => ({
  event: "club", name: "Club evening", phase: "open", format: "arena", terms: { rules: "wbca", base: 300_000, mode: "board" }, rated: true, two: false,
  scoring: "classic", at_bell: "play_on", access: "", approve: false, guests: true, late: true, min_rating: 0, max_rating: 0, most: 0, now: T, held: false,
  entries: 2, lines: 0, here: 2, playing: 0, waiting: 2, games: 0, top: [], notices: [], chat: 0, staff: [], you: { role: { organiser: false, arbiter: false } }, ...over,
});

const frame = (over: object = {}) => ({
  t: "event", event: "club", n: 1, now: T + 1000, phase: "open", name: "Club evening", held: false, entries: 3, lines: 0, here: 3, playing: 0, waiting: 3, games: 0, top: [],
  notices: [], boards: [], chat: 0, ...over,
});

const settled = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

beforeEach(() => {
  page.visibilityState = "visible";
  page.listeners.clear();
  stored.clear();
  asked = [];
  answers = { "GET /api/me": () => ({ status: 200, body: { id: "A", name: "Ann", guest: true } }), "GET /api/events/club": () => ({ status: 200, body: view() }) };
});

afterEach(() => mock.timers.reset());

async function attend(over: Partial<EventPage> = {}) {
  answers["GET /api/events/club"] = () => ({ status: 200, body: view(over) });
  const wire = new Wire();
  const model = new EventModel(wire as unknown as Link, "club", "");
  const close = model.open();
  await settled();
  return { wire, model, close };
}

test("the server is told whether the page is seen, at once, with every change and after every reconnect", async () => {
  const { wire, close } = await attend();
  page.visibilityState = "hidden";
  for (const f of page.listeners) f();
  wire.say({ t: "hello", v: 1, you: wire.you });
  assert.deepEqual(wire.only("attend").map((c) => [c.event, c.visible]), [["club", true], ["club", false], ["club", false]]);
  assert.equal(new Set(wire.only("attend").map((c) => c.id)).size, 3);
  close();
  assert.equal(wire.only("depart").length, 1);
  assert.equal(page.listeners.size, 0);
  assert.equal(wire.ears.size, 0);
});

test("what is told lies over what was read, and a frame of another event changes nothing", async () => {
  const { wire, model } = await attend({ notices: [{ at: T - 5, by: "Olga", text: "Welcome." }] });
  wire.say(frame({ top: [row("B", 4)], notices: [{ at: T, by: "Olga", text: "In a minute." }, { at: T - 5, by: "Olga", text: "Welcome." }] }));
  assert.equal(model.page?.entries, 3);
  assert.deepEqual(model.page?.top.map((r) => r.id), ["B"]);
  assert.deepEqual(model.page?.notices.map((n) => n.text), ["In a minute.", "Welcome."]);
  assert.equal(model.page?.access, "");
  wire.say(frame({ event: "other", entries: 99 }));
  assert.equal(model.page?.entries, 3);
});

test("an answer that was on its way does not undo what was told meanwhile", async () => {
  const { wire, model } = await attend();
  answers["GET /api/events/club"] = () => {
    wire.say(frame({ entries: 7 }));
    wire.say({ t: "entry", event: "club", ...mine({ points: 3 }) });
    return { status: 200, body: view({ entries: 5, you: { role: { organiser: false, arbiter: false }, entry: mine({ points: 1 }) } }) };
  };
  await model.read();
  assert.equal(model.page?.entries, 7);
  assert.equal(model.mine?.points, 3);
});

test("how one stands comes with the page and follows its own frames", async () => {
  const { wire, model } = await attend({ you: { role: { organiser: false, arbiter: false }, entry: mine({ status: "asked" }) } });
  assert.equal(model.mine?.status, "asked");
  wire.say({ t: "entry", event: "club", ...mine({ game: "g1", color: "w" }) });
  assert.deepEqual([model.mine?.status, model.mine?.game, wire.seat], ["in", "g1", "g1"]);
  assert.equal("t" in model.mine!, false);
  wire.say({ t: "entry", event: "club", ...mine() });
  assert.equal(wire.seat, undefined);
});

test("civil time is the server's, whatever this machine's clock says", async () => {
  const { wire, model } = await attend();
  const at = performance.now();
  wire.say(frame({ now: T + 60_000 }), at);
  assert.equal(model.now(at + 2500), T + 62_500);
});

test("another phase makes everybody read the page again, within a second and a half", async () => {
  const { wire, model } = await attend();
  mock.timers.enable({ apis: ["setTimeout"] });
  const before = asked.filter((a) => a.path === "/api/events/club").length;
  wire.say(frame({ phase: "running", bell: T + 3_600_000 }));
  assert.equal(model.page?.phase, "running");
  mock.timers.tick(1500);
  await settled();
  assert.equal(asked.filter((a) => a.path === "/api/events/club").length, before + 1);
  wire.say(frame({ n: 2, phase: "running" }));
  mock.timers.tick(1500);
  await settled();
  assert.equal(asked.filter((a) => a.path === "/api/events/club").length, before + 1);
});

test("what is refused is said in the server's words, and what is done shows at once", async () => {
  const { model } = await attend();
  answers["POST /api/events/club/acts"] = () => ({ status: 409, body: { code: "full", detail: "All places are taken." } });
  assert.equal(await model.act({ do: "enter" }), false);
  assert.equal(model.trouble, "All places are taken.");
  answers["POST /api/events/club/acts"] = () => ({ status: 200, body: {} });
  answers["GET /api/events/club"] = () => ({ status: 200, body: view({ you: { role: { organiser: false, arbiter: false }, entry: mine() } }) });
  assert.equal(await model.act({ do: "enter", name: "Ann B." }), true);
  assert.equal(model.trouble, "");
  assert.equal(model.mine?.status, "in");
  assert.deepEqual(asked.filter((a) => a.method === "POST").at(-1)?.body, { do: "enter", name: "Ann B." });
});

test("an event that is not there, or only for those with the link", async () => {
  delete answers["GET /api/events/club"];
  const wire = new Wire();
  const model = new EventModel(wire as unknown as Link, "club", "");
  model.open();
  await settled();
  assert.equal(model.problem?.status, 404);
  wire.say({ t: "err", id: wire.only("attend")[0]!.id, code: "forbidden", msg: "This event opens by its link." });
  assert.equal(model.unheard, "This event opens by its link.");
});

test("one rests until one's time has come, in a running event and between two games only", async () => {
  const { wire, model } = await attend({ phase: "running" });
  wire.say(frame({ phase: "running" }));
  const now = model.now();
  const is = (over: Partial<Mine>) => {
    wire.say({ t: "entry", event: "club", ...mine({ ready: false, since: now + 8000, because: { code: "resting", text: "You rest", next: now + 8000 }, ...over }) });
    return model.rests;
  };
  assert.equal(is({}), true);
  assert.equal(is({ game: "g2" }), false);
  assert.equal(is({ ready: true }), false);
  assert.equal(is({ status: "paused" }), false);
  assert.equal(is({ since: now - 1 }), false);
  assert.equal(is({ because: { code: "match", text: "", next: now + 8000 } }), true);
  assert.equal(is({ because: { code: "next_round", text: "" } }), false);
});

test("what is announced while one is here is news until it was read; what was there before is none", async () => {
  const { wire, model } = await attend({ notices: [{ at: T - 5, by: "Olga", text: "Welcome." }] });
  const news = () => model.news?.text;
  assert.equal(news(), undefined);
  wire.say(frame({ notices: [{ at: T, by: "Olga", text: "In a minute." }, { at: T - 5, by: "Olga", text: "Welcome." }] }));
  assert.equal(news(), "In a minute.");
  model.seen();
  assert.equal(news(), undefined);
});

test("the link's key goes with everything, is kept for the tables, and lasts over a reload", async () => {
  const wire = new Wire();
  const hall = new Hall(wire as unknown as Link);
  const model = hall.attend("club", "KEY");
  assert.deepEqual(wire.through, { event: "club", key: "KEY" });
  assert.equal(wire.only("attend")[0]?.key, "KEY");
  await settled();
  assert.equal(asked.at(-1)?.path, "/api/events/club?key=KEY");
  hall.release(model);
  assert.equal(hall.attend("club"), model, "a table of the same event");
  const reloaded = new Wire();
  new Hall(reloaded as unknown as Link).attend("club");
  assert.deepEqual([reloaded.through, reloaded.only("attend")[0]?.key], [{ event: "club", key: "KEY" }, "KEY"]);
});

test("from the event's page to a table and back nobody departs; who leaves for good does", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const wire = new Wire();
  const hall = new Hall(wire as unknown as Link);
  const first = hall.attend("club");
  hall.release(first);
  mock.timers.tick(1000);
  const second = hall.attend("club");
  mock.timers.tick(10_000);
  assert.equal(second, first);
  assert.equal(wire.only("depart").length, 0);
  hall.release(second);
  mock.timers.tick(10_000);
  assert.equal(wire.only("depart").length, 1);
  assert.notEqual(hall.attend("club"), first);
});

test("another event takes the place of the one before", () => {
  const wire = new Wire();
  const hall = new Hall(wire as unknown as Link);
  const first = hall.attend("club");
  const second = hall.attend("other");
  assert.deepEqual(wire.sent.map((c) => c.t), ["attend", "depart", "attend"]);
  hall.release(first); // late: it is no longer attended
  assert.equal(hall.attend("other"), second);
});

test("what was refused on a page that was left is not said on the next one", async () => {
  const wire = new Wire();
  const hall = new Hall(wire as unknown as Link);
  const model = hall.attend("club");
  answers["POST /api/events/club/acts"] = () => ({ status: 409, body: { code: "line_taken", detail: "Somebody has taken that line." } });
  answers["GET /api/events/club"] = () => ({ status: 200, body: view({ roster: [] }) }); // what the refusal is due to
  assert.equal(await model.act({ do: "enter", claim: "r-1" }), false);
  assert.equal(model.trouble, "Somebody has taken that line.");
  assert.deepEqual(model.page?.roster, []);
  hall.release(model);
  assert.equal(hall.attend("club"), model);
  assert.equal(model.trouble, "");
  hall.end();
});
