// Whole games between two browsers and the real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drag, empty, launch, move, press, says, settle, shot, sitDown, stands, startServer, verdict, visitor } from "./kit.mjs";

let server;
let browser;
let ann;
let bob;

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
  [ann, bob] = await Promise.all([visitor(browser), visitor(browser, { width: 360, height: 640, touch: true })]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const quiet = () => {
  assert.deepEqual(ann.errors, []);
  assert.deepEqual(bob.errors, []);
};

test("two strangers press “5 minutes” and play Légal's game to the mate", async () => {
  await Promise.all([ann.goto(server.url), bob.goto(server.url)]);
  await shot(ann, "front-wide");
  await shot(bob, "front-small");
  await ann.getByRole("button", { name: "5 minutes" }).click();
  await ann.getByText("Looking for an opponent").waitFor();
  await bob.getByRole("button", { name: "5 minutes" }).click();
  await Promise.all([ann.waitForURL(/\/g\//), bob.waitForURL(/\/g\//)]);
  await ann.locator(".player.white.running").waitFor();
  const annIsBlack = (await ann.locator(".cg-wrap.orientation-black").count()) > 0;
  const [white, black] = annIsBlack ? [bob, ann] : [ann, bob];
  const legal = ["e2e4", "e7e5", "g1f3", "d7d6", "f1c4", "c8g4", "b1c3", "g7g6", "f3e5", "g4d1", "c4f7", "e8e7"];
  for (const [i, m] of legal.entries()) await (i % 2 ? move(black, white, m) : move(white, black, m));
  await drag(white, "c3d5"); // mate stands at the release: no press
  await Promise.all([verdict(white, "You win"), verdict(black, "You lose")]);
  await verdict(black, "WBCA 7a");
  await white.locator(".moves", { hasText: "Nd5#" }).waitFor();
  await shot(ann, "mate-wide");
  await shot(bob, "mate-small");
  quiet();
});

test("a rematch swaps the colours; an illegal move is overlooked, a later one claimed", async () => {
  const annWasBlack = (await ann.locator(".cg-wrap.orientation-black").count()) > 0;
  const first = ann.url();
  await ann.getByRole("button", { name: "Rematch" }).click();
  await bob.getByRole("button", { name: "Accept rematch" }).waitFor();
  await settle(bob);
  await bob.getByRole("button", { name: "Accept rematch" }).tap();
  await Promise.all([ann, bob].map((p) => p.waitForURL((u) => u.pathname.startsWith("/g/") && u.href !== first)));
  await Promise.all([ann, bob].map((p) => p.locator(".player.white.running").waitFor()));
  assert.equal((await ann.locator(".cg-wrap.orientation-white").count()) > 0, annWasBlack);
  const [white, black] = annWasBlack ? [ann, bob] : [bob, ann];
  await move(white, black, "e2e4");
  await move(black, white, "e7e5");
  await move(white, black, "a1a5"); // a rook through its own pawn
  await stands(black, "a5", "white rook");
  await move(black, white, "b8c6"); // overlooked: it stands
  await says(white, "Your move, or your claim");
  await move(white, black, "f1c4");
  await move(black, white, "d8d4"); // a queen through her own pawn
  await shot(ann, "before-the-claim");
  await white.getByRole("button", { name: "Illegal move" }).click();
  await Promise.all([verdict(white, "You win"), verdict(black, "You lose")]);
  await verdict(white, "WBCA 7d");
  await white.locator(".moves", { hasText: "illegal" }).waitFor();
  assert.equal(await white.locator(".moves .illegal").count(), 2);
  await shot(ann, "claim-wide");
  await shot(bob, "claim-small");
  quiet();
});

test("the finished game can be replayed, downloaded and looked at by anybody", async () => {
  await ann.keyboard.press("Home");
  await stands(ann, "a1", "white rook");
  for (let i = 0; i < 3; i++) await ann.keyboard.press("ArrowRight");
  await stands(ann, "a5", "white rook");
  await ann.keyboard.press("ArrowLeft");
  await stands(ann, "a1", "white rook");
  const [download] = await Promise.all([ann.waitForEvent("download"), ann.getByRole("link", { name: "PGN" }).click()]);
  assert.match(download.suggestedFilename(), /^flagfall-.+\.pgn$/);
  const guest = await visitor(browser);
  await guest.goto(ann.url());
  await guest.locator(".verdict").waitFor();
  assert.equal(await guest.getByRole("button", { name: /Rematch/ }).count(), 0);
  await guest.context().close();
  quiet();
});

test("an unpressed illegal move is taken back, and the touched man must move", async () => {
  await sitDown(server, ann, bob);
  await drag(ann, "a1a5");
  await stands(bob, "a5", "white rook");
  await ann.keyboard.press("u");
  await stands(ann, "a1", "white rook");
  await empty(bob, "a5");
  await move(ann, bob, "b1c3"); // the rook had no legal move, so the duty is void
  await move(bob, ann, "e7e5");
  await drag(ann, "a1b3");
  await ann.getByRole("button", { name: "Take back" }).click();
  await stands(ann, "a1", "white rook");
  await drag(ann, "d2d4"); // but now it has one
  await says(ann, "must move");
  await stands(ann, "d2", "white pawn");
  await move(ann, bob, "a1b1");
  await ann.getByRole("button", { name: "Resign" }).click();
  await settle(ann);
  await ann.getByRole("button", { name: "Yes, resign" }).click();
  await verdict(bob, "WBCA 7b");
  quiet();
});

test("a reply before the press waits for it; a draw is offered and accepted", async () => {
  await sitDown(server, ann, bob);
  await drag(ann, "e2e4");
  await says(bob, "You may answer already");
  await drag(bob, "e7e5");
  await says(bob, "waits for your opponent's press");
  await stands(ann, "e7", "black pawn"); // nobody but its author sees it
  await press(ann);
  await stands(ann, "e5", "black pawn");
  await says(bob, "Your clock still runs");
  await bob.getByRole("button", { name: "Press clock" }).tap();
  await ann.locator(".player.white.running").waitFor();
  await ann.keyboard.press("d");
  await bob.getByRole("button", { name: "Accept", exact: true }).waitFor();
  await shot(bob, "offer-small");
  await settle(bob);
  await bob.getByRole("button", { name: "Accept", exact: true }).tap();
  await verdict(ann, "Draw");
  await verdict(ann, "WBCA 8b");
  quiet();
});

test("nobody calls the flag; the opponent claims it", async () => {
  await sitDown(server, ann, bob, { base: 2 });
  await drag(ann, "e2e4");
  await ann.locator(".player.white.flagged").waitFor();
  assert.equal(await ann.locator(".player.white .digits").textContent(), "0:00.0");
  await shot(ann, "flag-wide");
  await shot(bob, "flag-small");
  assert.equal(await bob.locator(".verdict").count(), 0);
  await bob.getByRole("button", { name: "Flag fell" }).tap();
  await verdict(bob, "You win");
  await verdict(ann, "Black claimed it");
  await verdict(ann, "WBCA 7c");
  quiet();
});

test("a false claim of an illegal move is denied in words, and play goes on", async () => {
  await sitDown(server, ann, bob);
  await move(ann, bob, "e2e4");
  await bob.getByRole("button", { name: "Illegal move" }).tap();
  await says(bob, "was wrong");
  await says(ann, "was wrong");
  await move(bob, ann, "e7e5");
  await ann.getByRole("button", { name: "Resign" }).click();
  await ann.getByRole("button", { name: "No", exact: true }).waitFor();
  await settle(ann);
  await ann.getByRole("button", { name: "No", exact: true }).click();
  await ann.getByRole("button", { name: "Resign" }).waitFor();
  quiet();
});
