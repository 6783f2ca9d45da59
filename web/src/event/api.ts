// The HTTP side of events.
import { request } from "../api";
import type { BoardView, Chat, ClubView, Desk, Do, EntryView, EventPage, Format, GameLog, Listed, Listing, Row, Score, Settings, Standings } from "./types";

const base = (event: string): string => `/api/events/${encodeURIComponent(event)}`;

/** An address of an event's API; the key of its link or screen is sent with it. */
export const eventApi = (event: string, path = "", key = ""): string => `${base(event)}${path && `/${path}`}${key && `?key=${encodeURIComponent(key)}`}`;

export const eventPage = (event: string, key = ""): Promise<EventPage> => request(eventApi(event, "", key));
export const standings = (event: string, key = ""): Promise<Standings> => request(eventApi(event, "standings", key));

/** The boards that are played; of the `most` highest places, or all. */
export async function boards(event: string, key = "", most = 0): Promise<BoardView[]> {
  const query = new URLSearchParams({ ...(most && { most: String(most) }), ...(key && { key }) }).toString();
  return (await request<{ boards: BoardView[] | null }>(`${base(event)}/boards${query && `?${query}`}`)).boards ?? [];
}

export const entries = async (event: string): Promise<EntryView[]> => (await request<{ entries: EntryView[] }>(eventApi(event, "entries"))).entries;
export const desk = (event: string): Promise<Desk> => request(eventApi(event, "desk"));
export const gameLog = (event: string, game: string): Promise<GameLog> => request(eventApi(event, `desk/games/${encodeURIComponent(game)}`));

/** The table as it would be with another result of a game that is over. */
export const preview = async (event: string, game: string, score: Score, forfeit: boolean): Promise<Row[]> =>
  (await request<{ rows: Row[] }>(eventApi(event, "preview"), "POST", { game, score, ...(forfeit && { forfeit }) })).rows;

export const act = (event: string, what: Do, key = ""): Promise<unknown> => request(eventApi(event, "acts", key), "POST", what);

export const chat = (event: string, after: number, key = ""): Promise<Chat> =>
  request(`${base(event)}/chat?after=${after}${key && `&key=${encodeURIComponent(key)}`}`);
export const say = (event: string, text: string, key = ""): Promise<unknown> => request(eventApi(event, "chat", key), "POST", { text });

export const exportAddress = (event: string, file: string, key = ""): string => eventApi(event, `export/${file}`, key);

export const defaults = (format: Format): Promise<Settings> => request(`/api/events/defaults?format=${format}`);

/** Makes an event; its name in addresses comes back. */
export const createEvent = async (made: { event?: string; club?: string; password?: string; settings: Settings }): Promise<string> =>
  (await request<{ event: string }>("/api/events", "POST", made)).event;

/** The events that run, that will, or that are over, the newest first. */
export async function listEvents(phase: "open" | "running" | "past" | "", club = ""): Promise<Listed[]> {
  const query = new URLSearchParams({ ...(phase && { phase }), ...(club && { club }) }).toString();
  return (await request<{ events: Listed[] | null }>(`/api/events${query && `?${query}`}`)).events ?? [];
}

/** The address that the QR code says. */
export const joinLink = async (event: string): Promise<string> => (await request<{ url: string }>(eventApi(event, "link"))).url;
export const qrAddress = (event: string): string => eventApi(event, "qr.svg");

const club = (name: string): string => `/api/clubs/${encodeURIComponent(name)}`;
export const clubs = async (): Promise<Listing[]> => (await request<{ clubs: Listing[] | null }>("/api/clubs")).clubs ?? [];
export const makeClub = (made: { club: string; name: string; about: string }): Promise<unknown> => request("/api/clubs", "POST", made);
export const clubView = (name: string): Promise<ClubView> => request(club(name));

type ClubDo =
  | { do: "join" | "leave" }
  | { do: "role"; who: string; role: string }
  | { do: "remove"; who: string }
  | { do: "about"; about: string };

export const clubAct = (name: string, what: ClubDo): Promise<unknown> => request(`${club(name)}/acts`, "POST", what);
