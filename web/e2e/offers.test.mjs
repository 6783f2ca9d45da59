// What people offer one another: open seeks with a range, challenges by name, blocks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, settle, shot, startServer, visitor } from "./kit.mjs";

let server;
let browser;
let ann;
let bob;

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
  [ann, bob] = await Promise.all([visitor(browser), visitor(browser, { width: 360, height: 740, touch: true })]);
  await Promise.all([ann.goto(server.url), bob.goto(server.url)]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

const nameOf = (page) => page.locator(".whoami strong").textContent();

/** Ann's form for a game of a minute, by FIDE rules. */
async function fillIn({ from = "", to = "", name = "" } = {}) {
  await ann.getByLabel("Minutes").fill("1");
  await ann.locator(".friend").getByLabel("Rules").selectOption("fide");
  await ann.getByLabel("Rating from").fill(from);
  await ann.getByLabel("Rating to").fill(to);
  await ann.getByLabel("Name of your friend").fill(name);
}

/** Gives the game up before it begins, and goes home. */
async function home(...pages) {
  await Promise.all(pages.map((p) => p.waitForURL(/\/g\//)));
  await pages[0].getByRole("button", { name: "Resign" }).click();
  await settle(pages[0]);
  await pages[0].getByRole("button", { name: "Yes, resign" }).click();
  await Promise.all(pages.map((p) => p.locator(".verdict").waitFor()));
  await Promise.all(pages.map((p) => p.goto(server.url)));
}

test("a pool shows which ratings it looks for, and widens", async () => {
  await ann.getByRole("button", { name: "3 minutes" }).click();
  await ann.locator(".reach", { hasText: "For opponents rated 1450 to 1550; for any in 20 s." }).waitFor();
  await ann.locator(".reach", { hasText: /1425 to 1575; for any in 19 s/ }).waitFor();
  assert.equal(await bob.locator(".offer").count(), 0);
  await ann.getByRole("button", { name: "Cancel" }).click();
});

test("an open seek is seen by others, and taken by who fits", async () => {
  await fillIn({ from: "1600", to: "1500" });
  assert.equal(await ann.getByRole("button", { name: "Find anybody" }).isEnabled(), false);
  await fillIn({ from: "1600" });
  await ann.getByRole("button", { name: "Find anybody" }).click();
  await ann.locator(".reach", { hasText: "For opponents rated 1600 and more." }).waitFor();
  const offer = bob.locator(".offer", { hasText: await nameOf(ann) });
  await offer.waitFor();
  await offer.getByText("for ratings of 1600 and more").waitFor();
  assert.equal(await offer.getByRole("button", { name: "Not for you" }).isEnabled(), false);
  await ann.getByRole("button", { name: "Cancel" }).click();
  await offer.waitFor({ state: "detached" });
  await fillIn({ to: "1600" });
  await ann.getByRole("button", { name: "Find anybody" }).click();
  await offer.getByRole("button", { name: "Play" }).waitFor();
  await shot(bob, "offers-small");
  await settle(bob); // the list guards against clicks at what has just moved
  await offer.getByRole("button", { name: "Play" }).tap();
  await Promise.all([ann, bob].map((p) => p.waitForURL(/\/g\//)));
  await ann.locator(".terms", { hasText: "FIDE" }).waitFor();
  await home(ann, bob);
});

test("a challenge by name is declined, then accepted", async () => {
  const name = await nameOf(bob);
  await fillIn({ name });
  await ann.getByRole("button", { name: "Challenge" }).click();
  await ann.getByText(`${name} is challenged`).waitFor();
  const challenge = bob.getByRole("alert", { name: `Challenge of ${await nameOf(ann)}` });
  await challenge.getByText("1 minute").waitFor();
  await shot(bob, "challenge-small");
  await challenge.getByRole("button", { name: "Decline" }).tap();
  await ann.getByText(`${name} has declined.`).waitFor();
  await challenge.waitFor({ state: "detached" });
  await ann.getByRole("button", { name: "Challenge" }).click();
  await bob.reload(); // it waits for who comes later
  await challenge.getByRole("button", { name: "Accept" }).tap();
  await home(ann, bob);
});

test("nobody of that name; and who has blocked somebody is not challenged by him", async () => {
  const bobs = nameOf(bob);
  await fillIn({ name: "Nobody At All" });
  await ann.getByRole("button", { name: "Challenge" }).click();
  await ann.getByText("There is nobody of that name here.").waitFor();
  await fillIn({ name: await nameOf(bob) });
  await ann.getByRole("button", { name: "Challenge" }).click();
  await bob.getByRole("button", { name: `Block ${await nameOf(ann)}` }).tap();
  await ann.getByRole("button", { name: "Challenge" }).click();
  await ann.getByText("You cannot challenge this person.").waitFor();
  assert.equal(await bob.locator(".challenge").count(), 0);
  await bob.getByText("You block one person").tap();
  await bob.getByRole("button", { name: "Unblock" }).tap();
  await bob.getByText("You block one person").waitFor({ state: "detached" });
  await ann.getByRole("button", { name: "Challenge" }).click();
  await bob.getByRole("button", { name: "Accept" }).tap();
  await Promise.all([ann, bob].map((p) => p.waitForURL(/\/g\//)));
  await ann.getByRole("button", { name: "Resign" }).click();
  await settle(ann);
  await ann.getByRole("button", { name: "Yes, resign" }).click();
  await ann.getByRole("button", { name: "Block" }).click();
  await settle(ann);
  await ann.getByRole("button", { name: `Really block ${await bobs}?` }).click();
  await ann.getByRole("button", { name: "Unblock" }).waitFor();
  assert.deepEqual(ann.errors, []);
  assert.deepEqual(bob.errors, []);
});
