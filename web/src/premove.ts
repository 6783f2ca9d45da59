// A move chosen before the opponent has moved. It is bound to one ply and dies when no own man stands on its square any more.
import { type Placement, splitMove } from "./placement";
import type { Color } from "./wire";

export interface Premove { m: string; ply: number; kind: string }

export function setPremove(p: Placement, side: Color, m: string, ply: number): Premove | undefined {
  const man = p.men.get(splitMove(m).from);
  return man?.color === side ? { m, ply, kind: man.kind } : undefined;
}

/** What becomes of a premove on a new board where `ply` is the next move of `side`: keep it, play it, or nothing. */
export function reviewPremove(
  pre: Premove | undefined, p: Placement, side: Color, ply: number, mayMove: boolean,
): { keep?: Premove; play?: string } {
  if (!pre || pre.ply !== ply) return {};
  const { from, to } = splitMove(pre.m);
  const man = p.men.get(from);
  if (man?.color !== side || man.kind !== pre.kind || p.men.get(to)?.color === side) return {};
  return mayMove ? { play: pre.m } : { keep: pre };
}
