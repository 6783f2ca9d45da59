// Typed moves, read by geometry only: which own man of that kind could get there through empty squares.
// Whether the move is legal is nobody's business here.
import { FILES, fileOf, isPromotion, type Kind, type Man, type Placement, rankOf, SQUARES, splitMove, squareAt } from "./placement";
import { type Color, colorName } from "./wire";

export type Reading =
  | { kind: "move"; m: string }
  | { kind: "ambiguous"; moves: string[] }
  | { kind: "unreadable"; why: string };

const UCI = /^([a-h][1-8])[-x]?([a-h][1-8])=?([qrbn])?$/i;
const LONG = /^([KQRBN])([a-h][1-8])[-x]?([a-h][1-8])$/;
const CASTLING = /^(o-o|0-0|oo|00)(-o|-0|o|0)?$/i;
const SAN = /^([KQRBNkqrn])?([a-h])?([1-8])?(x)?([a-h][1-8])=?([QRBNqrbn])?$/;

export function readMove(text: string, p: Placement, side: Color): Reading {
  const typed = text.trim().replace(/\s+/g, "").replace(/[+#!?]+$/, "");
  const uci = UCI.exec(typed);
  if (uci) return fromSquares(p, side, uci[1]!.toLowerCase(), uci[2]!.toLowerCase(), uci[3]?.toLowerCase());
  const long = LONG.exec(typed);
  if (long) return fromSquares(p, side, long[2]!, long[3]!, undefined, long[1]!.toLowerCase() as Kind);
  const castling = CASTLING.exec(typed);
  if (castling) return castle(p, side, Boolean(castling[2]));
  const san = SAN.exec(typed);
  if (!san) return unreadable(`“${text.trim()}” is not a move. Type e2e4, Nf3 or O-O.`);
  const kind = (san[1]?.toLowerCase() ?? "p") as Kind;
  return fromKind(p, side, { kind, file: san[2], rank: san[3], takes: Boolean(san[4]), to: san[5]!, promo: san[6]?.toLowerCase() });
}

function fromSquares(p: Placement, side: Color, from: string, to: string, promo?: string, kind?: Kind): Reading {
  const man = p.men.get(from);
  if (man?.color !== side) return unreadable(`You have no man on ${from}.`);
  if (kind && man.kind !== kind) return unreadable(`You have no ${KIND_NAMES[kind]} on ${from}.`);
  if (from === to) return unreadable("A move needs two squares.");
  if (p.men.get(to)?.color === side) return unreadable(`Your own man stands on ${to}.`);
  return { kind: "move", m: withPromotion(p, side, from, to, promo) };
}

function castle(p: Placement, side: Color, long: boolean): Reading {
  const rank = side === "w" ? 0 : 7;
  const from = squareAt(4, rank);
  const king = p.men.get(from);
  if (king?.kind !== "k" || king.color !== side) return unreadable(`Your king is not on ${from}.`);
  return fromSquares(p, side, from, squareAt(long ? 2 : 6, rank));
}

interface Wanted {
  kind: Kind; file: string | undefined; rank: string | undefined; takes: boolean; to: string; promo: string | undefined;
}

function fromKind(p: Placement, side: Color, w: Wanted): Reading {
  if (p.men.get(w.to)?.color === side) return unreadable(`Your own man stands on ${w.to}.`);
  const from = SQUARES.filter((s) => {
    const man = p.men.get(s);
    if (man?.color !== side || man.kind !== w.kind) return false;
    if (w.file && s[0] !== w.file) return false;
    if (w.rank && s[1] !== w.rank) return false;
    if (w.kind === "p" && !w.file && fileOf(s) !== fileOf(w.to)) return false;
    return reaches(p, man, s, w.to);
  });
  const moves = from.map((s) => withPromotion(p, side, s, w.to, w.promo));
  if (moves.length === 1) return { kind: "move", m: moves[0]! };
  if (moves.length > 1) return { kind: "ambiguous", moves };
  return unreadable(`No ${KIND_NAMES[w.kind]} of yours reaches ${w.to}. To put a man there all the same, type both squares, as in e2e4.`);
}

function withPromotion(p: Placement, side: Color, from: string, to: string, promo?: string): string {
  return from + to + (isPromotion(p, side, from, to) ? promo ?? "q" : "");
}

/** Can a man on `from` get to `to` by its way of moving, with nothing in between? Kings' safety does not matter. */
function reaches(p: Placement, man: Man, from: string, to: string): boolean {
  const df = fileOf(to) - fileOf(from);
  const dr = rankOf(to) - rankOf(from);
  const straight = df === 0 || dr === 0;
  const diagonal = Math.abs(df) === Math.abs(dr);
  switch (man.kind) {
    case "n": return Math.abs(df * dr) === 2;
    case "k": return Math.max(Math.abs(df), Math.abs(dr)) === 1;
    case "r": return straight && open(p, from, df, dr);
    case "b": return diagonal && open(p, from, df, dr);
    case "q": return (straight || diagonal) && open(p, from, df, dr);
    case "p": return pawnReaches(p, man.color, from, to);
  }
}

function open(p: Placement, from: string, df: number, dr: number): boolean {
  const steps = Math.max(Math.abs(df), Math.abs(dr));
  for (let i = 1; i < steps; i++) {
    if (p.men.has(squareAt(fileOf(from) + Math.sign(df) * i, rankOf(from) + Math.sign(dr) * i))) return false;
  }
  return steps > 0;
}

function pawnReaches(p: Placement, color: Color, from: string, to: string): boolean {
  const forward = color === "w" ? 1 : -1;
  const df = fileOf(to) - fileOf(from);
  const dr = (rankOf(to) - rankOf(from)) * forward;
  if (Math.abs(df) === 1) return dr === 1;
  if (df !== 0 || p.men.has(to)) return false;
  if (dr === 1) return true;
  const home = color === "w" ? 1 : 6;
  return dr === 2 && rankOf(from) === home && !p.men.has(squareAt(fileOf(from), rankOf(from) + forward));
}

const unreadable = (why: string): Reading => ({ kind: "unreadable", why });

export const KIND_NAMES: Record<Kind, string> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };

/** Neutral notation: "Ke1-e5", "e4xd5", "e7-e8=Q"; never + or #. The placement is the one before the move. */
export function neutral(p: Placement, m: string): string {
  const { from, to, promo } = splitMove(m);
  const man = p.men.get(from);
  const letter = !man || man.kind === "p" ? "" : man.kind.toUpperCase();
  const piece = man && isPromotion(p, man.color, from, to) ? `=${(promo ?? "q").toUpperCase()}` : "";
  return letter + from + (p.men.has(to) ? "x" : "-") + to + piece;
}

/** The same for the ear: "White knight g1 to f3". */
export function spokenMove(p: Placement, m: string): string {
  const { from, to, promo } = splitMove(m);
  const man = p.men.get(from);
  if (!man) return `${from} to ${to}`;
  const target = p.men.get(to);
  const takes = target ? `takes ${KIND_NAMES[target.kind]} on ` : "to ";
  const piece = isPromotion(p, man.color, from, to) ? `, ${KIND_NAMES[promo ?? "q"]}` : "";
  return `${colorName(man.color)} ${KIND_NAMES[man.kind]} ${from} ${takes}${to}${piece}`;
}

export const isSquare = (s: string): boolean => s.length === 2 && FILES.includes(s[0]!) && s[1]! >= "1" && s[1]! <= "8";
