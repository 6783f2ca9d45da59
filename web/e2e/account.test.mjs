// People with an account: a guest becomes one in the middle of a game, logs out, comes back.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { launch, move, says, settle, shot, sitDown, startServer, verdict, visitor } from "./kit.mjs";

let server;
let browser;
let ann;
let bob;
let annsName;
const PASSWORD = "correct horse";

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

/** Waits until the front page says who one is. */
const youAre = (page, name) => page.locator(".whoami strong", { hasText: name }).waitFor();

test("a guest registers in the middle of a game, keeps his seat and plays on", async () => {
  const game = await sitDown(server, ann, bob);
  await move(ann, bob, "e2e4");
  await move(bob, ann, "e7e5");
  const guest = (await (await ann.request.get(`${server.url}/api/me`)).json()).id;
  await ann.goto(`${server.url}/register`);
  await ann.getByLabel("Name").fill("admin");
  await ann.getByLabel("Password").fill(PASSWORD);
  await ann.getByRole("button", { name: "Register" }).click();
  await ann.getByRole("alert").filter({ hasText: "This name is reserved" }).waitFor();
  await shot(ann, "register");
  annsName = "Ann Otherplayer";
  await ann.getByLabel("Name").fill(annsName);
  await ann.getByRole("button", { name: "Register" }).click();
  await youAre(ann, annsName);
  await shot(ann, "front-member");
  await ann.getByRole("link", { name: "Back to your game" }).click();
  await ann.waitForURL(new RegExp(`/g/${game}`));
  await ann.locator(".player.white.running").waitFor();
  await move(ann, bob, "f1c4");
  await says(bob, "Your move");
  const me = await (await ann.request.get(`${server.url}/api/me`)).json();
  assert.deepEqual([me.id, me.name, me.guest, me.game], [guest, annsName, false, game]);
  await move(bob, ann, "b8c6");
  await move(ann, bob, "d1h5");
  await move(bob, ann, "g8f6");
  await ann.locator(".player.white.running").waitFor();
  quiet();
});

test("he logs out and is nobody, and logs in and is himself", async () => {
  await ann.goto(server.url);
  await youAre(ann, annsName);
  await ann.getByRole("button", { name: "Log out" }).click();
  await youAre(ann, "Guest");
  await ann.getByRole("link", { name: "Log in" }).click();
  await ann.getByLabel("Name").fill("ann otherplayer");
  await ann.getByLabel("Password").fill("wrong horse");
  await ann.getByRole("button", { name: "Log in" }).click();
  await ann.getByRole("alert").filter({ hasText: "Name or password is wrong" }).waitFor();
  await ann.getByLabel("Password").fill(PASSWORD);
  await ann.getByRole("button", { name: "Log in" }).click();
  await youAre(ann, annsName);
  await ann.getByRole("link", { name: "Back to your game" }).click(); // still his
  await ann.locator(".player.white.running").waitFor();
  quiet();
});

test("the account: another password, the data as a file, an end elsewhere, and the end of it", async () => {
  const elsewhere = await visitor(browser);
  await elsewhere.goto(`${server.url}/login`);
  await elsewhere.getByLabel("Name").fill(annsName);
  await elsewhere.getByLabel("Password").fill(PASSWORD);
  await elsewhere.getByRole("button", { name: "Log in" }).click();
  await youAre(elsewhere, annsName);

  await ann.goto(server.url);
  await ann.getByRole("link", { name: "Account" }).click();
  await ann.getByText("Elsewhere, since").waitFor();
  await shot(ann, "account");
  await ann.getByLabel("Password now").fill(PASSWORD);
  await ann.getByLabel("New password").fill("battery staple");
  await ann.getByRole("button", { name: "Change the password" }).click();
  await ann.getByText("logged out everywhere else").waitFor();
  await ann.getByText("Elsewhere, since").waitFor({ state: "detached" });
  await youAre(elsewhere, "Guest"); // its socket was closed, and it came back as a guest

  const [file] = await Promise.all([ann.waitForEvent("download"), ann.getByRole("link", { name: "Save as a file" }).click()]);
  const data = JSON.parse(await readFile(await file.path(), "utf8"));
  assert.equal(data.account.name, annsName);

  await ann.getByText("Delete the account").click();
  await ann.getByLabel("Your password").fill("battery staple");
  await ann.getByRole("button", { name: "Delete my account" }).click();
  await ann.getByRole("alert").filter({ hasText: "finish that game first" }).waitFor();
  await bob.getByRole("button", { name: "Resign" }).click();
  await settle(bob);
  await bob.getByRole("button", { name: "Yes, resign" }).click();
  await verdict(bob, "You lose");
  await ann.getByRole("button", { name: "Delete my account" }).click();
  await youAre(ann, "Guest");
  await bob.goto(server.url);
  await youAre(bob, "Guest");
  await shot(bob, "front-guest-small");
  await bob.goBack();
  await bob.locator(".player.white", { hasText: "deleted" }).waitFor();
  assert.deepEqual(elsewhere.errors, []);
  quiet();
});
