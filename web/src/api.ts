// The HTTP side of the server. Problems come as RFC 9457 documents.
import type { Through } from "./through";
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

export interface Finished { state: GameState; started?: string; ended?: string; log: LogEntry[] }

export async function request<T>(path: string, method = "GET", body?: object, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, { method, headers, cache: "no-store", ...(body && { body: JSON.stringify(body) }), ...(signal && { signal }) });
  if (answer.status === 204) return undefined as T;
  if (answer.ok) return (await answer.json()) as T;
  const problem = (await answer.json().catch(() => ({}))) as { title?: string; detail?: string; code?: string };
  throw new Problem(answer.status, problem.code ?? "", problem.detail ?? problem.title ?? `The server answered ${answer.status}.`);
}

/** The words of an error for people. */
export const problemWords = (e: unknown): string =>
  (e instanceof Problem ? e.message : "The server cannot be reached. Try again in a moment.");

/** Oneself; a guest has no account. */
export interface Me extends Person { guest: boolean }

export interface Session { id: string; current?: boolean; created: string; seen: string }

/** `token` is told once, when it is made. */
export interface ApiToken { id: string; token?: string; created: string }

export interface Bot { id: string; name: string; created: string; tokens: ApiToken[] }

export interface Account { id: string; name: string; role: string; created: string; sessions: Session[]; bots: Bot[] }

/** An account as an administrator sees it; `owner` of a bot. */
export interface Someone { id: string; name: string; role: string; owner?: string; created: string; closed?: string }

export const register = (name: string, password: string): Promise<Me> => request("/api/register", "POST", { name, password });
export const logIn = (name: string, password: string): Promise<Me> => request("/api/login", "POST", { name, password });
export const logOut = (): Promise<void> => request("/api/logout", "POST");
export const logOutEverywhere = (): Promise<void> => request("/api/logout/everywhere", "POST");

/** One's own account. A token that has expired while one was away is renewed first. */
export async function account(): Promise<Account> {
  await ensureGuest();
  return request("/api/account");
}

export const endSession = (id: string): Promise<void> => request(`/api/account/sessions/${encodeURIComponent(id)}`, "DELETE");
export const changePassword = (old: string, next: string): Promise<void> => request("/api/account/password", "POST", { old, new: next });
export const resetPassword = (code: string, password: string): Promise<void> => request("/api/reset", "POST", { code, password });
export const deleteAccount = (password: string): Promise<void> => request("/api/account/delete", "POST", { password });

const bot = (id: string): string => `/api/bots/${encodeURIComponent(id)}`;
export const makeBot = (name: string): Promise<Bot> => request("/api/bots", "POST", { name });
export const deleteBot = (id: string): Promise<void> => request(bot(id), "DELETE");
export const makeToken = (id: string): Promise<ApiToken> => request(`${bot(id)}/tokens`, "POST");
export const deleteToken = (id: string, token: string): Promise<void> => request(`${bot(id)}/tokens/${encodeURIComponent(token)}`, "DELETE");

const someone = (id: string): string => `/api/admin/people/${encodeURIComponent(id)}`;
export const people = async (after: string): Promise<Someone[]> =>
  (await request<{ people: Someone[] }>(`/api/admin/people?after=${encodeURIComponent(after)}`)).people;
export const setRole = (id: string, role: string): Promise<Someone> => request(`${someone(id)}/role`, "POST", { role });
export const setClosed = (id: string, closed: boolean): Promise<Someone> => request(`${someone(id)}/closed`, "POST", { closed });
export const resetLink = (id: string): Promise<{ link: string; until: string }> => request(`${someone(id)}/reset`, "POST");

let meeting: Promise<Me> | undefined;

/** Who we are: the person of our cookie, or a new guest; `through` an event whose link led here. Whoever asks meanwhile gets the same answer. */
export function ensureGuest(through?: Through): Promise<Me> {
  meeting ??= meet(through).finally(() => {
    meeting = undefined;
  });
  return meeting;
}

async function meet(through: Through | undefined): Promise<Me> {
  try {
    return await request<Me>("/api/me");
  } catch (e) {
    if (e instanceof Problem && e.status === 401) return request<Me>("/api/guest", "POST", through);
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

/** Where a finished game's full record is. */
export const recordAddress = (id: string): string => `/api/games/${encodeURIComponent(id)}`;

export const pgnAddress = (id: string): string => `${recordAddress(id)}/pgn`;

export const wishFor = (c: Color): ColorWish => (c === "w" ? "white" : "black");
