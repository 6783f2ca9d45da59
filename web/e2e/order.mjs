// Games from any position: the program web/e2e/table takes orders for them.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { drag, freePort } from "./kit.mjs";

const PROGRAM = process.env.TABLE ?? fileURLToPath(new URL(".table", import.meta.url));

export async function startTables() {
  const port = await freePort();
  const data = mkdtempSync(join(tmpdir(), "flagfall-e2e-"));
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(PROGRAM, ["-addr", `127.0.0.1:${port}`, "-data", data, "-url", url], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  for (let i = 0; ; i++) {
    try {
      await fetch(`${url}/api/games`);
      break;
    } catch (e) {
      if (i > 100) throw e;
      await new Promise((r) => setTimeout(r, 50));
    }
  }
  return {
    url,
    /** Seats two pages; `base` is in seconds, one number or White's and Black's. */
    seat: async (white, black, { fen = "", rules = "wbca", base = 300, mode = "fast", timing, options } = {}) => {
      const [w, b] = await Promise.all([white, black].map((page) => whoIs(page, url)));
      const ms = [base].flat().map((s) => s * 1000);
      child.stdin.write(`${JSON.stringify({ white: w, black: b, rules, mode, base: [ms[0], ms.at(-1)], fen, timing, options })}\n`);
      const { path } = JSON.parse((await answers.next()).value);
      await Promise.all([white, black].map((page) => page.goto(url + path)));
      await Promise.all([white, black].map((page) => page.locator(".player.running").waitFor()));
      return url + path;
    },
    close: () =>
      new Promise((done) => {
        child.once("exit", () => {
          rmSync(data, { recursive: true, force: true });
          done();
        });
        child.kill("SIGTERM");
      }),
  };
}

/** The guest behind a page. */
async function whoIs(page, url) {
  const known = await page.request.get(`${url}/api/me`);
  const answer = known.ok() ? known : await page.request.post(`${url}/api/guest`, { headers: { Origin: url } });
  return answer.json();
}

/** Plays a move in a fast game and waits until the other side's clock is seen to run on both pages. */
export async function go(page, other, m) {
  await drag(page, m);
  const next = (await other.locator(".cg-wrap.orientation-black").count()) ? "black" : "white";
  await Promise.all([page, other].map((p) => p.locator(`.player.${next}.running`).waitFor()));
}

/** What a clock shows, in seconds. */
export async function seconds(page, side) {
  const text = await page.locator(`.player.${side} .digits`).textContent();
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** A claim of a draw: the button, the question, yes. */
export async function claimDraw(page) {
  await page.getByRole("button", { name: "Claim Draw" }).click();
  await page.getByRole("group", { name: "Claim a draw?" }).waitFor();
  await page.waitForTimeout(350); // a button that has just changed takes no click
  await page.getByRole("button", { name: "Yes, claim" }).click();
}

/** The addresses of the rules that a text cites. */
export const cited = (locator) => locator.locator(".cite a").evaluateAll((links) => links.map((a) => a.getAttribute("href")));
