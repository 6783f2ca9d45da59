// An evening at the club: an event made and entered through its pages, games paired again and again, one ruled from the
// desk, a result corrected, the bell, the results out; and the projector beside it all.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Chess } from "chess.js";
import { drag, launch, move, press, settle, shot, startServer, verdict, visitor } from "./kit.mjs";

const PASSWORD = "correct horse";
const TITLE = "Tuesday blitz at the Riverside";

let server;
let browser;
let olga; // organiser
let zoe; // arbiter
let wall; // the projector
let ann; // guest by link
let bob; // guest by link, on a phone
let cleo; // on the organiser's list
let dan; // has an account
let everybody;
let event; // its address
let games; // of the first pairing: { players: [page, page], white, black, path }

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
  const phone = { width: 390, height: 844, touch: true };
  [olga, zoe, wall, ann, bob, cleo, dan] = await Promise.all([
    visitor(browser), visitor(browser), visitor(browser, { width: 1920, height: 1080 }), visitor(browser), visitor(browser, phone), visitor(browser), visitor(browser),
  ]);
  everybody = { olga, zoe, wall, ann, bob, cleo, dan };
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const quiet = () => {
  for (const [name, page] of Object.entries(everybody)) assert.deepEqual(page.errors, [], name);
};

let failed;

/** Each step of the evening needs the one before it. What everybody saw when one failed is kept in pictures. */
const step = (name, f) => test(name, async () => {
  if (failed) throw new Error(`not begun: “${failed}” has failed`);
  try {
    await f();
    quiet();
  } catch (e) {
    failed = name;
    for (const [who, page] of Object.entries(everybody)) await shot(page, `failed-${who}`).catch(() => undefined);
    throw e;
  }
});

const SIZES = [["wide", 1920, 1080], ["mid", 1280, 800], ["small", 390, 844]];

/** Pictures at three sizes, of which none may be wider than the window. */
async function shots(page, name) {
  const size = page.viewportSize();
  for (const [suffix, width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(250); // boards are laid out again
    await shot(page, `${name}-${suffix}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${name} is ${wide} px wide in a window of ${width}`);
  }
  await page.setViewportSize(size);
}

async function register(page, name) {
  await page.goto(`${server.url}/register`);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Register" }).click();
  await page.locator(".whoami strong", { hasText: name }).waitFor();
}

/** The tables that the four are called to. */
async function called() {
  const people = [ann, bob, cleo, dan];
  await Promise.all(people.map((p) => p.waitForURL(/\/g\//)));
  await Promise.all(people.map((p) => p.locator(".player.running").waitFor({ timeout: 20_000 })));
  const paths = [...new Set(people.map((p) => new URL(p.url()).pathname))];
  assert.equal(paths.length, 2, "two tables");
  return Promise.all(paths.map(async (path) => {
    const players = people.filter((p) => new URL(p.url()).pathname === path);
    assert.equal(players.length, 2);
    const black = (await players[0].locator(".cg-wrap.orientation-black").count()) ? players[0] : players[1];
    return { path, players, black, white: players.find((p) => p !== black) };
  }));
}

async function resign(page) {
  await page.getByRole("button", { name: "Resign" }).click();
  await settle(page);
  await page.getByRole("button", { name: "Yes, resign" }).click();
}

step("the organiser makes an event, names an arbiter and puts somebody on the list", async () => {
  await Promise.all([register(olga, "Olga"), register(zoe, "Zoe"), register(dan, "Dan")]);
  await olga.goto(`${server.url}/events/new`);
  await olga.getByLabel("Name of the event").fill(TITLE);
  await olga.getByLabel("Who may come").selectOption("link");
  await shots(olga, "event-new");
  await olga.getByRole("button", { name: "Make the event" }).click();
  await olga.waitForURL(/\/e\/[a-z0-9-]+\/manage/);
  event = olga.url().replace("/manage", "");
  await olga.getByText("Put somebody on the list").click();
  await olga.getByLabel("Name at the tables").fill("Cleo Martinez");
  await olga.getByLabel("Real name").fill("Cleopatra Martinez");
  await olga.getByLabel("Rating", { exact: true }).fill("1850");
  await olga.getByRole("button", { name: "Add" }).click();
  await olga.locator(".players th", { hasText: "Cleo Martinez" }).waitFor();
  await olga.getByRole("group", { name: "Arbiters" }).getByRole("button", { name: "One more" }).click();
  await olga.getByLabel("Arbiter 1").fill("Zoe");
  await Promise.all([olga.waitForResponse(/\/acts$/), olga.getByRole("button", { name: "Save", exact: true }).click()]);
  await olga.getByText("Saved.", { exact: true }).waitFor();
  await olga.getByText("0 entered and 1 more on the list").waitFor();
  await olga.reload();
  await olga.getByLabel("Arbiter 1").waitFor();
  assert.equal(await olga.getByLabel("Arbiter 1").inputValue(), "Zoe");
  await shots(olga, "event-manage");
});

step("nobody finds it without its link; four come in by it, and the projector needs only its own", async () => {
  await ann.goto(event);
  await ann.getByText("There is no such event").waitFor();
  const link = await olga.getByLabel("Link to join by").inputValue();
  assert.match(link, /\/e\/[a-z0-9-]+\?key=/);
  const screen = await olga.getByLabel("Link of the projector").inputValue();
  await wall.goto(screen);
  await wall.locator(".join img").waitFor();
  assert.ok(await wall.locator(".join img").evaluate((img) => img.complete && img.naturalWidth > 0), "the QR code is shown");
  assert.equal((await wall.context().cookies()).length, 0, "the projector has logged in nowhere");
  await shots(wall, "event-screen-join");
  await Promise.all([
    [ann, "Ann"], [bob, "Bob of the Phone"],
  ].map(async ([page, name]) => {
    await page.goto(link);
    await page.getByLabel("Your name").fill(name);
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByText("You are in.").waitFor();
  }));
  await cleo.goto(link);
  await cleo.getByLabel("Are you on the organiser").selectOption({ label: "Cleo Martinez" });
  await cleo.getByRole("button", { name: "Enter" }).click();
  await cleo.getByText("You are in. Your name here is Cleo Martinez (Cleopatra Martinez).").waitFor();
  await dan.goto(link);
  await dan.getByRole("button", { name: "Enter" }).click();
  await dan.getByText("You are in.").waitFor();
  await shots(ann, "event-entered");
  await wall.locator(".places td.name", { hasText: "Bob of the Phone" }).waitFor();
});

step("the arbiter goes on duty; the start pairs all four and calls them to two tables", async () => {
  await zoe.goto(`${event}/desk`);
  await zoe.getByRole("switch", { name: "Go on duty" }).click();
  await zoe.getByRole("switch", { name: "On duty" }).waitFor();
  await olga.getByRole("button", { name: "Start it now" }).click();
  games = await called();
  await zoe.locator(".livegames .count", { hasText: "2" }).waitFor();
  await wall.locator(".boards .one:not(.none)").nth(1).waitFor({ timeout: 25_000 });
  await wall.getByText("Bell in").waitFor();
  await shots(wall, "event-screen");
});

step("an illegal move is claimed at one table; a dispute at the other stops the clocks and comes to the desk", async () => {
  const [first, second] = games;
  await drag(first.white, "a1a5");
  await first.white.locator("button.press.due").waitFor();
  await press(first.white);
  await first.black.locator(".player.black.running").waitFor();
  await first.black.getByRole("button", { name: "Illegal move" }).click();
  for (const p of first.players) await verdict(p, "illegal move");
  for (const p of first.players) await p.locator(".between").getByRole("button", { name: "Pause" }).click();

  await move(second.white, second.black, "e2e4");
  await second.white.getByRole("button", { name: "More", exact: true }).click();
  await second.white.getByRole("button", { name: "Call the arbiter" }).click();
  for (const p of second.players) await p.getByText("The board is hidden until the arbiter has ruled.").waitFor();
  await zoe.locator(".queue li.stops").waitFor();
  await zoe.locator(".queue .tag", { hasText: "play goes on in" }).waitFor();
  await zoe.getByRole("button", { name: "Open the game" }).click();
  await zoe.locator(".gamelog .weighty", { hasText: "arbiter" }).first().waitFor();
  await shots(zoe, "desk-dispute");

  await zoe.getByRole("button", { name: "Minute for the opponent" }).click();
  await zoe.locator(".choice label", { hasText: "(Black)" }).click();
  await shots(zoe, "desk-ruling");
  await zoe.locator(".ruling").getByRole("button", { name: /^Minute for the opponent/ }).click();
  await zoe.getByRole("alert").filter({ hasText: "An act needs a reason." }).waitFor();
  await zoe.getByLabel("Reason").fill("Talking to the neighbour");
  await zoe.locator(".ruling").getByRole("button", { name: /^Minute for the opponent/ }).click();
  for (const p of second.players) await p.locator(".status", { hasText: "Talking to the neighbour" }).waitFor();
  await zoe.getByRole("button", { name: "Let the game go on" }).click();
  await zoe.getByRole("button", { name: "The dispute is settled" }).click();
  await zoe.locator(".ruling").getByRole("button", { name: "Let the game go on" }).click();
  await second.black.locator(".player.black.running").waitFor();
  await zoe.locator(".queue .quiet", { hasText: "Nothing." }).waitFor();
  await zoe.locator(".latest li", { hasText: "Talking to the neighbour" }).waitFor();
});

step("an announcement is read at the tables, on the page and on the wall; chat is moderated", async () => {
  await zoe.getByLabel("Announcement").fill("Coffee is served until nine.");
  await zoe.getByRole("button", { name: "Announce" }).click();
  await wall.locator("footer", { hasText: "Coffee is served until nine." }).waitFor();
  const [, second] = games;
  await second.white.locator(".strip", { hasText: "Coffee is served until nine." }).waitFor();
  await second.white.locator(".strip", { hasText: "bell in" }).waitFor();
  const board = await second.white.locator(".area-board").boundingBox();
  const newsline = await second.white.locator(".strip .news-line").boundingBox();
  assert.ok(Math.abs(newsline.x - board.x) < 1, `the strip begins at ${newsline.x}, the board at ${board.x}`);
  await shots(second.white, "event-table");
  await olga.goto(event);
  await olga.getByPlaceholder("Say something").fill("Good luck to all!");
  await olga.getByRole("button", { name: "Send" }).click();
  await zoe.getByRole("tab", { name: "Chat" }).click();
  const line = zoe.locator(".deck .lines li", { hasText: "Good luck to all!" });
  await line.getByRole("button", { name: "Take it out" }).click();
  await line.waitFor({ state: "detached" });
  await olga.locator(".chat li", { hasText: "Good luck" }).waitFor({ state: "detached" });
  await shots(olga, "event-page");
});

step("the game ends; the result of the first is corrected, with the table shown before", async () => {
  const [first, second] = games;
  await resign(second.black);
  for (const p of second.players) await verdict(p, "resign");
  for (const p of second.players) await p.locator(".between").getByRole("button", { name: "Pause" }).click();
  await zoe.getByRole("tab", { name: "Finished games" }).click();
  const name = await first.white.locator(".player.white .name").textContent();
  await zoe.locator(".ended li", { hasText: name.replace(/ you$/, "").trim() }).locator(".pick").click();
  await zoe.getByRole("button", { name: "Correct the result" }).click();
  await zoe.locator(".choice label", { hasText: "draw" }).click();
  await zoe.locator(".preview .moved").first().waitFor();
  const points = await zoe.locator(".preview tbody tr").evaluateAll((rows) => rows.map((r) => [...r.cells].slice(-2).map((c) => c.textContent)));
  assert.deepEqual(points.filter(([then, now]) => then !== now).sort(), [["½", "0"], ["½", "1"]]);
  await shots(zoe, "desk-correction");
  await zoe.getByRole("button", { name: "Appeal upheld" }).click();
  await zoe.getByRole("button", { name: "Confirm" }).click();
  await zoe.getByText("Counts as").filter({ hasText: "½–½" }).waitFor();
  await zoe.locator(".latest li", { hasText: "Appeal upheld" }).waitFor();
  await wall.locator(".places tr", { hasText: "½" }).nth(1).waitFor();
});

step("who comes back is paired again with somebody else", async () => {
  const before = new Map(games.flatMap((g) => g.players.map((p) => [p, g.path])));
  for (const p of before.keys()) {
    await p.locator(".between").getByRole("button", { name: "I am back" }).click();
    const ready = p.getByRole("button", { name: "Ready" });
    if (await ready.count()) await ready.first().click();
  }
  await Promise.all([...before].map(([p, path]) => p.waitForURL((url) => url.pathname.startsWith("/g/") && url.pathname !== path, { timeout: 30_000 })));
  const again = await called();
  for (const g of again) assert.notEqual(before.get(g.players[0]), before.get(g.players[1]), "no immediate repeat while another pairing exists");
  games = again;
  for (const g of games) {
    await move(g.white, g.black, "e2e4");
    await move(g.black, g.white, "e7e5"); // who does not move soon has not come
  }
});

step("the bell rings while games are played; they count, and then the results are signed and published", async () => {
  await olga.goto(`${event}/manage`);
  const now = Date.now();
  const minute = new Date(Math.ceil((now + 5000) / 60_000) * 60_000);
  const local = new Date(minute.getTime() - minute.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  await olga.getByLabel("The bell rings at").fill(local);
  await olga.getByRole("button", { name: /^Move the bell/ }).click();
  await olga.getByLabel("Why is it moved?").fill("The hall closes early");
  await olga.getByRole("button", { name: /^Move the bell/ }).last().click();
  await olga.getByText("the last games are being played").waitFor({ timeout: 90_000 });
  await zoe.getByText("Last games").waitFor();
  for (const g of games) {
    await resign(g.black);
    for (const p of g.players) await verdict(p, "resign");
  }
  await olga.getByRole("button", { name: "Sign the results" }).click();
  await olga.getByRole("button", { name: "Publish the results" }).click();
  await olga.getByText("the results are final").waitFor();
  for (const title of ["Invite", "Announce"]) assert.equal(await olga.getByRole("heading", { name: title, exact: true }).count(), 0, `${title} is offered after the end`);
  await olga.getByLabel("Link of the projector").waitFor();
  await olga.locator(".whoami", { hasText: "You are Olga" }).waitFor();
  await wall.getByText("Final table").waitFor();
  await shots(wall, "event-screen-final");
  await ann.goto(event);
  await ann.getByText("the results are final").waitFor();
  await shots(ann, "event-over");
});

/** What a link downloads, as text. */
async function download(page, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name, exact: true }).click()]);
  return readFile(await file.path(), "utf8");
}

step("the results go out: table, crosstable, games and a page to print, all with the corrected result", async () => {
  const table = (await download(ann, "Table (CSV)")).trim().split("\r\n").map((line) => line.split(","));
  const head = table[0];
  assert.equal(table.length, 5);
  const of = (row, column) => row[head.indexOf(column)];
  const points = table.slice(1).map((row) => Number(of(row, "Points")));
  assert.equal(points.reduce((a, b) => a + b), 4, "four games, a point each");
  assert.deepEqual(points, [...points].sort((a, b) => b - a));
  assert.equal(points.filter((p) => p % 1 === 0.5).length, 2, "the corrected game was drawn");
  assert.ok(table.some((row) => of(row, "Real name") === "Cleopatra Martinez"));

  const pgn = await download(ann, "Games (PGN)");
  const results = pgn.split(/\n\n(?=\[Event )/).map((one) => {
    const game = new Chess();
    game.loadPgn(one);
    return game.header().Result;
  });
  assert.equal(results.length, 4);
  assert.equal(results.filter((r) => r === "1/2-1/2").length, 1);
  const whole = JSON.parse(await download(ann, "Everything (JSON)"));
  assert.equal(whole.games.length, 4);
  assert.match(await download(ann, "Crosstable (CSV)"), /Cleo Martinez/);

  await ann.getByRole("link", { name: "Page to print" }).click();
  await ann.locator(".cross").waitFor();
  assert.equal(await ann.locator(".all tbody tr").count(), 4);
  await shots(ann, "event-print");
  await ann.pdf({ path: new URL("../../artifacts/browser/event-print.pdf", import.meta.url).pathname, preferCSSPageSize: true });
});

step("a password keeps others out of an event that everybody sees", async () => {
  await olga.goto(`${server.url}/events/new`);
  await olga.getByLabel("Name of the event").fill("Members' night");
  await olga.getByLabel("Who may come").selectOption("password");
  await olga.getByLabel("Password of the event").fill("queen takes");
  await olga.getByRole("button", { name: "Make the event" }).click();
  await olga.waitForURL(/\/e\/[a-z0-9-]+\/manage/);
  await bob.goto(`${server.url}/events`);
  await bob.getByRole("link", { name: "Members' night" }).click();
  await bob.getByLabel("The event’s password").fill("king takes");
  await bob.getByRole("button", { name: "Enter" }).click();
  await bob.getByRole("alert").filter({ hasText: /password/i }).waitFor();
  await bob.getByLabel("The event’s password").fill("queen takes");
  await bob.getByRole("button", { name: "Enter" }).click();
  await bob.getByText("You are in.").waitFor();
});
