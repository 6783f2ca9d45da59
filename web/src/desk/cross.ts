// The results of an event as tables: who against whom.
import type { PlayedGame, Row } from "../event/types";

/** Up to so many players all meet in one square table; more are listed each with his games. */
export const MOST_SQUARE = 16;

const counts = (g: PlayedGame): boolean => g.score !== "*" && Boolean(g.score);

/** The result for one side: "1", "½", "0", and "+", "=" or "-" where it was not played. */
export function mark(g: PlayedGame, white: boolean): string {
  const won = g.score === (white ? "1-0" : "0-1");
  const drawn = g.score === "1/2-1/2";
  if (g.forfeit) return won ? "+" : drawn ? "=" : "-";
  return won ? "1" : drawn ? "½" : "0";
}

/** The games that count, in the order in which they ended. */
export const counted = (games: PlayedGame[]): PlayedGame[] => games.filter(counts).sort((a, b) => a.ended - b.ended);

/** Cell [i][j]: the results of row i against row j, from first to last. */
export function square(rows: Row[], games: PlayedGame[]): string[][] {
  const at = new Map(rows.map((r, i) => [r.id, i]));
  const cells = rows.map(() => rows.map(() => ""));
  for (const g of counted(games)) {
    const [w, b] = [at.get(g.white), at.get(g.black)];
    if (w === undefined || b === undefined) continue;
    cells[w]![b] += mark(g, true);
    cells[b]![w] += mark(g, false);
  }
  return cells;
}

/** Everybody's games from first to last, as "12w1": against number 12 with White, won. Numbers are lines of the table. */
export function walk(rows: Row[], games: PlayedGame[]): string[][] {
  const at = new Map(rows.map((r, i) => [r.id, i]));
  const lines = rows.map((): string[] => []);
  for (const g of counted(games)) {
    const [w, b] = [at.get(g.white), at.get(g.black)];
    if (w === undefined || b === undefined) continue;
    lines[w]!.push(`${b + 1}w${mark(g, true)}`);
    lines[b]!.push(`${w + 1}b${mark(g, false)}`);
  }
  return lines;
}

/** The rows of each group; one group where there are none. */
export function groups(rows: Row[]): { group: number; rows: Row[] }[] {
  const all = new Map<number, Row[]>();
  for (const r of rows) all.set(r.group ?? 0, [...(all.get(r.group ?? 0) ?? []), r]);
  return [...all].sort(([a], [b]) => a - b).map(([group, list]) => ({ group, rows: list }));
}
