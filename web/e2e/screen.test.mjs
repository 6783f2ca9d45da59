// The projector alone, with a server that is made up: it shows large text and nothing runs out of the picture, it grows by
// nothing over ten thousand updates, and a lost connection ends by itself.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, shot, startServer, visitor } from "./kit.mjs";

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/**
 * Answers in the page for an evening's event. Time there passes only with updates, a second each, and stops after `until`
 * of them. While it is `fixed` every update has the same table and boards, else all differ from one another.
 */
function evening() {
  const NAMES = ["Anna Petrova", "Bob", "Cleo Martinez-Villanueva", "Dan", "Eva Lindqvist", "Farid", "Guest 4F7K", "Igor the Terrible", "Karl-Friedrich von Hohenzollern", "Lena"];
  const MEN = "rnbqkpRNBQKP";
  const began = Date.now();
  const world = { updates: 0, until: 0, down: false, fixed: false, page: {}, held: [] };
  window.world = world;
  let virtual = 0;
  performance.now = () => virtual;
  const real = window.setTimeout.bind(window);
  const soon = new MessageChannel();
  const due = [];
  soon.port1.onmessage = () => due.shift()();
  const go = (f) => {
    due.push(f);
    soon.port2.postMessage(0);
  };
  window.setTimeout = (f, ms, ...rest) => {
    if (!(ms >= 1000 && ms <= 5000)) return real(f, ms, ...rest);
    virtual += ms;
    if (world.updates >= world.until) world.held.push(f);
    else go(f);
    return 0;
  };
  world.run = (more) => {
    world.until = world.updates + more;
    for (const f of world.held.splice(0)) go(f);
  };
  let seed = 1;
  const random = (n) => {
    seed = (seed * 48271) % 2147483647;
    return seed % n;
  };
  const row = (fixed) => (_, i) => ({
    place: i + 1, id: `p${i}`, name: fixed ? NAMES[i] : `${NAMES[random(NAMES.length)]} ${i}`, rating: 1500, status: "in", points: fixed ? 20 - i : random(40), games: fixed ? 9 : random(30),
    wins: 0, draws: 0, losses: 0, direct: 0, sb: 0,
  });
  const rank = () => {
    let text = "";
    for (let i = 0; i < 8; i++) text += random(3) ? "1" : MEN[random(12)];
    return text.replace(/1+/g, (ones) => String(ones.length));
  };
  const board = (fixed) => (_, i) => ({
    game: fixed ? `fixed${i}` : `g${world.updates}-${i}`, white: { id: "w", name: NAMES[i % 10] }, black: { id: "b", name: NAMES[(i + 1) % 10] }, place_white: 2 * i + 1, place_black: 2 * i + 2, ply: 9,
    board: fixed ? "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w" : `${Array.from({ length: 8 }, rank).join("/")} w`,
    clk: { w: fixed ? 60_000 : random(300_000), b: 61_000, run: random(2) ? "w" : "b", flags: !fixed && random(5) === 0 ? "w" : "" },
    phase: "play", flags: [false, false], away: [false, false], since: 0,
  });
  let rows = [];
  let boards = [];
  const next = () => {
    const { fixed } = world;
    world.updates++;
    rows = Array.from({ length: fixed ? 8 : 3 + random(40) }, row(fixed));
    boards = Array.from({ length: fixed ? 2 : random(30) }, board(fixed));
    const now = began + virtual;
    return {
      event: "tuesday-abcd", name: "Tuesday Blitz of the Riverside Chess Club", phase: "running", format: "arena", late: !fixed, access: "", bell: now + (fixed ? 600_000 : random(4_000_000)), now, held: false,
      entries: rows.length, games: world.updates, top: rows.slice(0, 10), notices: fixed || random(2) ? [] : [{ at: now - random(900_000), by: "Zoe", text: `A word to all, number ${world.updates}.` }],
      you: { role: { organiser: false, arbiter: false } }, ...world.page,
    };
  };
  const real_fetch = window.fetch.bind(window);
  window.fetch = async (path, options) => {
    if (!String(path).startsWith("/api/events/")) return real_fetch(path, options);
    if (world.down) {
      world.updates++;
      throw new TypeError("no network");
    }
    const answer = /\/boards/.test(path) ? { boards } : /\/standings/.test(path) ? { rows, games: [] } : next();
    return new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } });
  };
}

async function project(size) {
  const page = await visitor(browser, size);
  await page.addInitScript(evening);
  await page.goto(`${server.url}/e/tuesday-abcd/screen?key=k`);
  await page.locator(".screen header").waitFor();
  return page;
}

/** Lets so many updates come, and waits until they are shown. */
async function updates(page, more) {
  await page.evaluate((n) => window.world.run(n), more);
  await page.waitForFunction(() => window.world.updates >= window.world.until && window.world.held.length > 0, undefined, { timeout: 300_000, polling: 200 });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Every text that is to be seen: its size, and whether it is within the picture. */
const texts = (page) => page.evaluate(() => {
  const found = [];
  const walk = document.createTreeWalker(document.querySelector(".screen"), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const box = node.parentElement.getBoundingClientRect();
    if (!node.data.trim() || box.width === 0) continue;
    const floor = node.parentElement.closest(".halves") ? document.querySelector(".screen footer").getBoundingClientRect().top : innerHeight;
    const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth + 1 && box.bottom <= floor + 1;
    found.push({ text: node.data, px: Number.parseFloat(getComputedStyle(node.parentElement).fontSize), inside, large: node.parentElement.matches(":is(.name, .liveclock, .digits, h1):not(small, .down), .liveclock > span:not(.down)") });
  }
  return found;
});

async function legible(page, what) {
  const all = await texts(page);
  assert.ok(all.length > 0, `${what}: no text`);
  for (const t of all) {
    assert.ok(t.px >= (t.large ? 34 : 28), `${what}: “${t.text}” has ${t.px} px`);
    assert.ok(t.inside, `${what}: “${t.text}” is out of the picture`);
  }
  const [height, width] = await page.evaluate(() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]);
  assert.deepEqual([width, height], [1920, 1080], `${what} scrolls`);
}

test("no text under 28 px at 1920 by 1080, names and clocks larger, nothing out of the picture", async () => {
  const page = await project({ width: 1920, height: 1080 });
  for (let i = 0; i < 40; i++) {
    await updates(page, 7);
    await legible(page, `update ${i * 7}`);
  }
  await shot(page, "screen-wide");
  for (const phase of ["open", "checkin", "last_games", "provisional", "published"]) {
    await page.evaluate((p) => { window.world.page = { phase: p, starts: Date.now() + 1e7 }; }, phase);
    await updates(page, 3);
    await legible(page, phase);
    if (phase === "open" || phase === "published") await shot(page, `screen-${phase}-wide`);
  }
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("ten thousand updates leave neither nodes nor memory behind", async () => {
  const page = await project({ width: 1280, height: 720 });
  const tools = await page.context().newCDPSession(page);
  await tools.send("Performance.enable");
  await tools.send("HeapProfiler.enable");
  const measure = async () => {
    await page.evaluate(() => { window.world.fixed = true; });
    await updates(page, 60); // the table is read again by then
    for (let i = 0; i < 3; i++) await tools.send("HeapProfiler.collectGarbage");
    const { metrics } = await tools.send("Performance.getMetrics");
    const of = (name) => metrics.find((m) => m.name === name).value;
    const inPage = await page.evaluate(() => {
      window.world.fixed = false;
      return document.querySelectorAll("*").length;
    });
    return { inPage, nodes: of("Nodes"), listeners: of("JSEventListeners"), heap: of("JSHeapUsedSize") };
  };
  await updates(page, 2000);
  const first = await measure();
  for (let i = 0; i < 10; i++) await updates(page, 1000);
  const last = await measure();
  assert.equal(last.inPage, first.inPage);
  assert.ok(last.nodes <= first.nodes + 10, `${first.nodes} nodes became ${last.nodes}`);
  assert.ok(last.listeners <= first.listeners, `${first.listeners} listeners became ${last.listeners}`);
  assert.ok(last.heap <= first.heap + 500_000, `${first.heap} bytes became ${last.heap}`);
  assert.deepEqual(page.errors, []);
  await page.context().close();
});

test("a lost connection is said, the last picture stays, and it goes on by itself", async () => {
  const page = await project({ width: 1280, height: 720 });
  await updates(page, 50);
  await page.evaluate(() => { window.world.down = true; });
  await updates(page, 5);
  await page.getByText("No connection").waitFor();
  await page.locator(".places td.name").first().waitFor();
  await shot(page, "screen-lost");
  await page.evaluate(() => { window.world.down = false; });
  await updates(page, 2);
  await page.getByText("No connection").waitFor({ state: "detached" });
  assert.deepEqual(page.errors, []);
  await page.context().close();
});
