// Men on squares and what a displacement does to them. Nothing here knows whether a move is legal.
import { type Color, other } from "./wire";

export type Kind = "p" | "n" | "b" | "r" | "q" | "k";

export interface Man { color: Color; kind: Kind }

export interface Placement { men: ReadonlyMap<string, Man>; turn: Color }

export const FILES = "abcdefgh";

export const squareAt = (file: number, rank: number): string => FILES[file]! + (rank + 1);
export const fileOf = (square: string): number => square.charCodeAt(0) - 97;
export const rankOf = (square: string): number => square.charCodeAt(1) - 49;

/** All squares from a1 to h8. */
export const SQUARES: readonly string[] = Array.from({ length: 64 }, (_, i) => squareAt(i % 8, i >> 3));

/** Reads "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"; what it cannot read stays empty. */
export function parsePlacement(text: string): Placement {
  const [board = "", turn] = text.split(" ");
  const men = new Map<string, Man>();
  board.split("/").forEach((row, i) => {
    let file = 0;
    for (const c of row) {
      if (c >= "1" && c <= "8") file += Number(c);
      else {
        const kind = c.toLowerCase() as Kind;
        if ("pnbrqk".includes(kind) && file < 8) men.set(squareAt(file, 7 - i), { color: c === kind ? "b" : "w", kind });
        file++;
      }
    }
  });
  return { men, turn: turn === "b" ? "b" : "w" };
}

/** The placement field of a FEN. */
export function placementField(p: Placement): string {
  const rows: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    let row = "";
    let gap = 0;
    for (let file = 0; file < 8; file++) {
      const man = p.men.get(squareAt(file, rank));
      if (!man) {
        gap++;
        continue;
      }
      if (gap) row += gap;
      gap = 0;
      row += man.color === "w" ? man.kind.toUpperCase() : man.kind;
    }
    rows.push(row + (gap || ""));
  }
  return rows.join("/");
}

/** Placement and turn, as the wire writes it. */
export const writePlacement = (p: Placement): string => `${placementField(p)} ${p.turn}`;

export interface Squares { from: string; to: string; promo: Kind | undefined }

export function splitMove(m: string): Squares {
  return { from: m.slice(0, 2), to: m.slice(2, 4), promo: (m[4] as Kind | undefined) ?? undefined };
}

/**
 * What stands on the board after the side on turn has made the move, legal or not (WBCA 14): the castling gesture takes the rook
 * along, the en-passant gesture the pawn, a pawn on the last rank becomes a queen. A man pressed onto a king goes back.
 */
export function displace(p: Placement, m: string): Placement {
  return { men: isKing(p, splitMove(m).to) ? p.men : lift(p, m), turn: other(p.turn) };
}

/** The board with the man where the hand left it, before the clock is pressed. */
export function released(p: Placement, m: string): Placement {
  return { men: lift(p, m), turn: other(p.turn) };
}

/** The board with a pawn on the last rank that has not yet been exchanged. */
export function unpromoted(p: Placement, from: string, to: string): Placement {
  const men = new Map(p.men);
  const man = men.get(from);
  men.delete(from);
  if (man) men.set(to, man);
  return { men, turn: p.turn };
}

function lift(p: Placement, m: string): ReadonlyMap<string, Man> {
  const { from, to, promo } = splitMove(m);
  const men = new Map(p.men);
  const man = men.get(from);
  if (!man || from === to) return men;
  men.delete(from);
  men.set(to, man);
  if (man.color !== p.turn) return men;
  if (man.kind === "k") {
    const rook = castlingRook(p, from, to, man.color);
    if (rook) {
      men.delete(rook.from);
      men.set(rook.to, { color: man.color, kind: "r" });
    }
  }
  if (man.kind === "p") {
    const passed = passedPawn(p, from, to, man.color);
    if (passed) men.delete(passed);
    if (rankOf(to) === lastRank(man.color)) men.set(to, { color: man.color, kind: promo ?? "q" });
  }
  return men;
}

function castlingRook(p: Placement, from: string, to: string, color: Color): { from: string; to: string } | undefined {
  const rank = color === "w" ? 0 : 7;
  if (from !== squareAt(4, rank)) return undefined;
  const short = to === squareAt(6, rank);
  if (!short && to !== squareAt(2, rank)) return undefined;
  const corner = squareAt(short ? 7 : 0, rank);
  const man = p.men.get(corner);
  if (man?.kind !== "r" || man.color !== color) return undefined;
  const between = short ? [5, 6] : [1, 2, 3];
  if (between.some((file) => p.men.has(squareAt(file, rank)))) return undefined;
  return { from: corner, to: squareAt(short ? 5 : 3, rank) };
}

function passedPawn(p: Placement, from: string, to: string, color: Color): string | undefined {
  const forward = color === "w" ? 1 : -1;
  if (rankOf(from) !== (color === "w" ? 4 : 3) || rankOf(to) !== rankOf(from) + forward) return undefined;
  if (Math.abs(fileOf(to) - fileOf(from)) !== 1 || p.men.has(to)) return undefined;
  const beside = squareAt(fileOf(to), rankOf(from));
  const man = p.men.get(beside);
  return man?.kind === "p" && man.color !== color ? beside : undefined;
}

export const lastRank = (color: Color): number => (color === "w" ? 7 : 0);

const isKing = (p: Placement, square: string): boolean => p.men.get(square)?.kind === "k";

/** Does this displacement bring an own pawn to the last rank, so that a piece must be chosen? */
export function isPromotion(p: Placement, color: Color, from: string, to: string): boolean {
  const man = p.men.get(from);
  return man?.kind === "p" && man.color === color && rankOf(to) === lastRank(color);
}

/** Every square a man of that colour may be put down on: all that hold no own man. */
export function destinations(p: Placement, color: Color): Map<string, string[]> {
  const free = SQUARES.filter((s) => p.men.get(s)?.color !== color);
  const dests = new Map<string, string[]>();
  for (const [square, man] of p.men) if (man.color === color) dests.set(square, free);
  return dests;
}
