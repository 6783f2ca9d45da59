// Every kind of claim under WBCA: the button, the verdict with the rule's words and its link, the clocks after it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, says, settle, shot, verdict, visitor } from "./kit.mjs";
import { cited, claimDraw, go, seconds, startTables } from "./order.mjs";

let tables;
let browser;
let ann; // White throughout
let bob;

before(async () => {
  [tables, browser] = await Promise.all([startTables(), launch()]);
  [ann, bob] = await Promise.all([visitor(browser), visitor(browser, { width: 360, height: 640, touch: true })]);
});

after(async () => {
  await browser?.close();
  await tables?.close();
});

/** The verdict on both pages: its words, the rules it links to, and the clocks that it shows. */
async function ended(words, links, clocks) {
  for (const page of [ann, bob]) {
    await verdict(page, words);
    assert.deepEqual(await cited(page.locator(".verdict .rule")), links);
    assert.match(await page.locator(".verdict .finals").last().textContent(), clocks);
  }
  assert.deepEqual([ann.errors, bob.errors], [[], []]);
}

test("7c: a fallen flag is claimed", async () => {
  await tables.seat(ann, bob, { base: [1, 300] });
  await bob.locator(".player.white.flagged").waitFor();
  await bob.getByRole("button", { name: "Flag fell" }).click();
  await ended("White's flag fell and Black claimed it", ["/rules/wbca#7c"], /White 0:00.0 \(flag down\), Black 5:00/);
  await shot(bob, "rule-7c-small");
  await bob.locator(".verdict .cite a").tap();
  await bob.waitForURL("**/rules/wbca#7c");
  const rule = bob.locator("[id='7c']");
  await rule.waitFor();
  assert.match(await rule.textContent(), /flag/);
  assert.ok((await rule.boundingBox()).y < 200, "the page opens at the rule");
  await shot(bob, "rule-page-small");
});

test("the rule books are a link away from the front page and from every game", async () => {
  await ann.goto(tables.url);
  await ann.getByRole("link", { name: "Rules", exact: true }).click();
  for (const book of ["wbca", "uscf", "cca", "fide"]) await ann.locator(`a[href="/rules/${book}"]`).first().waitFor();
  await tables.seat(ann, bob);
  const [page] = await Promise.all([ann.waitForEvent("popup"), ann.locator("header").getByRole("link", { name: "Rules" }).click()]);
  await page.waitForURL("**/rules/wbca");
  await page.close();
  await ann.locator(".player.white.running").waitFor(); // the game is where it was
});

test("7d: an illegal move is claimed", async () => {
  await tables.seat(ann, bob);
  await go(ann, bob, "a1a5");
  await bob.getByRole("button", { name: "Illegal move" }).click();
  await ended("White completed an illegal move and Black claimed it", ["/rules/wbca#7d"], /White (5:00|4:5\d), Black (5:00|4:5\d)/);
});

test("8c: both flags are down", async () => {
  await tables.seat(ann, bob, { base: [2, 1] });
  await go(ann, bob, "e2e4");
  await bob.locator(".player.black.flagged").waitFor();
  await go(bob, ann, "e7e5"); // a fallen flag stops nobody
  await ann.locator(".player.white.flagged").waitFor();
  await shot(ann, "both-flags-wide");
  await settle(bob);
  await bob.getByRole("button", { name: "Both flags" }).click();
  await ended("Both flags were down", ["/rules/wbca#8c"], /White 0:00.0 \(flag down\), Black 0:00.0 \(flag down\)/);
});

test("8d: perpetual check, the position counted without a word about checks", async () => {
  await tables.seat(ann, bob, { fen: "6k1/6p1/8/7Q/8/8/qr4PP/7K w - - 0 1" });
  for (let i = 0; i < 3; i++) {
    await go(ann, bob, "h5e8");
    await (i ? bob.locator(".seen", { hasText: ["", "2nd", "3rd"][i] }).waitFor() : assert.equal(await bob.locator(".seen").count(), 0));
    await go(bob, ann, "g8h7");
    await go(ann, bob, "e8h5");
    await go(bob, ann, "h7g8");
  }
  await shot(ann, "seen-wide");
  await shot(bob, "seen-small");
  await go(ann, bob, "h5e8");
  await bob.locator(".seen", { hasText: "4th time" }).waitFor();
  await claimDraw(bob);
  await ended("Perpetual check", ["/rules/wbca#8d"], /White (5:00|4:\d\d), Black (5:00|4:\d\d)/);
});

test("8e: rook against rook", async () => {
  await tables.seat(ann, bob, { fen: "8/8/3k4/8/8/3K4/R7/7r w - - 0 1" });
  await claimDraw(ann);
  await ended("Both sides have one and the same piece", ["/rules/wbca#8e"], /White (5:00|4:5\d), Black 5:00/);
});

test("8f: the player whose flag fell points out that nobody can win against him", async () => {
  await tables.seat(ann, bob, { fen: "8/8/3k4/8/8/3K4/8/7r b - - 0 1", base: [300, 1] });
  await bob.locator(".player.black.flagged").waitFor();
  await settle(bob);
  await shot(bob, "flagged-8f-small");
  await bob.getByRole("button", { name: "No material" }).click();
  await ended("no mating material", ["/rules/wbca#8f"], /White 5:00, Black 0:00.0 \(flag down\)/);
});

test("8f with 8h: a flag claim that a dead draw takes away cites both rules", async () => {
  await tables.seat(ann, bob, { fen: "8/8/4k3/4P3/8/4K3/8/8 b - - 0 1", base: [300, 1] });
  await ann.locator(".player.black.flagged").waitFor();
  await ann.getByRole("button", { name: "Flag fell" }).click();
  await ended("no mating material", ["/rules/wbca#8f", "/rules/wbca#8h"], /Black 0:00.0 \(flag down\)/);
  await shot(ann, "two-rules-wide");
});

test("8h: the king stands in front of the pawn; the keyboard claims", async () => {
  await tables.seat(ann, bob, { fen: "8/8/4k3/4P3/8/4K3/8/8 b - - 0 1" });
  await ann.keyboard.press("c");
  await ann.getByText("If it is wrong, it costs you a minute.").waitFor();
  await shot(ann, "claim-draw-wide");
  await settle(ann);
  await ann.keyboard.press("c");
  await ended("King and pawn against a king", ["/rules/wbca#8h"], /White 5:00, Black (5:00|4:5\d)/);
});

test("13b: a wrong claim of a draw costs a minute, and the game goes on", async () => {
  await tables.seat(ann, bob);
  const places = () => bob.locator(".claim, .press").evaluateAll((all) => all.map((el) => JSON.stringify(el.getBoundingClientRect())));
  const before = await places();
  await bob.getByRole("button", { name: "Claim Draw" }).click();
  await bob.getByText("If it is wrong, it costs you a minute.").waitFor();
  assert.deepEqual(await places(), before, "nothing moves");
  for (const name of ["Yes, claim", "No"]) {
    const box = await bob.getByRole("button", { name, exact: true }).boundingBox();
    assert.ok(box.width >= 48 && box.height >= 48 && box.x + box.width <= 360, name);
  }
  await shot(bob, "claim-draw-small");
  await settle(bob);
  await bob.getByRole("button", { name: "No", exact: true }).click();
  assert.ok((await seconds(bob, "black")) === 300, "asked and not claimed");
  await claimDraw(bob);
  await says(bob, "Your claim of a draw does not hold: a minute off your clock (4:00 left).");
  await says(ann, "Black's claim of a draw does not hold: a minute off Black's clock (4:00 left).");
  for (const page of [ann, bob]) {
    assert.deepEqual(await cited(page.locator(".status")), ["/rules/wbca#13b"]);
    assert.equal(await seconds(page, "black"), 240);
    await page.locator(".player.white.running").waitFor();
  }
  await shot(bob, "denied-small");
  await go(ann, bob, "e2e4");
  assert.deepEqual([ann.errors, bob.errors], [[], []]);
});

test("a dispute is written down when nobody is on duty, and stops nothing", async () => {
  await tables.seat(ann, bob);
  await bob.getByRole("button", { name: "More" }).click();
  await shot(bob, "menu-small");
  await bob.getByRole("button", { name: "Call the arbiter" }).click();
  await says(bob, "Nobody is on duty: it is written down");
  await says(ann, "Black called the arbiter");
  await ann.locator(".player.white.running").waitFor();
  await ann.getByRole("button", { name: "More" }).click();
  await shot(ann, "menu-wide");
  await ann.keyboard.press("Escape");
  assert.equal(await ann.locator(".menu").count(), 0);
});
