// The words of the desk, the projector and the printed page.
import type { Act, DeskGame, Row, RuleAct, Score, Seated, Waiting } from "../event/types";
import { type Color, colorName } from "../wire";

const DAYTIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const MINUTE = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });

/** Unix ms as the time of day: "20:14:07". */
export const daytime = (at: number): string => DAYTIME.format(at);
export const minuteOfDay = (at: number): string => MINUTE.format(at);
export const dayOf = (at: number): string => DAY.format(at);

/** Game time with tenths: "4:07.3". */
export function gameTime(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const minutes = Math.floor(tenths / 600);
  return `${minutes}:${String(Math.floor((tenths % 600) / 10)).padStart(2, "0")}.${tenths % 10}`;
}

/** Clock time as people type it, "4:30" or "270" or "0:04.5"; undefined for anything else. */
export function readClock(text: string): number | undefined {
  const m = /^(?:(\d{1,3}):)?(?:(\d{1,3}):)?(\d{1,5}(?:[.,]\d)?)$/.exec(text.trim());
  if (!m) return undefined;
  const [, first, second, rest] = m;
  const seconds = Number(rest!.replace(",", "."));
  const minutes = second === undefined ? Number(first ?? 0) : Number(first) * 60 + Number(second);
  if (first !== undefined && seconds >= 60) return undefined;
  return Math.round((minutes * 60 + seconds) * 1000);
}

/** A clock for a field that is edited: "4:07.3". */
export const clockField = (ms: number): string => gameTime(Math.max(0, ms)).replace(/\.0$/, "");

export const versus = (g: { white: Seated; black: Seated }): string => `${g.white.name} – ${g.black.name}`;

/** Who stands behind a side, or the name that is given. */
export const whoIs = (by: string, g: { white: Seated; black: Seated }): string => (by === "w" ? g.white.name : by === "b" ? g.black.name : by);

const WAITING: Record<Waiting["kind"], string> = {
  dispute: "called the arbiter", demo: "has a win to show or to see", ladder: "has made wrong claims again and again", report: "reports the game",
};

export const waitingWords = (w: Waiting): string => `${whoIs(w.by, w)} ${WAITING[w.kind]}`;

/** What is out of the ordinary at a board; undefined where it is just played. */
export function oddity(g: DeskGame): string | undefined {
  if (g.phase === "dispute") return g.dispute ? `Dispute (${colorName(g.dispute)})` : "Clocks stopped";
  if (!g.phase) return "The table does not answer";
  if (g.dispute) return `Dispute noted (${colorName(g.dispute)})`;
  switch (g.phase) {
    case "waiting": return "Not started";
    case "proof": return "Claim is judged";
    case "demo": return "Demonstration";
    case "paused": return "Clocks stand";
    default: return g.clk.flags === "wb" ? "Both flags down" : g.clk.flags ? `${colorName(g.clk.flags as Color)}'s flag is down` : undefined;
  }
}

const DONE: Partial<Record<string, string>> = {
  remove: "took out", expel: "expelled", pause: "set aside", withdraw: "withdrew", return: "brought back", admit: "approved",
  arrive: "checked in", add: "entered", bell: "moved the bell", cancel: "called the event off", announce: "announced",
};

/** What an organiser or arbiter did, behind his name: "took out Bob: he asked for it". */
export function actWords(a: Pick<Act, "do" | "who" | "text">): string {
  const what = [DONE[a.do], a.who].filter(Boolean).join(" ");
  return [what, a.text].filter(Boolean).join(": ");
}

/** The games of a desk: disputes first, then what is judged, then fallen flags, then the rest in the order of their start. */
export function byNeed(games: DeskGame[]): DeskGame[] {
  const rank = (g: DeskGame) => {
    if (g.phase === "dispute") return 0;
    if (g.dispute || g.phase === "proof" || g.phase === "demo") return 1;
    return g.clk.flags ? 2 : 3;
  };
  return [...games].sort((a, b) => rank(a) - rank(b) || a.started - b.started || (a.game < b.game ? -1 : 1));
}

export interface RulingKind {
  act: RuleAct;
  name: string; // of the button
  needs: ("side" | "clocks" | "score" | "replay")[];
  danger?: boolean; // it ends the game
  reasons: string[]; // that come up often
}

const RULINGS: RulingKind[] = [
  { act: "stop", name: "Stop the clocks", needs: [], reasons: ["A dispute under rule 10", "A player needs help", "Trouble in the hall"] },
  { act: "resume", name: "Let the game go on", needs: [], reasons: ["The dispute is settled", "The trouble is over"] },
  { act: "clocks", name: "Correct the clocks", needs: ["clocks"], reasons: ["Fault of the server (18)", "Time lost through no fault of the player"] },
  { act: "warn", name: "Warn", needs: ["side"], reasons: ["Disturbing the opponent", "Talking during the game", "Touching men outside of the own move"] },
  { act: "minute", name: "Minute for the opponent", needs: ["side"], reasons: ["Disturbing the opponent again", "Ignoring a warning"] },
  { act: "unjust", name: "Dispute without reason", needs: ["side"], reasons: ["There was nothing to rule on"] },
  { act: "delay", name: "Delay clock (17)", needs: ["side"], reasons: ["Claim of insufficient losing chances"] },
  { act: "loss", name: "Loss of the game", needs: ["side"], danger: true, reasons: ["Disturbing the opponent after a penalty", "Help from others", "Did not come back to the board"] },
  { act: "result", name: "Set the result", needs: ["score"], danger: true, reasons: ["Both players agree on it", "Ruling on the dispute"] },
  { act: "annul", name: "Annul the game", needs: ["replay"], danger: true, reasons: ["A spectator interfered (12)", "Fault of the server"] },
];

/** The acts that a game can take now. */
export function possible(game: { phase: DeskGame["phase"]; dispute?: Color | undefined; rules: string }): RulingKind[] {
  return RULINGS.filter(({ act }) => {
    switch (act) {
      case "stop": return game.phase === "play";
      case "resume": return game.phase === "dispute";
      case "unjust": return game.dispute !== undefined;
      case "delay": return game.rules === "cca";
      default: return true;
    }
  });
}

const SCORES: Record<Score, string> = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "0-0": "0–0", "*": "Void" };

export const scoreWords = (s: Score): string => SCORES[s];

/** How a table differs from another one: the rows whose place or points have changed, and those before. */
export function changedRows(before: Row[], after: Row[]): { row: Row; was: Row | undefined }[] {
  const old = new Map(before.map((r) => [r.id, r]));
  return after
    .map((row) => ({ row, was: old.get(row.id) }))
    .filter(({ row, was }) => !was || was.place !== row.place || was.points !== row.points || was.games !== row.games);
}
