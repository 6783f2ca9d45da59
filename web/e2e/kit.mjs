// What the browser tests share: a server of their own, two people, a board to drag on, pictures to look at.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const SERVER = process.env.SERVER ?? join(HERE, ".server");
const SHOTS = process.env.SHOTS ?? join(HERE, "..", "..", "artifacts", "browser");
mkdirSync(SHOTS, { recursive: true });

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });

export const freePort = () =>
  new Promise((done) => {
    const s = createServer().listen(0, "127.0.0.1", () => {
      const { port } = s.address();
      s.close(() => done(port));
    });
  });

/** A server with an empty data folder behind a wire that can be cut. `url` is the address for browsers. */
export async function startServer() {
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), "flagfall-e2e-"));
  const wire = await startWire(port);
  const url = `http://127.0.0.1:${wire.port}`;
  let child;
  const start = async () => {
    child = spawn(SERVER, ["-addr", `127.0.0.1:${port}`, "-data", data, "-url", url, "-log", "error"], { stdio: ["ignore", "ignore", "inherit"] });
    for (let i = 0; ; i++) {
      try {
        await fetch(`http://127.0.0.1:${port}/api/games`);
        return;
      } catch (e) {
        if (i > 100) throw e;
        await new Promise((r) => setTimeout(r, 50));
      }
    }
  };
  const stop = (signal) =>
    new Promise((done) => {
      child.once("exit", done);
      child.kill(signal);
    });
  await start();
  return {
    url, cut: wire.cut, mend: wire.mend,
    /** Runs a command about accounts beside the server, and gives what it says. */
    admin: (...words) => execFileSync(SERVER, ["admin", "-data", data, "-url", url, ...words], { encoding: "utf8" }),
    /** Kills the server as a power cut would, and starts it again. */
    crash: async () => {
      await stop("SIGKILL");
      await start();
    },
    close: async () => {
      wire.close();
      await stop("SIGTERM");
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** A TCP relay. Cut, it drops what is open and takes nothing new. */
async function startWire(to) {
  const pairs = new Set();
  let up = true;
  const server = createServer((near) => {
    near.on("error", () => undefined);
    if (!up) return near.destroy();
    const far = connect(to, "127.0.0.1");
    far.on("error", () => near.destroy());
    far.on("close", () => near.destroy());
    near.on("close", () => {
      far.destroy();
      pairs.delete(near);
    });
    near.pipe(far).pipe(near);
    pairs.add(near);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const drop = () => {
    for (const p of pairs) p.destroy();
  };
  return {
    port: server.address().port,
    cut: () => {
      up = false;
      drop();
    },
    mend: () => {
      up = true;
    },
    close: () => {
      drop();
      server.close();
    },
  };
}

/** A visitor with a browser profile of his own. Errors of the page end up in `errors`. */
export async function visitor(browser, { width = 1280, height = 800, touch = false } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, hasTouch: touch, isMobile: touch });
  const page = await context.newPage();
  page.setDefaultTimeout(8000);
  page.errors = watch(page);
  return page;
}

/** Uncaught errors and complaints of the content security policy; answers of 401 and 404 are part of the game. */
export function watch(page) {
  const errors = [];
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("console", (m) => {
    if (m.type() === "error" && !/Failed to load resource|WebSocket connection/.test(m.text())) errors.push(m.text());
  });
  return errors;
}

/** Two people at a table. White and Black come back as pages; `base` in seconds. */
export async function sitDown(server, white, black, { base = 300, mode = "board" } = {}) {
  await white.goto(server.url);
  await white.getByLabel("Minutes").fill(String(Math.floor(base / 60)));
  await white.getByLabel("Seconds").fill(String(base % 60));
  await white.getByLabel("You play").selectOption("white");
  await white.locator(".friend").getByLabel("Mode").selectOption(mode);
  await white.getByRole("button", { name: "Make a link" }).click();
  const link = await white.getByLabel("Link of the invitation").inputValue();
  await black.goto(link);
  await black.getByRole("button", { name: "Accept and sit down" }).click();
  await Promise.all([white.waitForURL(/\/g\//), black.waitForURL(/\/g\//)]);
  await white.locator(".player.white.running").waitFor();
  await black.locator(".player.white.running").waitFor();
  return white.url().split("/g/")[1];
}

async function centre(page, square) {
  const box = await page.locator("cg-board").boundingBox();
  const black = (await page.locator(".cg-wrap.orientation-black").count()) > 0;
  const file = square.charCodeAt(0) - 97;
  const rank = square.charCodeAt(1) - 49;
  const x = black ? 7 - file : file;
  const y = black ? rank : 7 - rank;
  return [box.x + ((x + 0.5) * box.width) / 8, box.y + ((y + 0.5) * box.height) / 8];
}

/** Drags a man; `m` is UCI. */
export async function drag(page, m) {
  const [x1, y1] = await centre(page, m.slice(0, 2));
  const [x2, y2] = await centre(page, m.slice(2, 4));
  await page.mouse.move(x1, y1);
  await page.mouse.down();
  await page.mouse.move((x1 + x2) / 2, (y1 + y2) / 2, { steps: 3 });
  await page.mouse.move(x2, y2, { steps: 2 });
  await page.mouse.up();
}

/** Taps one square after the other. */
export async function tap(page, ...squares) {
  for (const s of squares) {
    const [x, y] = await centre(page, s);
    await page.touchscreen.tap(x, y);
  }
}

/** Waits until this man stands on the square, as "white queen". */
export async function stands(page, square, man) {
  await page.waitForFunction(
    ([sq, name]) => {
      for (const el of document.querySelectorAll("cg-board piece")) {
        if (el.cgKey === sq && !el.classList.contains("ghost") && !el.classList.contains("fading") && el.cgPiece === name) return true;
      }
      return false;
    },
    [square, man],
  );
}

/** Waits until nothing stands on the square. */
export async function empty(page, square) {
  await page.waitForFunction(
    (sq) => ![...document.querySelectorAll("cg-board piece")].some((el) => el.cgKey === sq && !el.classList.contains("ghost") && !el.classList.contains("fading")),
    square,
  );
}

/** Waits until that many squares carry the mark; chessground keeps unused ones hidden. */
export async function marked(page, mark, count) {
  await page.waitForFunction(
    ([m, n]) => [...document.querySelectorAll(`cg-board square.${m}`)].filter((el) => el.style.display !== "none").length === n,
    [mark, count],
  );
}

/** Waits for the sentence in the status line. */
export const says = (page, text) => page.locator(".status", { hasText: text }).waitFor();

export const press = (page) => page.keyboard.press("Space");

/** Releases a move and presses, and waits until the other side has seen it. */
export async function move(page, seenBy, m) {
  await drag(page, m);
  await page.locator("button.press.due").waitFor();
  await press(page);
  const other = (await page.locator(".cg-wrap.orientation-black").count()) ? "white" : "black";
  await seenBy.locator(`.player.${other}.running`).waitFor();
}

/** A button that has just changed takes no click for a moment (UI-07). */
export const settle = (page) => page.waitForTimeout(350);

/** Waits for the verdict. */
export const verdict = (page, text) => page.locator(".verdict", { hasText: text }).waitFor();

export const shot = (page, name) => page.screenshot({ path: join(SHOTS, `${name}.png`) });
