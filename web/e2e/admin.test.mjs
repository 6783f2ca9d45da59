// An administrator and the accounts of his server; bots of a person.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, shot, startServer, visitor } from "./kit.mjs";

let server;
let browser;
let ann;
let bob;
const PASSWORD = "correct horse";

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
  [ann, bob] = await Promise.all([visitor(browser), visitor(browser, { width: 360, height: 640, touch: true })]);
});

after(async () => {
  await browser?.close();
  await server?.close();
});

async function enter(page, path, button, name, password) {
  await page.goto(server.url + path);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: button }).click();
  await page.locator(".whoami strong", { hasText: name }).waitFor();
}

test("the first administrator is made on the command line; she gives roles, links and closes accounts", async () => {
  await enter(bob, "/register", "Register", "Bob the Second", PASSWORD);
  const link = server.admin("create", "Ann the First").split("\n")[0];
  server.admin("grant", "Ann the First", "administrator");
  await ann.goto(link);
  await ann.getByLabel("New password").fill(PASSWORD);
  await ann.getByRole("button", { name: "Set the password" }).click();
  await ann.getByText("Your new password is set").waitFor();
  await enter(ann, "/login", "Log in", "Ann the First", PASSWORD);
  await ann.goto(`${server.url}/account`);
  await ann.getByRole("link", { name: "Look after the accounts" }).click();

  await ann.getByLabel("Role of Ann the First").selectOption("player");
  await ann.getByRole("alert").filter({ hasText: "no administrator left" }).waitFor();
  await ann.getByLabel("Role of Bob the Second").selectOption("arbiter");
  await bob.goto(`${server.url}/account`);
  await bob.getByText("Arbiter, since").waitFor();
  const his = ann.getByRole("row", { name: "Bob the Second" });
  await his.getByRole("button", { name: "Link for a new password" }).click();
  const said = await ann.getByRole("status").textContent();
  await shot(ann, "admin");
  const another = "battery staple";
  await bob.goto(said.match(/http\S+/)[0]);
  await bob.getByLabel("New password").fill(another);
  await bob.getByRole("button", { name: "Set the password" }).click();
  await bob.getByText("Your new password is set").waitFor();
  await enter(bob, "/login", "Log in", "Bob the Second", another);

  await his.getByRole("button", { name: "Close the account" }).click();
  await his.getByRole("button", { name: "Open the account" }).waitFor();
  await bob.locator(".whoami strong", { hasText: "Guest" }).waitFor(); // out at once
  await bob.goto(`${server.url}/login`);
  await bob.getByLabel("Name").fill("Bob the Second");
  await bob.getByLabel("Password").fill(another);
  await bob.getByRole("button", { name: "Log in" }).click();
  await bob.getByRole("alert").filter({ hasText: "closed by an administrator" }).waitFor();
  assert.deepEqual([ann.errors, bob.errors], [[], []]);
});

test("a bot of one's own gets in by its token until that is deleted", async () => {
  await ann.goto(`${server.url}/account`);
  await ann.getByText("Bots", { exact: true }).click();
  await ann.getByLabel("Name of the bot").fill("Engine of Ann");
  await ann.getByRole("button", { name: "Make a bot" }).click();
  await ann.getByRole("button", { name: "New token" }).click();
  const token = await ann.locator("code").textContent();
  const come = () => ann.request.post(`${server.url}/api/enter`, { data: { token }, headers: { Origin: server.url } });
  const me = await (await come()).json();
  assert.deepEqual([me.name, me.bot, me.guest], ["Engine of Ann", true, false]);
  await shot(ann, "bots");
  await ann.getByRole("button", { name: "Delete", exact: true }).click();
  await ann.getByText("Token of").waitFor({ state: "detached" });
  assert.equal((await come()).status(), 401);
  await ann.getByRole("button", { name: "Delete the bot" }).click();
  await ann.getByText("Engine of Ann").waitFor({ state: "detached" });
  assert.deepEqual(ann.errors, []);
});
