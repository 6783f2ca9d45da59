// A club and its championship: members and roles, a list of players with real names, a password, entries that are approved,
// the check-in, rounds that the organiser starts, a game reported, the report in the end.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { launch, move, settle, shot, startServer, verdict, visitor } from "./kit.mjs";

let server;
let browser;
let olga; // owner of the club
let quentin; // its arbiter
let lee; // on the list
let nowak; // on the list
let guest; // on a phone, and on no list
let pages;
let failed;

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
  [olga, quentin, lee, nowak, guest] = await Promise.all([
    visitor(browser), visitor(browser), visitor(browser), visitor(browser), visitor(browser, { width: 360, height: 740, touch: true }),
  ]);
  pages = { olga, quentin, lee, nowak, guest };
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Each step needs the one before it. */
const step = (name, f) => test(name, async () => {
  if (failed) throw new Error(`not begun: “${failed}” has failed`);
  try {
    await f();
    for (const [who, page] of Object.entries(pages)) assert.deepEqual(page.errors, [], who);
  } catch (e) {
    failed = name;
    for (const [who, page] of Object.entries(pages)) await shot(page, `club-failed-${who}`).catch(() => undefined);
    throw e;
  }
});

/** A picture of a page as a narrow phone has it, which must not scroll sideways. */
async function narrow(page, name) {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.waitForTimeout(250); // what is laid out again
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  await shot(page, name);
  await page.setViewportSize(size);
  assert.ok(wide <= 360, `${name} is ${wide} px wide`);
}

async function register(page, name) {
  await page.goto(`${server.url}/register`);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password").fill("correct horse");
  await page.getByRole("button", { name: "Register" }).click();
  await page.locator(".whoami strong", { hasText: name }).waitFor();
}

step("a club is made; who joins it gets a role", async () => {
  await Promise.all([register(olga, "Olga"), register(quentin, "Quentin")]);
  await olga.goto(`${server.url}/clubs`);
  await olga.getByText("New club").click();
  await olga.getByRole("textbox", { name: "Name", exact: true }).fill("Riverside Chess Club");
  await olga.getByLabel("About it").fill("Blitz every Tuesday.");
  await olga.getByRole("button", { name: "Make the club" }).click();
  await olga.waitForURL(/\/c\/riverside-chess-club$/);
  await quentin.goto(`${server.url}/clubs`);
  await quentin.getByRole("link", { name: "Riverside Chess Club" }).click();
  await quentin.getByRole("button", { name: "Join the club" }).click();
  await quentin.getByRole("button", { name: "Leave the club" }).waitFor();
  await olga.reload();
  await olga.getByLabel("Role of Quentin").selectOption("arbiter");
  await quentin.reload();
  await quentin.locator(".members li", { hasText: "Quentin" }).getByText("arbiter").waitFor();
  await narrow(olga, "club");
});

step("its round robin takes a password and approval; the arbiters of the club are proposed", async () => {
  await olga.getByRole("link", { name: "New event of the club" }).click();
  await olga.getByLabel("Name of the event").fill("Championship");
  await olga.getByText("Round robin", { exact: true }).click();
  await olga.getByLabel("Who may come").selectOption("password");
  await olga.getByLabel("Password of the event").fill("sesame");
  await olga.getByText("More settings").click();
  await olga.getByLabel("You approve every entry").check();
  await narrow(olga, "club-new-event");
  await olga.getByText("Its address").click();
  await olga.getByPlaceholder("made from the name").fill("championship");
  await olga.getByRole("button", { name: "Make the event" }).click();
  await olga.waitForURL(/\/e\/championship\/manage$/);
  await olga.getByLabel("Arbiter 1").waitFor();
  assert.equal(await olga.getByLabel("Arbiter 1").inputValue(), "Quentin");
});

step("a list from a spreadsheet is taken as a whole or not at all", async () => {
  await olga.getByText("A list from a spreadsheet").click();
  const list = olga.getByLabel("Or paste it here");
  await list.fill("Lee;Bruce Lee;1700\nNowak;Jan Nowak;strong");
  await olga.getByRole("button", { name: "Take the list" }).click();
  await olga.getByText(/line 2.*strong/i).waitFor();
  await olga.getByText("Nobody has entered yet.").waitFor();
  await list.fill("Lee;Bruce Lee;1700\nNowak;Jan Nowak;1650\nZoe;;1500");
  await olga.getByRole("button", { name: "Take the list" }).click();
  await olga.locator(".players th", { hasText: "Jan Nowak" }).waitFor();
  await olga.getByRole("button", { name: "Take out Zoe" }).click();
  await olga.getByLabel("Why is Zoe taken out?").fill("is ill");
  await olga.locator(".reason").getByRole("button", { name: "Take out" }).click();
  await olga.locator(".players tr", { hasText: "Zoe" }).getByText("is ill").waitFor();
  await narrow(olga, "club-manage");
});

step("who is on the list says so; who is not waits for the organiser", async () => {
  for (const [page, name] of [[lee, "Lee"], [nowak, "Nowak"]]) {
    await page.goto(`${server.url}/e/championship`);
    await page.getByLabel("Are you on the organiser’s list?").selectOption({ label: name });
    await page.getByLabel("The event’s password").fill("open");
    await page.getByRole("button", { name: "Enter" }).click();
    await page.locator(".you").getByRole("alert").waitFor();
    await page.getByLabel("The event’s password").fill("sesame");
    await page.getByRole("button", { name: "Enter" }).click();
    await page.getByText("You are in.").waitFor();
  }
  await guest.goto(`${server.url}/e/championship`);
  await guest.getByLabel("Your name").fill("Gast");
  await guest.getByLabel("The event’s password").fill("sesame");
  await guest.getByRole("button", { name: "Enter" }).click();
  await guest.getByText("waits for the organiser’s approval").waitFor();
  await olga.getByRole("button", { name: "Approve Gast" }).click();
  await guest.getByText("You are in.").waitFor();
  await shot(guest, "club-entered");
});

step("the check-in, and the first round: two are called, the third reads that he has a bye", async () => {
  await olga.getByRole("button", { name: "Begin the check-in" }).click();
  for (const page of [lee, nowak, guest]) {
    await page.getByRole("button", { name: "I am here" }).click();
    await page.getByText("You have checked in.").waitFor();
  }
  await lee.reload();
  await lee.getByText("You have checked in.").waitFor();
  await olga.getByRole("button", { name: "Start it now" }).click();
  const next = olga.getByRole("button", { name: "Start the next round" });
  await next.waitFor();
  if (!(await olga.getByText("Round 1 of 3.").count())) await next.click();
  await olga.getByText("Round 1 of 3.").waitFor();
  const players = [lee, nowak, guest];
  await Promise.any(players.map((p) => p.waitForURL(/\/g\//)));
  const bye = await Promise.any(players.map((p) => p.getByText("You have a bye in this round.").waitFor().then(() => p)));
  const two = players.filter((p) => p !== bye);
  await Promise.all(two.map((p) => p.locator(".player.running").waitFor({ timeout: 20_000 })));
  const black = (await two[0].locator(".cg-wrap.orientation-black").count()) ? two[0] : two[1];
  const white = two.find((p) => p !== black);
  await move(white, black, "e2e4");
  await move(black, white, "e7e5");
  await settle(white);
  await white.getByRole("button", { name: "Resign" }).click();
  await settle(white);
  await white.getByRole("button", { name: "Yes, resign" }).click();
  await verdict(white, "resign");
  assert.equal(await white.getByRole("button", { name: "Rematch" }).count(), 0, "the server pairs, not the players");
  await white.getByText("Report this game to the arbiters").click();
  await white.getByLabel("What happened").fill("He spoke to me all the time.");
  await white.getByRole("button", { name: "Send" }).click();
  await white.getByText("The arbiters have it").waitFor();
  await narrow(white, "club-after-game");
  await white.getByRole("link", { name: "Back to the event" }).click();
  await white.locator(".standings .me").getByText("1", { exact: true }).first().waitFor();
  await narrow(white, "club-event");
});

step("the report is at the desk; the next round is the organiser's to start, and the results are there at once", async () => {
  await quentin.goto(`${server.url}/e/championship/desk`);
  await quentin.getByText("He spoke to me all the time.").first().waitFor();
  await olga.getByRole("button", { name: "Start the next round" }).click();
  await olga.getByText("Round 2 of 3.").waitFor();
  await quentin.goto(`${server.url}/e/championship`);
  const [file] = await Promise.all([quentin.waitForEvent("download"), quentin.getByRole("link", { name: "Report (TRF)" }).click()]);
  const report = await readFile(await file.path(), "utf8");
  assert.match(report, /^012 Championship/m);
  assert.equal(report.match(/^001 /gm)?.length, 3);
  assert.match(report, /Bruce Lee/);
  await quentin.goto(`${server.url}/events`);
  await quentin.getByRole("link", { name: "Championship" }).waitFor();
  await narrow(quentin, "club-events");
});
