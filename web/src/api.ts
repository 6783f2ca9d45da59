// The HTTP side of the server. Problems come as RFC 9457 documents.
import type { Color, ColorWish, GameEvent, GameState, Mode, Person, Terms } from "./wire";

export class Problem extends Error {
  constructor(readonly status: number, readonly code: string, message: string) {
    super(message);
  }
}

export interface Summary extends Terms { game: string; white: Person; black: Person; base: number; mode: Mode; ply: number; board: string; wbca: boolean }

export interface InviteView extends Terms { invite: string; by: Person; base: number; mode: Mode; color: ColorWish; wbca: boolean; casual?: boolean }

/** One line of a finished game's log. */
export interface LogEntry extends GameEvent { at: number; san?: string; legal?: boolean }

export interface Finished { state: GameState; started?: string; log: LogEntry[] }

async function request<T>(path: string, method = "GET"): Promise<T> {
  const answer = await fetch(path, { method, headers: { Accept: "application/json" }, cache: "no-store" });
  if (answer.ok) return (await answer.json()) as T;
  const body = (await answer.json().catch(() => ({}))) as { title?: string; detail?: string; code?: string };
  throw new Problem(answer.status, body.code ?? "", body.detail ?? body.title ?? `The server answered ${answer.status}.`);
}

/** Who we are: the guest of our cookie, or a new one. */
export async function ensureGuest(): Promise<Person> {
  try {
    return await request<Person>("/api/me");
  } catch (e) {
    if (e instanceof Problem && e.status === 401) return request<Person>("/api/guest", "POST");
    throw e;
  }
}

export const liveGames = async (): Promise<Summary[]> => (await request<{ games: Summary[] | null }>("/api/games")).games ?? [];

export const invitation = (id: string): Promise<InviteView> => request(`/api/invites/${encodeURIComponent(id)}`);

/** A running game's public state, or a finished game with its log. */
export async function gameView(id: string): Promise<GameState | Finished> {
  return request(`/api/games/${encodeURIComponent(id)}`);
}

export const isFinished = (g: GameState | Finished): g is Finished => "log" in g;

export const pgnAddress = (id: string): string => `/api/games/${encodeURIComponent(id)}/pgn`;

export const wishFor = (c: Color): ColorWish => (c === "w" ? "white" : "black");
