// Fingers, mice and keys: the board and the buttons under them.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { drag, launch, marked, move, press, says, settle, shot, sitDown, stands, startServer, tap, verdict, visitor } from "./kit.mjs";

let server;
let browser;
let ann;
let bob;

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

beforeEach(async () => {
  [ann, bob] = await Promise.all([visitor(browser), visitor(browser, { width: 360, height: 640, touch: true })]);
});

afterEach(async () => {
  await Promise.all([ann.context().close(), bob.context().close()]);
});

const over = async (page) => {
  await settle(page);
  await page.getByRole("button", { name: "Resign" }).click();
  await settle(page);
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await page.locator(".verdict").waitFor();
  assert.deepEqual([...ann.errors, ...bob.errors], []);
};

const boxes = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".controls button, .clock, cg-board")].map((el) => {
      const r = el.getBoundingClientRect();
      return { name: el.textContent.trim().slice(0, 14), kind: el.className.split(" ")[0], x: r.x, y: r.y, w: r.width, h: r.height };
    }),
  );

test("at 360x640 everything is on the screen, large enough, apart and in fixed places", async () => {
  await sitDown(server, ann, bob);
  const places = [];
  places.push(await boxes(bob));
  await move(ann, bob, "e2e4");
  await says(bob, "or your claim");
  places.push(await boxes(bob));
  await tap(bob, "e7", "e5");
  await says(bob, "Your clock still runs");
  await shot(bob, "released-small");
  places.push(await boxes(bob));
  for (const all of places) {
    for (const b of all) {
      assert.ok(b.x >= 0 && b.y >= 0 && b.x + b.w <= 360 && b.y + b.h <= 640, `${b.name} ${JSON.stringify(b)}`);
      if (b.kind !== "clock") assert.ok(b.w >= 48 && b.h >= 48, `${b.name} ${b.w}x${b.h}`);
    }
    assert.deepEqual(all.map(({ kind, x, y, w, h }) => [kind, x, y, w, h].slice(0, kind === "clock" ? 1 : 5)), places[0].map(({ kind, x, y, w, h }) => [kind, x, y, w, h].slice(0, kind === "clock" ? 1 : 5)));
    const pressBox = all.find((b) => b.kind === "press");
    for (const c of all.filter((b) => b.kind === "claim")) assert.ok(pressBox.y - (c.y + c.h) >= 40, "press and claims are apart");
  }
  assert.equal(await bob.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  await bob.getByRole("button", { name: "Press clock" }).tap();
  await ann.locator(".player.white.running").waitFor();
  await over(ann);
});

test("a keyboard alone plays: typed moves, Enter and space press, questions are answered", async () => {
  await sitDown(server, ann, bob);
  const field = ann.getByLabel("Move or command");
  await ann.keyboard.press("m");
  await ann.keyboard.type("e4");
  await ann.keyboard.press("Enter");
  await stands(bob, "e4", "white pawn");
  await ann.keyboard.press("Enter"); // nothing typed: the clock
  await bob.locator(".player.black.running").waitFor();
  await move(bob, ann, "e7e5");
  await ann.keyboard.type("p n");
  await ann.keyboard.press("Space"); // typing: this is a blank
  assert.equal(await field.inputValue(), "p n ");
  await ann.keyboard.press("Enter");
  await ann.locator(".answer", { hasText: "White knights: b1, g1. Black knights: b8, g8." }).waitFor();
  await field.fill("l");
  await ann.keyboard.press("Enter");
  await ann.locator(".answer", { hasText: "Black pawn e7 to e5." }).waitFor();
  await ann.locator("[aria-live=polite]", { hasText: "Black pawn e7 to e5." }).first().waitFor({ state: "attached" });
  await field.fill("Ke5");
  await ann.keyboard.press("Enter");
  await ann.locator(".answer", { hasText: "No king of yours reaches e5" }).waitFor();
  await field.fill("e1e5");
  await ann.keyboard.press("Enter");
  await stands(bob, "e5", "white king"); // both squares typed: the hand does what it is told
  await ann.keyboard.press("Escape");
  await press(ann);
  await bob.locator(".player.black.running").waitFor();
  await bob.getByRole("button", { name: "Illegal move" }).tap();
  await verdict(ann, "WBCA 7d");
});

test("a held space bar presses once, and space never triggers the button that has the focus", async () => {
  await sitDown(server, ann, bob);
  await ann.getByRole("button", { name: "Resign" }).focus();
  await press(ann);
  assert.equal(await ann.getByText("Resign?").count(), 0);
  const sent = [];
  ann.on("websocket", (ws) => ws.on("framesent", (f) => sent.push(JSON.parse(f.payload).t)));
  await ann.reload();
  await stands(ann, "e2", "white pawn");
  await drag(ann, "e2e4");
  await ann.locator("button.press.due").waitFor();
  for (let i = 0; i < 4; i++) await ann.keyboard.down("Space");
  await ann.keyboard.up("Space");
  await bob.locator(".player.black.running").waitFor();
  assert.equal(sent.filter((t) => t === "press").length, 1);
  await over(ann);
});

test("UI-05: dragged back and released, then a tap elsewhere: nothing is sent and nothing stays in hand", async () => {
  await sitDown(server, ann, bob);
  const box = await ann.locator("cg-board").boundingBox();
  const at = (f, r) => [box.x + ((f + 0.5) * box.width) / 8, box.y + ((7 - r + 0.5) * box.height) / 8];
  await ann.mouse.move(...at(4, 1));
  await ann.mouse.down();
  await ann.mouse.move(...at(4, 3), { steps: 4 });
  await ann.waitForTimeout(60);
  await ann.mouse.move(...at(4, 1), { steps: 4 });
  await ann.mouse.up();
  await marked(ann, "selected", 0);
  await ann.mouse.click(...at(6, 4)); // an empty square
  await ann.waitForTimeout(100);
  assert.equal(await ann.locator(".moves .move").count(), 0);
  await stands(ann, "e2", "white pawn");
  await over(ann);
});

test("a second finger on the glass neither drops the man in hand nor takes his place", async () => {
  await sitDown(server, ann, bob);
  await move(ann, bob, "e2e4");
  await says(bob, "or your claim");
  const box = await bob.locator("cg-board").boundingBox();
  const at = (f, r, id) => ({ x: box.x + ((7 - f + 0.5) * box.width) / 8, y: box.y + ((r + 0.5) * box.height) / 8, id });
  const hand = await bob.context().newCDPSession(bob);
  const touch = (type, ...touchPoints) => hand.send("Input.dispatchTouchEvent", { type, touchPoints });
  const palm = at(1, 2, 2);
  await touch("touchStart", at(4, 6, 1));
  await touch("touchMove", at(4, 5, 1));
  await touch("touchStart", at(4, 5, 1), palm);
  await bob.waitForTimeout(50); // the board draws the drag frame by frame
  await touch("touchEnd", palm); // lifted first: the man stays in hand
  await touch("touchMove", at(4, 5, 1));
  await touch("touchStart", at(4, 5, 1), palm);
  await touch("touchMove", at(4, 4, 1), palm);
  await bob.waitForTimeout(50);
  await touch("touchEnd", at(4, 4, 1)); // lifted while the other stays
  await stands(bob, "e5", "black pawn");
  await touch("touchEnd", palm);
  await says(bob, "Your clock still runs");
  await stands(ann, "e5", "black pawn");
  await over(ann);
});

test("promotion: the picker, the queen by pressing, and the way back (UI-03)", async () => {
  await sitDown(server, ann, bob);
  // Illegal walks, all overlooked: the shortest way to a last rank.
  await move(ann, bob, "a2a7");
  await move(bob, ann, "h7h6");
  await drag(ann, "a7b8");
  await ann.getByRole("dialog", { name: "Choose a piece" }).waitFor();
  await shot(ann, "promotion");
  await ann.keyboard.press("Escape");
  await stands(ann, "a7", "white pawn");
  await drag(ann, "a7b8");
  await ann.getByRole("button", { name: "knight" }).click();
  await stands(bob, "b8", "white knight");
  await press(ann);
  await bob.locator(".player.black.running").waitFor();
  await move(bob, ann, "h6h5");
  await move(ann, bob, "h2h7");
  await move(bob, ann, "h5h4");
  await drag(ann, "h7g8");
  await ann.getByRole("dialog", { name: "Choose a piece" }).waitFor();
  await ann.getByRole("button", { name: "Press clock" }).dispatchEvent("pointerdown", { button: 0 });
  await stands(bob, "g8", "white queen");
  await bob.locator(".player.black.running").waitFor();
  await move(bob, ann, "h4h3");
  await drag(ann, "g2g8").catch(() => undefined); // an own queen stands there: no destination
  await drag(ann, "g2f8");
  await ann.getByRole("dialog", { name: "Choose a piece" }).waitFor();
  await bob.getByRole("button", { name: "Resign" }).tap();
  await settle(bob);
  await bob.getByRole("button", { name: "Yes, resign" }).tap();
  await verdict(ann, "You win");
  assert.equal(await ann.getByRole("dialog").count(), 0);
  assert.deepEqual([...ann.errors, ...bob.errors], []);
});

test("fast mode presses with the drop; a premove waits for its turn and survives the next man in hand", async () => {
  await sitDown(server, ann, bob, { base: 120, mode: "fast" });
  await drag(ann, "e2e4");
  await bob.locator(".player.black.running").waitFor();
  await drag(ann, "g1f3"); // not on move: a premove
  await marked(ann, "premove", 2);
  const box = await ann.locator("cg-board").boundingBox();
  await ann.mouse.click(box.x + (1.5 * box.width) / 8, box.y + (7.5 * box.height) / 8); // picks up the other knight
  await marked(ann, "premove", 2);
  await shot(ann, "premove");
  await drag(bob, "e7e5");
  await stands(bob, "f3", "white knight");
  await bob.locator(".player.black.running").waitFor();
  await drag(ann, "d2d4");
  await marked(ann, "premove", 2);
  await ann.keyboard.press("Escape");
  await marked(ann, "premove", 0);
  await over(ann);
});

test("UI-01: a premove that became impossible is dead", async () => {
  await sitDown(server, ann, bob, { base: 120, mode: "fast" });
  for (const [page, m, clock] of [[ann, "e2e4", "black"], [bob, "e7e5", "white"], [ann, "d2d4", "black"]]) {
    await drag(page, m);
    await ann.locator(`.player.${clock}.running`).waitFor();
  }
  await drag(ann, "d4e5");
  await marked(ann, "premove", 2);
  await drag(bob, "e5d4");
  await ann.locator(".player.white.running").waitFor();
  await marked(ann, "premove", 0);
  await drag(ann, "d1d4");
  await bob.locator(".player.black.running").waitFor();
  await drag(bob, "b8c6");
  await ann.locator(".player.white.running").waitFor();
  await ann.waitForTimeout(300);
  await stands(ann, "d4", "white queen");
  await over(ann);
});

test("UI-07: a click on a button that has just become another one is ignored", async () => {
  await sitDown(server, ann, bob);
  await ann.evaluate(() => {
    const hasty = new MutationObserver(() => {
      const answers = [...document.querySelectorAll(".secondary button")].filter((b) => /^(Accept|Decline|Mute)$/.test(b.textContent));
      if (answers.length === 0) return;
      hasty.disconnect();
      for (const b of answers) b.click();
    });
    hasty.observe(document.body, { childList: true, subtree: true });
  });
  await bob.getByRole("button", { name: "Offer draw" }).tap();
  await ann.getByRole("button", { name: "Accept", exact: true }).waitFor();
  await ann.waitForTimeout(200);
  assert.equal(await ann.getByRole("button", { name: "Accept", exact: true }).count(), 1);
  assert.equal(await ann.locator(".verdict").count(), 0);
  await settle(ann);
  await ann.getByRole("button", { name: "Decline", exact: true }).click();
  await ann.getByRole("button", { name: "Offer draw" }).waitFor();
  await over(ann);
});

test("the practice leads through place, press, both claims, and is offered only once", async () => {
  const guest = await visitor(browser);
  await guest.goto(server.url);
  await guest.getByRole("link", { name: "Practise for one minute" }).click();
  await drag(guest, "e2e4");
  await guest.locator("button.press.due").waitFor();
  await press(guest);
  await guest.getByRole("heading", { name: "Claim the illegal move" }).waitFor();
  await guest.getByRole("button", { name: "Illegal move" }).click();
  await guest.getByRole("button", { name: "Go on" }).click();
  await guest.getByRole("heading", { name: "Claim the flag" }).waitFor();
  await guest.getByRole("button", { name: "Flag fell" }).click();
  await guest.getByRole("link", { name: "Play a real game" }).click();
  await guest.getByRole("heading", { name: "Play now" }).waitFor();
  assert.equal(await guest.getByText("First time here?").count(), 0);
  assert.deepEqual(guest.errors, []);
  await guest.context().close();
});
