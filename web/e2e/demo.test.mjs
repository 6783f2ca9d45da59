// A win that no search decides is shown on a side board, in the browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drag, launch, says, settle, shot, stands, tap, verdict, visitor } from "./kit.mjs";
import { cited, claimDraw, seconds, startTables } from "./order.mjs";

let tables;
let browser;
let ann;
let bob;

before(async () => {
  [tables, browser] = await Promise.all([startTables(), launch()]);
  [ann, bob] = await Promise.all([visitor(browser), visitor(browser, { width: 360, height: 640, touch: true })]);
});

after(async () => {
  await browser?.close();
  await tables?.close();
});

const shown = (page) => page.locator(".demotext").waitFor({ timeout: 60_000 });

test("8g: bishops of opposite colours; White has to show the win, cannot, and it is a draw", async () => {
  const address = await tables.seat(ann, bob, { fen: "8/4k3/8/4b3/4P3/4K3/8/5B2 b - - 0 1" });
  const eve = await visitor(browser);
  await eve.goto(address);
  await claimDraw(bob);
  await says(ann, "Black's claim of a draw is being judged; both clocks stand.");
  assert.equal(await ann.locator(".player.running").count(), 0);
  assert.equal(await ann.getByRole("button", { name: "Claim Draw" }).isDisabled(), true);
  assert.equal(await ann.getByRole("button", { name: "Resign" }).isDisabled(), false);
  await shot(ann, "judged-wide");
  await Promise.all([ann, bob].map(shown));
  await says(eve, "White has to show on a side board that White wins");
  assert.equal(await eve.locator(".sideboard").count(), 0, "spectators see it when it is over");
  assert.deepEqual(await cited(ann.locator(".demotext")), ["/rules/wbca#8g"]);
  await shot(eve, "demo-watching");
  await says(bob, "You are on move on the side board");
  await tap(bob, "e5", "d4"); // check
  await ann.locator(".player.white.running").waitFor();
  await drag(ann, "f1f4"); // no bishop goes there
  await says(ann, "Only legal moves");
  await stands(ann, "f1", "white bishop");
  await drag(ann, "e3d3");
  await bob.locator(".player.black.running").waitFor();
  await shot(ann, "demo-wide");
  await shot(bob, "demo-small");
  await ann.reload();
  await shown(ann);
  await stands(ann, "d3", "white king");
  assert.ok((await seconds(ann, "white")) <= 120 && (await seconds(ann, "black")) <= 60);
  await ann.getByRole("button", { name: "I cannot show it" }).click();
  await settle(ann);
  await ann.getByRole("button", { name: "Yes, concede" }).click();
  for (const page of [ann, bob, eve]) {
    await verdict(page, "Bishops of opposite colours");
    assert.deepEqual(await cited(page.locator(".verdict .rule")), ["/rules/wbca#8g"]);
    await page.locator(".verdict", { hasText: "On the side board: e5d4 e3d3" }).waitFor();
    assert.match(await page.locator(".verdict .finals").last().textContent(), /White 5:00, Black (5:00|4:5\d)/);
  }
  await shot(ann, "demo-verdict-wide");
  await shot(bob, "demo-verdict-small");
  await eve.context().close();
});

test("8i: rook and rook pawn; the claimant believes the win, and his claim costs a minute", async () => {
  await tables.seat(ann, bob, { fen: "8/k7/P7/2K5/8/8/7R/6r1 w - - 0 1" });
  await claimDraw(bob);
  await Promise.all([ann, bob].map(shown));
  assert.deepEqual(await cited(bob.locator(".demotext")), ["/rules/wbca#8i"]);
  await ann.getByRole("textbox", { name: "Move or command" }).fill("h2h7");
  await ann.keyboard.press("Enter"); // a typed move
  await bob.locator(".player.black.running").waitFor();
  await bob.getByRole("button", { name: "I believe the win" }).tap();
  await settle(bob);
  await bob.getByRole("button", { name: "Yes, concede" }).tap();
  for (const page of [ann, bob]) {
    await says(page, "does not hold: a minute off");
    assert.deepEqual(await cited(page.locator(".status")), ["/rules/wbca#13b"]);
    await stands(page, "h2", "white rook"); // the game's own board stood still
    await page.locator(".player.white.running").waitFor();
    assert.equal(await seconds(page, "black"), 240);
  }
  assert.deepEqual([ann.errors, bob.errors], [[], []]);
});
