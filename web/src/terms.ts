// What a game can be played by, in words.
import { formatTime } from "./clock";
import type { Mode, Range, Seeking, Terms, Timing } from "./wire";

export interface Book { id: string; name: string; what: string }

export const BOOKS: Book[] = [
  { id: "wbca", name: "WBCA", what: "World Blitz Chess Association: an illegal move or a flag that is claimed wins." },
  { id: "uscf", name: "US Chess", what: "A claimed illegal move is put back and costs two minutes." },
  { id: "cca", name: "Continental", what: "US Chess with the Continental Chess Association's rules." },
  { id: "fide", name: "FIDE", what: "The server is the arbiter: it sees every illegal move and every flag." },
];

export const TIMINGS: { id: Timing; name: string }[] = [
  { id: "", name: "Sudden death" }, { id: "increment", name: "Increment" }, { id: "delay", name: "Delay" }, { id: "bronstein", name: "Bronstein" },
];

export const bookName = (rules: string): string => BOOKS.find((b) => b.id === rules)?.name ?? rules;

export const bookAddress = (rules: string): string => `/rules/${encodeURIComponent(rules)}`;

export const modeName = (m: Mode): string => (m === "fast" ? "fast" : "over the board");

/** "5 minutes + 3 seconds a move, over the board, FIDE rules". */
export function termsWords(t: { base: number; mode: Mode } & Partial<Terms>): string {
  return `${formatTime(t.base, t)}, ${modeName(t.mode)}, ${bookName(t.rules ?? "wbca")} rules`;
}

/** Would WBCA rate it (its own rules, 3 to 7 minutes, no increment and no delay: WBCA 1)? And if not, why. */
export function ratedWords(base: number, t: Partial<Terms>): { rated: boolean; why: string } {
  if ((t.rules ?? "wbca") !== "wbca") return { rated: false, why: `Not WBCA-rated: it is played by the ${bookName(t.rules!)} rules.` };
  if (t.timing) return { rated: false, why: "Not WBCA-rated: that takes sudden death, without increment or delay." };
  if (base < 180_000 || base > 420_000) return { rated: false, why: "Not WBCA-rated: that takes 3 to 7 minutes for each side." };
  return { rated: true, why: "A WBCA-rated time control: 3 to 7 minutes, equal for both." };
}

/** "1500 to 1700", "1500 and more", "1700 and less"; undefined for any. */
export function rangeWords({ min, max }: Range): string | undefined {
  if (min && max) return `${min} to ${max}`;
  if (min) return `${min} and more`;
  return max ? `${max} and less` : undefined;
}

/** Which ratings somebody who has waited for so many ms looks for. */
export function lookingWords(s: Seeking, waited: number): string {
  const asked = rangeWords(s);
  if (!s.reach) return asked ? `For opponents rated ${asked}.` : "Others see it in the list of offers below.";
  const within = asked ? `, within ${asked}` : "";
  if (waited >= s.reach.anybody) return `For opponents of any rating${within}.`;
  const far = s.reach.from + Math.floor((s.reach.grows * waited) / 1000);
  const left = Math.ceil((s.reach.anybody - waited) / 1000);
  return `For opponents rated ${s.rating - far} to ${s.rating + far}${within}; for any in ${left} s.`;
}

/** Whether a game counts for a rating: WBCA's own, or that of its rule book. */
export const countWords = (s: { rules: string; rated?: boolean }): string => (!s.rated ? "casual" : s.rules === "wbca" ? "WBCA-rated" : "rated");

export interface Cited { text: string; href: string }

/** "WBCA 8f+8h" as links to both rules on the page of the game's rule book. */
export function citations(cite: string, rules: string): Cited[] {
  const at = cite.lastIndexOf(" ");
  const book = cite.slice(0, Math.max(at, 0));
  return cite.slice(at + 1).split("+").filter(Boolean).map((number, i) => ({
    text: i === 0 && book ? `${book} ${number}` : number,
    href: `${bookAddress(rules)}#${encodeURIComponent(number)}`,
  }));
}
