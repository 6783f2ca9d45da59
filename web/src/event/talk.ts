// What was said in an event, as far as this page has read it.
import type { Chat, ChatLine } from "./types";

const KEPT = 200;

/** The lines known so far with those of an answer, without those that were taken back. */
export function heard(lines: ChatLine[], answer: Chat): ChatLine[] {
  const gone = new Set(answer.gone);
  const known = new Map([...lines, ...answer.chat].map((l) => [l.n, l]));
  return [...known.values()].filter((l) => !gone.has(l.n)).sort((a, b) => a.n - b.n).slice(-KEPT);
}

/** After which line to ask. */
export const lastOf = (lines: ChatLine[]): number => lines.at(-1)?.n ?? 0;
