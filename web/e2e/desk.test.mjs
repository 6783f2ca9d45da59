// Two arbiters at their desks, one of whom plays as well: every act on a running game, on the hall and on its people, as the
// arbiters and the players see it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, move, shot, startServer, verdict, visitor, watch } from "./kit.mjs";

const PASSWORD = "correct horse";
const EVENT = "arbiters-evening";

let server;
let browser;
let zoe; // arbiter at the desk
let yves; // arbiter who plays
let his; // his desk, a second page of his
let ann;
let bob;
let dan;
let everybody;

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
  [zoe, yves, ann, bob, dan] = await Promise.all([1, 2, 3, 4, 5].map(() => visitor(browser)));
  everybody = { zoe, yves, ann, bob, dan };
});

after(async () => {
  await browser?.close();
  await server?.close();
});

let failed;

const step = (name, f) => test(name, async () => {
  if (failed) throw new Error(`not begun: “${failed}” has failed`);
  try {
    await f();
    for (const [who, page] of Object.entries(everybody)) assert.deepEqual(page.errors, [], who);
  } catch (e) {
    failed = name;
    for (const [who, page] of Object.entries(everybody)) await shot(page, `failed-${who}`).catch(() => undefined);
    throw e;
  }
});

/** Asks the server as the person of the page. */
async function ask(page, path, data) {
  const answer = await (data ? page.request.post(server.url + path, { data, headers: { Origin: server.url } }) : page.request.get(server.url + path));
  assert.ok(answer.ok(), `${path}: ${await answer.text()}`);
  return answer.json();
}

const act = (page, what) => ask(page, `/api/events/${EVENT}/acts`, what);

async function enter(page, name) {
  await page.goto(`${server.url}/e/${EVENT}`);
  const field = page.getByLabel("Your name");
  await page.getByRole("button", { name: /^(Enter|Join now)$/ }).waitFor();
  if (await field.count()) await field.fill(name);
  await page.getByRole("button", { name: /^(Enter|Join now)$/ }).click();
  await page.getByRole("button", { name: "Withdraw" }).waitFor();
}

/** Both at the table that they are called to: White and Black. */
async function table(...players) {
  await Promise.all(players.map((p) => p.waitForURL(/\/g\//)));
  await Promise.all(players.map((p) => p.locator(".player.running").waitFor({ timeout: 20_000 })));
  const black = (await players[0].locator(".cg-wrap.orientation-black").count()) ? players[0] : players[1];
  return { white: players.find((p) => p !== black), black };
}

/** Opens the game of two people at Zoe's desk. */
async function open(...names) {
  let row = zoe.locator(".livegames li");
  for (const n of names) row = row.filter({ hasText: n });
  await row.locator(".pick").click();
  await zoe.locator(".gamefile h2", { hasText: names[0] }).waitFor();
}

/** Rules on the game that is open: the act, what else is asked, the reason. */
async function rule(button, why, fill = async () => undefined) {
  await zoe.locator(".rulings").getByRole("button", { name: button }).click();
  await fill();
  await zoe.locator(".ruling").getByLabel("Reason").fill(why);
  await zoe.locator(".ruling").getByRole("button", { name: new RegExp(`^${button}`) }).click();
  await zoe.locator(".latest li", { hasText: why }).waitFor();
  assert.equal(await zoe.locator(".latest li.failed").count(), 0);
}

const told = (page, text) => page.locator(".status", { hasText: text }).waitFor();

const tool = async (button, why, submit = button) => {
  await zoe.locator(".hall .chips").getByRole("button", { name: button }).click();
  await zoe.locator(".hall .actform").getByLabel("Reason").fill(why);
  await zoe.locator(".hall .actform").getByRole("button", { name: submit }).click();
  await zoe.locator(".latest li", { hasText: why }).waitFor();
};

step("two arbiters go on duty, each sees what the other does", async () => {
  for (const [page, name] of [[zoe, "Zoe"], [yves, "Yves"], [dan, "Dan"]]) {
    await ask(page, "/api/register", { name, password: PASSWORD });
  }
  const settings = { ...(await ask(zoe, "/api/events/defaults?format=arena")), name: "Arbiters' evening", rest: 0, repeat_wait: 0, color_wait: 0 };
  await ask(zoe, "/api/events", { event: EVENT, settings });
  await act(zoe, { do: "staff", organisers: ["Zoe"], arbiters: ["Zoe", "Yves"] });
  await act(zoe, { do: "advance", to: "open" });
  await enter(ann, "Ann");
  await enter(bob, "Bob the Guest");
  await enter(yves, "Yves");
  his = await yves.context().newPage();
  his.errors = [];
  await enter(dan, "Dan");
  for (const page of [ann, bob, yves, dan]) await page.goto(`${server.url}/leaders`); // nobody is there yet
  his = await yves.context().newPage();
  his.setDefaultTimeout(8000);
  everybody.his = his;
  his.errors = watch(his);
  await zoe.goto(`${server.url}/e/${EVENT}/desk`);
  await his.goto(`${server.url}/e/${EVENT}/desk`);
  await zoe.locator(".duty", { hasText: "Nobody is on duty" }).waitFor();
  await zoe.getByRole("switch", { name: "Go on duty" }).click();
  await his.locator(".duty", { hasText: "Zoe on duty" }).waitFor();
  await his.getByRole("switch", { name: "Go on duty" }).click();
  await zoe.locator(".duty", { hasText: "Yves on duty, too" }).waitFor();
  await act(zoe, { do: "advance", to: "running" });
});

const home = (page) => page.goto(`${server.url}/e/${EVENT}`);

/** Two players are paired by hand. */
async function pair(white, black, why) {
  await zoe.getByRole("tab", { name: "Hall" }).click();
  await zoe.locator(".hall .chips").getByRole("button", { name: "Pair by hand" }).click();
  await zoe.getByRole("combobox", { name: /^White/ }).selectOption({ label: white });
  await zoe.getByRole("combobox", { name: /^Black/ }).selectOption({ label: black });
  await zoe.locator(".hall .actform").getByLabel("Reason").fill(why);
  await zoe.getByRole("button", { name: "Pair them" }).click();
  await zoe.locator(".latest li", { hasText: why }).waitFor();
}

step("held, nobody is paired but by hand; the other arbiter reads why at once", async () => {
  await tool("Hold the pairing", "We wait for the pizza");
  await his.locator(".latest li", { hasText: "We wait for the pizza" }).waitFor();
  await his.getByText("pairing is held").waitFor();
  for (const page of [ann, bob, yves, dan]) await home(page);
  await ann.getByText("The arbiter holds the pairing").first().waitFor();
  await pair("Ann", "Bob the Guest", "They have waited longest");
  const seats = await table(ann, bob);
  assert.equal(seats.white, ann);
  await move(ann, bob, "e2e4");
  await move(bob, ann, "e7e5");
  await pair("Dan", "Yves", "They ask for it");
  assert.equal((await table(dan, yves)).white, dan);
  assert.match(his.url(), /desk$/, "who sits at the desk stays there");
  await move(dan, yves, "d2d4");
  await move(yves, dan, "d7d5");
});

step("an arbiter sees nothing of his own game and rules on it in no way", async () => {
  await zoe.locator(".livegames .count", { hasText: "2" }).waitFor();
  await his.locator(".livegames .count", { hasText: "1" }).waitFor();
  assert.equal(await his.locator(".livegames li", { hasText: "Dan" }).count(), 0);
  const own = new URL(yves.url()).pathname.split("/").at(-1);
  const log = await yves.request.get(`${server.url}/api/events/${EVENT}/desk/games/${own}`);
  assert.equal((await log.json()).code, "own_game");
  const ruling = await yves.request.post(`${server.url}/api/events/${EVENT}/acts`, {
    data: { do: "rule", game: own, act: "result", score: "0-1", why: "I win" }, headers: { Origin: server.url },
  });
  assert.equal((await ruling.json()).code, "own_game");
  const guest = await ann.request.get(`${server.url}/api/events/${EVENT}/desk`);
  assert.equal(guest.status(), 403);
  await ann.context().newPage().then(async (page) => {
    await page.goto(`${server.url}/e/${EVENT}/desk`);
    await page.getByText("Not your desk").waitFor();
    await page.close();
  });
});

step("warned, stopped, clocks corrected, and on: the players read each in words", async () => {
  await move(ann, bob, "g1f3");
  await open("Ann", "Bob");
  await rule("Warn", "Humming a tune", () => zoe.locator(".choice label", { hasText: "(White)" }).click());
  for (const page of [ann, bob]) await told(page, "Humming a tune");
  await rule("Stop the clocks", "The lamp has gone out");
  for (const page of [ann, bob]) await page.getByText("The board is hidden until the arbiter has ruled.").waitFor();
  await rule("Correct the clocks", "Two minutes were lost", async () => {
    await zoe.getByLabel("Ann (White)").fill("2:30");
    await zoe.getByLabel("Bob the Guest (Black)").fill("3:00");
  });
  await told(ann, "Two minutes were lost");
  assert.equal(await bob.locator(".player.white .digits").textContent(), "2:30");
  await shot(zoe, "desk-stopped");
  await rule("Let the game go on", "The lamp shines again");
  await bob.locator(".player.black.running").waitFor();
  await move(bob, ann, "b8c6");
});

step("a call without reason, at the second time, gives the other a minute", async () => {
  for (const time of ["first", "second"]) {
    await bob.getByRole("button", { name: "More", exact: true }).click();
    await bob.getByRole("button", { name: "Call the arbiter" }).click();
    await zoe.locator(".queue li.stops", { hasText: "Bob the Guest called the arbiter" }).waitFor();
    await rule("Dispute without reason", `No reason, the ${time} time`);
    await told(bob, `the ${time} time`);
    await rule("Let the game go on", `Play, for the ${time} time`);
    await zoe.locator(".queue li").waitFor({ state: "detached" });
  }
  const [minutes] = (await bob.locator(".player.white .digits").textContent()).split(":");
  assert.ok(Number(minutes) >= 3, "a minute more than 2:30 for Ann");
});

step("all boards freeze and go on together", async () => {
  await zoe.getByRole("tab", { name: "Hall" }).click();
  await tool("Freeze all boards", "Fire alarm");
  for (const page of [ann, bob, dan, yves]) await page.getByText("The board is hidden until the arbiter has ruled.").waitFor();
  await his.getByText("All boards are frozen.").waitFor();
  await shot(zoe, "desk-frozen");
  await tool("Resume all boards", "False alarm");
  for (const page of [ann, bob, dan, yves]) await page.getByText("The board is hidden").waitFor({ state: "detached" });
  await zoe.getByText("All boards are frozen.").waitFor({ state: "detached" });
});

step("annulled and ordered anew: the same two, the same colours", async () => {
  const old = ann.url();
  await open("Ann", "Bob");
  await rule("Annul the game", "A spectator shouted a move", () => zoe.locator(".choice label", { hasText: "play again" }).click());
  await zoe.getByRole("tab", { name: "Hall" }).click();
  await tool("Let the pairing go on", "The pizza is here");
  await Promise.all([ann, bob].map((p) => p.waitForURL((url) => url.pathname.startsWith("/g/") && url.href !== old, { timeout: 20_000 })));
  assert.equal((await table(ann, bob)).white, ann);
  await tool("Hold the pairing", "Dessert");
  await move(ann, bob, "e2e4");
  await move(bob, ann, "e7e5");
});

step("a penalty loses a game; its player reports it, and the desk closes the report", async () => {
  await open("Ann", "Bob");
  await rule("Loss of the game", "Hummed again", () => zoe.locator(".choice label", { hasText: "(White)" }).click());
  for (const page of [ann, bob]) await verdict(page, "penalty");
  await ann.getByText("Report this game to the arbiters").click();
  await ann.getByLabel("What happened").fill("It was not me who hummed.");
  await ann.getByRole("button", { name: "Send" }).click();
  await ann.getByText("The arbiters have it").waitFor();
  const waits = zoe.locator(".queue li", { hasText: "Ann reports the game" });
  await waits.getByRole("button", { name: "Open the game" }).click();
  await zoe.locator(".gamelog .weighty", { hasText: "Hummed again" }).waitFor();
  await zoe.getByRole("tab", { name: "Reports (1)" }).click();
  await shot(zoe, "desk-reports");
  await zoe.locator(".deck").getByRole("button", { name: "Close it" }).click();
  await zoe.locator(".deck .actform textarea").fill("It was the neighbour; the result stands");
  await zoe.locator(".deck .actform").getByRole("button", { name: "Close it" }).click();
  await waits.waitFor({ state: "detached" });
  await zoe.locator(".deck .settled", { hasText: "the result stands" }).waitFor();
});

step("a result is set; nobody rules on a game that is over", async () => {
  await open("Dan", "Yves");
  await rule("Set the result", "Both agree on it", () => zoe.locator(".choice label", { hasText: "draw" }).click());
  for (const page of [dan, yves]) await verdict(page, "arbiter");
  await zoe.locator(".gamefile", { hasText: "Over: 1/2-1/2" }).waitFor();
  await zoe.getByRole("button", { name: "Correct the result" }).waitFor();
  assert.equal(await zoe.locator(".rulings").count(), 0);
});

step("who disturbs the chat is silenced, and may speak again", async () => {
  await home(bob);
  await bob.getByPlaceholder("Say something").fill("White should resign");
  await bob.getByRole("button", { name: "Send" }).click();
  await zoe.getByRole("tab", { name: "Chat" }).click();
  await zoe.getByRole("button", { name: "No more from Bob the Guest" }).click();
  await zoe.getByRole("button", { name: "Bob the Guest: let him speak" }).waitFor();
  await bob.reload();
  await bob.getByText("You may read, but not write here.").waitFor();
  await zoe.getByRole("button", { name: "Bob the Guest: let him speak" }).click();
  await zoe.locator(".deck .chips", { hasText: "May not chat" }).waitFor({ state: "detached" });
});

step("who is expelled loses the game that he plays", async () => {
  await home(dan);
  await pair("Dan", "Bob the Guest", "Both are free");
  await table(dan, bob);
  await zoe.locator(".hall .chips").getByRole("button", { name: "Expel somebody" }).click();
  await zoe.getByRole("combobox", { name: /^Who/ }).selectOption({ label: "Dan (plays)" });
  await zoe.locator(".hall .actform").getByLabel("Reason").fill("Had an engine under the table");
  await zoe.getByRole("button", { name: "Expel Dan" }).click();
  for (const page of [dan, bob]) await verdict(page, "penalty");
  await home(dan);
  await dan.getByText("The arbiter has put you out: Had an engine under the table").waitFor();
});

step("many connections that go together offer the freeze by themselves", async () => {
  for (const page of [ann, yves, bob]) await home(page);
  await pair("Yves", "Bob the Guest", "To have a game");
  await table(yves, bob);
  await ann.waitForTimeout(1500); // until the event has heard of all of them
  server.cut();
  await zoe.getByText("Connection lost").waitFor({ timeout: 15_000 });
  server.mend();
  await zoe.getByText("connections were lost together").waitFor({ timeout: 20_000 });
  await zoe.getByRole("button", { name: "Freeze all boards…" }).click();
  await zoe.locator(".hall .actform").getByRole("button", { name: "Freeze all boards" }).waitFor();
  await shot(zoe, "desk-dropped");
});
