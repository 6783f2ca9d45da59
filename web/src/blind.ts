// The commands that blind players know from other servers, answered in words from what everybody can see.
import { isFlagged, remaining, spokenClock } from "./clock";
import { moverOf } from "./gamelog";
import { displace, type Kind, type Man, parsePlacement, type Placement, SQUARES } from "./placement";
import { KIND_NAMES, spokenMove } from "./reader";
import { type Color, colorName, type GameState, other } from "./wire";

type Deed = "press" | "illegal" | "flag" | "draw" | "claim draw" | "arbiter" | "losing" | "concede" | "back" | "resign" | "help";

export type Said = { kind: "say"; text: string } | { kind: "do"; what: Deed };

export const BLIND_HELP =
  "Type a move: e2e4, Nf3, O-O. Enter alone presses the clock. c: clocks. l: last move. o: opponent. p N: where the knights are. " +
  "s a: what stands on file a, s 4 on rank 4. claim illegal, claim flag, claim draw, offer draw, back, arbiter, resign.";

const WORDS: Record<string, Deed> = {
  press: "press", "claim illegal": "illegal", illegal: "illegal", "claim flag": "flag", flag: "flag",
  draw: "draw", "offer draw": "draw", "claim draw": "claim draw", arbiter: "arbiter", "claim ilc": "losing", concede: "concede", back: "back", "take back": "back", resign: "resign", help: "help", "?": "help",
};

/** Answers a command, or undefined when the text is none (it may be a move). */
export function blindCommand(text: string, s: GameState, shown: Placement, arrival: number, now: number): Said | undefined {
  const typed = text.trim().replace(/\s+/g, " ");
  const word = WORDS[typed.toLowerCase()];
  if (word) return { kind: "do", what: word };
  switch (typed) {
    case "c": return say(clocks(s, arrival, now));
    case "l": return say(lastWords(s));
    case "o": return say(opponent(s));
  }
  const piece = /^p ([pnbrqk])$/i.exec(typed);
  if (piece) return say(pieces(shown, piece[1]!));
  const scan = /^s ([a-h]|[1-8])$/i.exec(typed);
  if (scan) return say(line(shown, scan[1]!.toLowerCase()));
  return undefined;
}

const say = (text: string): Said => ({ kind: "say", text });

function clocks(s: GameState, arrival: number, now: number): string {
  const one = (c: Color) => `${colorName(c)} ${spokenClock(remaining(s.clk, c, arrival, now), isFlagged(s.clk, c))}`;
  const mine = s.you || "w";
  return `${one(mine)}, ${one(other(mine))}.${s.clk.run ? ` ${colorName(s.clk.run)}'s clock runs.` : " The clocks stand."}`;
}

function lastWords(s: GameState): string {
  const list = s.moves.map((p) => p.m);
  if (s.pending) list.push(s.pending);
  const last = list.pop();
  if (!last) return "No move yet.";
  let before = parsePlacement(s.start);
  for (const m of list) before = displace(before, m);
  return `${spokenMove(before, last)}${s.pending ? ", clock not pressed" : ""}.`;
}

function opponent(s: GameState): string {
  if (!s.you) return `${s.white.name} plays White, ${s.black.name} Black.`;
  const foe = other(s.you);
  const person = foe === "w" ? s.white : s.black;
  return `${person.name} plays ${colorName(foe)}${s.here.includes(foe) ? "" : " and is away"}.`;
}

function pieces(p: Placement, letter: string): string {
  const kind = letter.toLowerCase() as Kind;
  const where = (color: Color) => {
    const list = SQUARES.filter((sq) => p.men.get(sq)?.kind === kind && p.men.get(sq)?.color === color);
    return `${colorName(color)} ${KIND_NAMES[kind]}s: ${list.join(", ") || "none"}`;
  };
  return `${where("w")}. ${where("b")}.`;
}

function line(p: Placement, name: string): string {
  const found = SQUARES.filter((s) => s.includes(name) && p.men.has(s)).map((s) => `${s} ${manName(p.men.get(s)!)}`);
  const what = name >= "a" ? `File ${name}` : `Rank ${name}`;
  return `${what}: ${found.join(", ") || "empty"}.`;
}

const manName = (m: Man): string => `${colorName(m.color).toLowerCase()} ${KIND_NAMES[m.kind]}`;

/** For the live region: what the newest completed or released move was. */
export function announceMove(s: GameState): string {
  const count = s.moves.length + (s.pending ? 1 : 0);
  return count ? `${Math.ceil(count / 2)}${moverOf(s, count - 1) === "w" ? "." : "..."} ${lastWords(s)}` : "";
}
