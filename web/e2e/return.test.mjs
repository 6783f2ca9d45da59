// Coming back: reload, second tab, lost network, killed server; and watching.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drag, launch, move, press, says, settle, shot, sitDown, stands, startServer, verdict, visitor, watch } from "./kit.mjs";

let server;
let browser;
let ann;
let bob;

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
  [ann, bob] = await Promise.all([visitor(browser), visitor(browser)]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const resign = async (page) => {
  await page.getByRole("button", { name: "Resign" }).click();
  await settle(page);
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await page.locator(".verdict").waitFor();
};

test("a reload comes back to the same board, clocks and pending move", async () => {
  await sitDown(server, ann, bob);
  await move(ann, bob, "e2e4");
  await drag(bob, "e7e5");
  await stands(ann, "e5", "black pawn");
  await bob.reload();
  await stands(bob, "e5", "black pawn");
  await says(bob, "Your clock still runs");
  await press(bob);
  await ann.locator(".player.white.running").waitFor();
  await ann.goto(server.url); // wandered off
  await ann.getByRole("link", { name: "Back to your game" }).click();
  await stands(ann, "e5", "black pawn");
});

test("a page whose script went with an earlier version of the server loads itself anew", async () => {
  const late = await visitor(browser);
  let gone = 0;
  await late.goto(server.url);
  await late.getByRole("button", { name: /3\s*minutes/ }).waitFor();
  await late.route(/\.js$/, (route) => (gone++ ? route.continue() : route.fulfill({ status: 404, body: "" })));
  await late.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Events" }).click();
  await late.getByRole("heading", { name: "Events", level: 1 }).waitFor();
  assert.ok(gone > 1, "the script was asked for again");
  await late.context().close();
});

test("of two tabs the newest plays; the older one says so and can take over", async () => {
  const second = await ann.context().newPage();
  watch(second);
  await second.goto(ann.url());
  await stands(second, "e4", "white pawn");
  await ann.getByText("This game is open in a newer tab").waitFor();
  await shot(ann, "replaced");
  await move(second, bob, "g1f3");
  await ann.getByRole("button", { name: "Play here" }).click();
  await second.getByText("This game is open in a newer tab").waitFor();
  await stands(ann, "f3", "white knight");
  await move(bob, ann, "b8c6");
  await second.close();
});

test("what happened while the network was gone is there afterwards; a move made meanwhile is not lost twice", async () => {
  server.cut();
  await Promise.all([says(ann, "Connection lost"), says(bob, "Connection lost")]);
  await shot(ann, "lost-connection");
  await drag(ann, "f1c4");
  await stands(ann, "f1", "white bishop"); // nothing can be sent: the man goes back
  server.mend();
  await ann.locator(".status", { hasText: "Connection lost" }).waitFor({ state: "detached", timeout: 15000 });
  await bob.locator(".status", { hasText: "Connection lost" }).waitFor({ state: "detached", timeout: 15000 });
  await move(ann, bob, "f1c4");
  await move(bob, ann, "f8c5");
  assert.equal(await ann.locator(".moves .move").count(), 6);
});

test("a killed server: the game stands where it stood and both are told", async () => {
  await move(ann, bob, "e1g1");
  await server.crash();
  await Promise.all([ann, bob].map((page) => page.locator(".status", { hasText: "The server was away" }).waitFor({ timeout: 15000 })));
  await stands(bob, "f1", "white rook");
  await bob.locator(".player.black.running").waitFor({ timeout: 15000 });
  await move(bob, ann, "g8f6");
  assert.equal(await ann.locator(".moves .move").count(), 8);
});

test("anybody may watch, read-only, live; the front page lists the game", async () => {
  const guest = await visitor(browser);
  await guest.goto(server.url);
  await guest.locator(".games .game").first().click();
  await stands(guest, "f6", "black knight");
  assert.equal(await guest.getByRole("button", { name: /Claim|Press|Resign|draw/i }).count(), 0);
  await drag(ann, "d2d3");
  await stands(guest, "d3", "white pawn");
  await says(guest, "White has moved and not pressed");
  await shot(guest, "watching");
  await press(ann);
  await says(guest, "Black to move");
  await resign(bob);
  await verdict(guest, "White wins");
  assert.deepEqual(guest.errors, []);
  await guest.context().close();
});

test("NET-05: a seek outlives a shaky network once, and ends in one game", async () => {
  await Promise.all([ann.goto(server.url), bob.goto(server.url)]);
  await ann.getByRole("button", { name: "3 minutes" }).click();
  await ann.getByText("Looking for an opponent").waitFor();
  for (let i = 0; i < 3; i++) {
    server.cut();
    await ann.getByText("Connection lost").waitFor();
    server.mend();
    await ann.getByText("Connection lost").waitFor({ state: "detached", timeout: 15000 });
  }
  await ann.getByText("Looking for an opponent").waitFor();
  await bob.getByText("Connection lost").waitFor({ state: "detached", timeout: 15000 });
  await bob.getByRole("button", { name: "3 minutes" }).click();
  await Promise.all([ann, bob].map((p) => p.waitForURL(/\/g\//)));
  assert.equal(ann.url(), bob.url());
  await ann.locator(".player.white.running").waitFor();
  await resign(ann);
});

test("addresses of nothing are answered in words", async () => {
  await ann.goto(`${server.url}/g/nosuchgame22`);
  await ann.getByRole("heading", { name: "There is no such game" }).waitFor();
  await ann.goto(`${server.url}/i/nosuchinvite`);
  await ann.getByRole("heading", { name: "This invitation is gone" }).waitFor();
  await ann.getByRole("link", { name: "To the front page" }).click();
  await ann.getByRole("heading", { name: "Flagfall", level: 1 }).waitFor();
  assert.deepEqual(ann.errors, []);
  assert.deepEqual(bob.errors, []);
});
