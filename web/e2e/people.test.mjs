// People and what is kept of them: from guests to rated players with profiles, lists and PGN that other programs read.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { Chess } from "chess.js";
import { drag, launch, move, settle, shot, sitDown, startServer, verdict, visitor } from "./kit.mjs";

const ANN = "Ann Whitefield";
const BOB = "Bob.Black";

let server;
let browser;
let ann;
let bob;
let first;

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
  [ann, bob] = await Promise.all([visitor(browser), visitor(browser)]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const quiet = () => {
  assert.deepEqual(ann.errors, []);
  assert.deepEqual(bob.errors, []);
};

async function register(page, name) {
  await page.goto(server.url);
  await page.locator(".whoami strong", { hasText: /^Guest/ }).waitFor();
  await page.getByRole("link", { name: "Register" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Register" }).click();
  await page.locator(".whoami strong", { hasText: name }).waitFor();
}

/** Waits until a page has what it asked the server for. */
const loaded = async (page) => {
  await page.locator("h1").waitFor();
  await page.waitForFunction(() => !document.querySelector(".spin"));
};

/** A game comes to the archive a moment after its end. */
async function archived(page, address, what) {
  await page.goto(server.url + address);
  for (let i = 0; i < 20; i++) {
    await loaded(page);
    if (await what(page).count()) return;
    await page.waitForTimeout(250);
    await page.reload();
  }
  await what(page).waitFor();
}

/** What a button or link downloads, as text. */
async function download(page, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name, exact: true }).click()]);
  return readFile(await file.path(), "utf8");
}

/** The games of a PGN file as chess.js reads them. */
const readPGN = (text) =>
  text.split(/\n\n(?=\[Event )/).map((one) => {
    const game = new Chess();
    game.loadPgn(one);
    return game;
  });

const rating = async (page, kind) => {
  const button = page.locator(".ratings button", { hasText: kind });
  await button.waitFor();
  return button.locator("b").evaluate((b) => b.firstChild.textContent);
};

/** How much of the line is drawn: pixels of its colour. */
const inked = (page) =>
  page.locator(".graph canvas").evaluate((canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let n = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i] === 0 && data[i + 1] === 48 && data[i + 2] === 143 && data[i + 3] === 255) n++;
    return n;
  });

test("guests have no profile; who registers has one without ratings", async () => {
  await Promise.all([ann.goto(server.url), bob.goto(server.url)]);
  const guest = await ann.locator(".whoami strong").textContent();
  assert.equal(await ann.locator(".whoami strong a").count(), 0);
  await ann.goto(`${server.url}/people/${encodeURIComponent(guest)}`);
  await ann.getByRole("heading", { name: `Nobody is called ${guest}` }).waitFor();
  await ann.getByText("Guests have no profile").waitFor();
  await register(ann, ANN);
  await register(bob, BOB);
  await ann.getByRole("link", { name: ANN }).click();
  await ann.getByRole("heading", { name: ANN, level: 1 }).waitFor();
  await ann.getByText("No rated game yet").waitFor();
  await ann.getByText("No game yet.").waitFor();
  quiet();
});

// 1662 and 1338: Glicko-2 for the first game of two new players (1500, deviation 350, volatility 0.06).
test("a rated game to mate; the names at the table lead to the profiles", async () => {
  first = await sitDown(server, ann, bob);
  const link = ann.locator(".player.black .name a");
  assert.equal(await link.getAttribute("target"), "_blank", "beside the game that is being played");
  await move(ann, bob, "f2f3");
  await move(bob, ann, "e7e5");
  await move(ann, bob, "g2g4");
  await drag(bob, "d8h4"); // mate counts at once (WBCA 7a)
  await verdict(ann, "You lose");
  await verdict(bob, "You win");
  await verdict(bob, `Ratings: ${ANN} 1338 (−162), ${BOB} 1662 (+162)`);
  await shot(bob, "verdict-rated");
  quiet();
});

test("its PGN is read by another program, and its record has everything", async () => {
  const [game] = readPGN(await download(ann, "PGN"));
  assert.ok(game.isCheckmate());
  assert.deepEqual(game.history(), ["f3", "e5", "g4", "Qh4#"]);
  const tags = game.getHeaders();
  assert.deepEqual([tags.White, tags.Black, tags.Result, tags.GameId], [ANN, BOB, "0-1", first]);
  const record = JSON.parse(await download(ann, "Record"));
  assert.deepEqual(record.log.filter((e) => e.k === "move").map((e) => e.san), ["f3", "e5", "g4", "Qh4#"]);
  quiet();
});

test("both ratings have changed, and both graphs", async () => {
  await ann.locator(".player.black .name a").click(); // the game is over: here
  await ann.getByRole("heading", { name: BOB, level: 1 }).waitFor();
  for (const [page, name, after, score] of [[ann, ANN, "1338", "0 %"], [bob, BOB, "1662", "100 %"]]) {
    await archived(page, `/people/${encodeURIComponent(name)}`, (p) => p.locator(".ratings button"));
    assert.equal(await rating(page, "WBCA"), after);
    await page.locator(".ratings .provisional").waitFor();
    await page.getByText("A question mark says that the rating is provisional").waitFor();
    await page.locator(".graph canvas").waitFor();
    assert.match(await page.locator(".graph").getAttribute("aria-label"), new RegExp(`WBCA rating .* now ${after}`));
    await page.locator(".tally", { hasText: "WBCA, rated" }).getByText(score).waitFor();
    assert.ok((await inked(page)) > 200, "a line is drawn");
  }
  await ann.locator(".entry", { hasText: BOB }).getByText("Lost").waitFor();
  await shot(ann, "profile");
  quiet();
});

test("another game moves them again; the graph has both", async () => {
  await sitDown(server, ann, bob);
  await move(ann, bob, "e2e4");
  await move(bob, ann, "e7e5");
  await bob.getByRole("button", { name: "Resign" }).click();
  await settle(bob);
  await bob.getByRole("button", { name: "Yes, resign" }).click();
  await verdict(ann, "You win");
  await archived(ann, `/people/${encodeURIComponent(ANN)}`, (p) => p.locator(".ratings button", { hasText: "2 games" }));
  assert.ok(Number(await rating(ann, "WBCA")) > 1400);
  await ann.getByText("The last changes as a table").click();
  const changes = await ann.locator(".changes tbody tr td:last-child").allTextContents();
  assert.equal(changes.length, 2);
  assert.match(changes[0], /^\+\d+$/);
  assert.equal(changes[1], "−162");
  const plot = ann.locator(".graph .u-over");
  await plot.hover({ position: { x: (await plot.boundingBox()).width - 3, y: 100 } });
  await ann.locator(".readout", { hasText: /: \d{4} \([+−]\d+\)/ }).waitFor();
  quiet();
});

test("the games, narrowed down, and the same ones as PGN", async () => {
  await ann.getByRole("link", { name: "All games" }).click();
  await ann.locator(".entry").nth(1).waitFor();
  const all = readPGN(await download(ann, "All games as PGN"));
  assert.deepEqual(all.map((g) => g.getHeaders().Result), ["1-0", "0-1"], "the latest first");
  await ann.getByLabel("Result").selectOption("lost");
  await ann.getByLabel("Opponent").fill("bob.black");
  await ann.keyboard.press("Enter");
  await ann.getByText(`${ANN} against ${BOB}: 1 won, 0 drawn, 1 lost, 50 %.`).waitFor();
  await ann.locator(".entry").nth(1).waitFor({ state: "detached" });
  assert.match(ann.url(), /result=lost&opponent=bob.black/);
  const one = readPGN(await download(ann, "These games as PGN"));
  assert.deepEqual(one.map((g) => g.getHeaders().GameId), [first]);
  await ann.reload(); // the address has it all
  await ann.locator(".entry").waitFor();
  assert.equal(await ann.getByLabel("Result").inputValue(), "lost");
  await ann.getByLabel("Rules").selectOption("fide");
  await ann.getByText("No game fits this.").waitFor();
  await ann.getByLabel("Opponent").fill("Zorro");
  await ann.keyboard.press("Enter");
  await ann.getByRole("alert").filter({ hasText: "Nobody is called Zorro." }).waitFor();
  await ann.getByRole("link", { name: "Show all games" }).click();
  await ann.locator(".entry").nth(1).waitFor();
  const today = await ann.evaluate(() => new Date().toLocaleDateString("sv"));
  await ann.getByLabel("From", { exact: true }).fill(today);
  await ann.getByLabel("To", { exact: true }).fill(today);
  await ann.waitForURL(/since=.*until=/);
  await ann.locator(".entry").nth(1).waitFor();
  quiet();
});

test("by keyboard: from a list to a game, from the search to a profile", async () => {
  await ann.goto(`${server.url}/games`);
  await ann.locator(".entry .score").nth(1).focus();
  await ann.keyboard.press("Enter");
  await ann.waitForURL(new RegExp(`/g/${first}`));
  await ann.goto(`${server.url}/leaders`);
  await ann.getByText("Nobody has a settled rating").waitFor();
  await ann.getByRole("searchbox", { name: "Find a player by name" }).focus();
  await ann.keyboard.type("an");
  await ann.keyboard.press("Enter");
  await ann.getByText("Names that begin with an").waitFor();
  await ann.getByRole("link", { name: ANN }).waitFor();
  await ann.getByRole("searchbox").fill("bob.black");
  await ann.keyboard.press("Enter");
  await ann.getByRole("heading", { name: BOB, level: 1 }).waitFor();
  await ann.getByRole("searchbox").fill("zz");
  await ann.keyboard.press("Enter");
  await ann.getByText("Nobody is called zz").waitFor();
  await ann.goto(`${server.url}/people/Zorro`);
  await ann.getByRole("heading", { name: "Nobody is called Zorro" }).waitFor();
  quiet();
});

test("nothing is wider than a small phone, and a server that is away is said", async () => {
  await bob.setViewportSize({ width: 360, height: 640 });
  for (const address of ["", `people/${BOB}`, `people/${BOB}/games`, "games", "leaders", "people?name=b", "live", "people/Zorro"]) {
    await bob.goto(`${server.url}/${address}`);
    await loaded(bob);
    assert.equal(await bob.evaluate(() => document.documentElement.scrollWidth), 360, address);
  }
  await bob.goto(`${server.url}/leaders`);
  await bob.getByText("Nobody has a settled rating").waitFor();
  server.cut();
  await bob.getByRole("link", { name: "Games", exact: true }).click();
  await bob.getByRole("alert").filter({ hasText: "The server cannot be reached" }).waitFor();
  server.mend();
  await bob.getByRole("button", { name: "Try again" }).click();
  await bob.locator(".entry").first().waitFor();
  await shot(bob, "games-small");
  quiet();
});
