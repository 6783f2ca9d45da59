// The moves of a game as lines to read, live and in the replay.
import type { LogEntry } from "../api";
import { moverOf } from "../gamelog";
import { displace, parsePlacement, type Placement, released } from "../placement";
import { neutral } from "../reader";
import type { Color, GameState } from "../wire";

export interface ScoreLine {
  m: string;
  text: string; // neutral while the game runs, SAN afterwards
  by: Color;
  ms: number | undefined; // remaining after the press
  illegal: boolean; // known only when the game is over
  after: Placement;
}

/** All moves on the board, the released one at the end included. */
export function score(s: GameState, log?: LogEntry[]): ScoreLine[] {
  const lines: ScoreLine[] = [];
  const told = log ? lastReleases(log) : new Map<number, LogEntry>();
  let p = parsePlacement(s.start);
  const add = (m: string, ms: number | undefined) => {
    const ply = lines.length;
    const entry = told.get(ply);
    const after = ms === undefined ? released(p, m) : displace(p, m);
    lines.push({ m, text: entry?.m === m && entry.san ? entry.san : neutral(p, m), by: moverOf(s, ply), ms, illegal: entry?.legal === false, after });
    p = after;
  };
  for (const { m, ms } of s.moves) add(m, ms);
  if (s.pending) add(s.pending, undefined);
  return lines;
}

/** The last release of each ply: earlier ones were taken back. */
function lastReleases(log: LogEntry[]): Map<number, LogEntry> {
  const map = new Map<number, LogEntry>();
  for (const e of log) if (e.k === "move") map.set(e.ply ?? 0, e);
  return map;
}

/** Lines in pairs, with the number of the move; a game may begin with Black. */
export function pairs(lines: ScoreLine[]): { number: number; white: number | undefined; black: number | undefined }[] {
  const rows: { number: number; white: number | undefined; black: number | undefined }[] = [];
  lines.forEach((line, i) => {
    const row = rows.at(-1);
    if (line.by === "w") rows.push({ number: rows.length + 1, white: i, black: undefined });
    else if (row && row.black === undefined) row.black = i;
    else rows.push({ number: rows.length + 1, white: undefined, black: i });
  });
  return rows;
}
