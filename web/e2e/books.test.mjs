// US Chess, Continental and FIDE in the browser, and games by other clocks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drag, launch, move, says, settle, shot, stands, startServer, verdict, visitor } from "./kit.mjs";
import { cited, claimDraw, go, seconds, startTables } from "./order.mjs";

let tables;
let server;
let browser;
let ann;
let bob;

before(async () => {
  [tables, server, browser] = await Promise.all([startTables(), startServer(), launch()]);
  [ann, bob] = await Promise.all([visitor(browser), visitor(browser, { width: 360, height: 640, touch: true })]);
});

after(async () => {
  await browser?.close();
  await Promise.all([tables?.close(), server?.close()]);
});

const noErrors = () => assert.deepEqual([ann.errors, bob.errors], [[], []]);

test("US Chess: an illegal move is put back two moves later, and the man must move", async () => {
  await tables.seat(ann, bob, { rules: "uscf" });
  await go(ann, bob, "e2e4");
  await go(bob, ann, "e7e5");
  await go(ann, bob, "h1h4"); // a rook through its own pawn
  await go(bob, ann, "g8f6");
  await go(ann, bob, "b1c3");
  await bob.getByRole("button", { name: "Illegal move" }).click();
  await says(bob, "White's Rh1-h4 was illegal and is taken back; the man on h1 must move if it can.");
  await says(bob, "Two minutes more for you (");
  await says(ann, "Your Rh1-h4 was illegal");
  for (const page of [ann, bob]) {
    assert.deepEqual(await cited(page.locator(".status")), ["/rules/uscf#11D"]);
    await stands(page, "h1", "white rook");
    await stands(page, "g8", "black knight");
    await page.locator(".player.white.running").waitFor();
    assert.ok((await seconds(page, "black")) > 400);
  }
  await shot(ann, "restored-wide");
  await shot(bob, "restored-small");
  await go(ann, bob, "g1f3"); // the rook cannot move, so another man may
  noErrors();
});

test("US Chess: the touched man must move if it can", async () => {
  await tables.seat(ann, bob, { rules: "uscf" });
  await go(ann, bob, "b1b3");
  await bob.getByRole("button", { name: "Illegal move" }).click();
  await ann.locator(".player.white.running").waitFor();
  await drag(ann, "e2e4");
  await says(ann, "must move");
  await stands(ann, "e2", "white pawn");
  await go(ann, bob, "b1c3");
});

test("CCA: a wrong claim of a third occurrence gives the opponent two minutes", async () => {
  await tables.seat(ann, bob, { rules: "cca" });
  await ann.getByRole("button", { name: "Claim Draw" }).click();
  await ann.getByText("If it is wrong, your opponent gets two minutes.").waitFor();
  await settle(ann);
  await ann.getByRole("button", { name: "Yes, claim" }).click();
  await says(bob, "White's claim of a draw does not hold. Two minutes more for you (7:00 left).");
  assert.deepEqual(await cited(bob.locator(".status")), ["/rules/cca#24"]);
  assert.equal(await seconds(ann, "black"), 420);
  noErrors();
});

test("CCA: losing chances are answered with a delay clock, which runs before the time", async () => {
  await tables.seat(ann, bob, { rules: "cca", base: [100, 100], fen: "8/8/3k4/8/8/3K4/R7/7r w - - 0 1" });
  await ann.getByRole("button", { name: "More" }).click();
  await ann.getByRole("button", { name: "no losing chances" }).click();
  await says(bob, "White has half the time");
  assert.deepEqual(await cited(bob.locator(".status")), ["/rules/cca#17"]);
  await go(ann, bob, "a2a3");
  await bob.locator(".player.black .delay", { hasText: "delay 4" }).waitFor();
  await shot(bob, "delay-small");
  await shot(ann, "delay-wide");
  assert.ok((await seconds(ann, "white")) <= 50);
  assert.equal(await seconds(bob, "black"), 100, "the delay runs first");
  noErrors();
});

test("FIDE: the server sees illegal moves: the first costs a minute, the second the game", async () => {
  await tables.seat(ann, bob, { rules: "fide" });
  for (const page of [ann, bob]) {
    assert.equal(await page.getByRole("button", { name: "Illegal move" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Flag fell" }).count(), 0);
  }
  await drag(ann, "a1a5");
  await says(ann, "Your Ra1-a5 was illegal and is taken back");
  await says(bob, "A minute more for you (6:00 left). A second one loses.");
  assert.deepEqual(await cited(bob.locator(".status")), ["/rules/fide#7.5.1"]);
  await stands(bob, "a1", "white rook");
  assert.equal(await seconds(bob, "black"), 360);
  await shot(bob, "fide-small");
  await drag(ann, "a1a6");
  for (const page of [ann, bob]) {
    await verdict(page, "White completed a second illegal move");
    assert.deepEqual(await cited(page.locator(".verdict .rule")), ["/rules/fide#7.5.5"]);
  }
  noErrors();
});

test("FIDE: the flag is called by itself", async () => {
  await tables.seat(ann, bob, { rules: "fide", base: [1, 300] });
  await verdict(bob, "White's flag fell");
  assert.deepEqual(await cited(bob.locator(".verdict .rule")), ["/rules/fide#6.5"]);
  await verdict(ann, "You lose");
});

test("a threefold repetition is claimed on move", async () => {
  await tables.seat(ann, bob, { rules: "uscf" });
  for (let i = 0; i < 2; i++) {
    await go(ann, bob, "g1f3");
    await go(bob, ann, "g8f6");
    await go(ann, bob, "f3g1");
    await go(bob, ann, "f6g8");
  }
  await ann.locator(".seen", { hasText: "3rd time" }).waitFor();
  await claimDraw(ann);
  await verdict(bob, "three times");
  assert.deepEqual(await cited(bob.locator(".verdict .rule")), ["/rules/uscf#14C"]);
});

test("a friend is invited to a FIDE game with an increment; the terms are said everywhere", async () => {
  await ann.goto(server.url);
  const form = ann.locator(".friend");
  await ann.getByText("A WBCA-rated time control").waitFor();
  await form.getByLabel("Minutes").fill("2");
  await ann.getByText("Not WBCA-rated: that takes 3 to 7 minutes").waitFor();
  await form.getByLabel("Minutes").fill("5");
  await form.getByLabel("Timing").selectOption("increment");
  await form.getByLabel("Each move").fill("3");
  await ann.getByText("without increment or delay").waitFor();
  await form.getByLabel("Rules").selectOption("fide");
  await ann.getByText("it is played by the FIDE rules").waitFor();
  await form.getByLabel("You play").selectOption("white");
  await shot(ann, "terms-form-wide");
  await bob.goto(server.url);
  await bob.locator(".friend").scrollIntoViewIfNeeded();
  await shot(bob, "terms-form-small");
  await form.getByRole("button", { name: "Make a link" }).click();
  const terms = "5 minutes + 3 seconds a move, over the board, FIDE rules";
  await ann.getByText(`${terms}, not WBCA-rated`).waitFor();
  await bob.goto(await ann.getByLabel("Link of the invitation").inputValue());
  await bob.getByText("5 minutes + 3 seconds a move").waitFor();
  await shot(bob, "invite-small");
  await bob.getByRole("button", { name: "Accept and sit down" }).click();
  await Promise.all([ann, bob].map((p) => p.locator(".player.white.running").waitFor()));
  await ann.locator("header", { hasText: terms }).waitFor();
  await move(ann, bob, "e2e4");
  assert.ok((await seconds(ann, "white")) > 300, "the increment came with the press");
  const eve = await visitor(browser);
  await eve.goto(server.url);
  await eve.locator(".games", { hasText: terms }).waitFor();
  await eve.context().close();
  await move(bob, ann, "e7e5");
  await ann.getByRole("button", { name: "Resign" }).click();
  await settle(ann);
  await ann.getByRole("button", { name: "Yes, resign" }).click();
  await verdict(bob, "FIDE 5.1.2");
  await bob.locator("header", { hasText: terms }).waitFor();
  noErrors();
});
