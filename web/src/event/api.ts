// The HTTP side of events.
import { request } from "../api";
import type { BoardView, Chat, Desk, Do, EntryView, EventPage, GameLog, Row, Score, Standings } from "./types";

const base = (event: string): string => `/api/events/${encodeURIComponent(event)}`;

/** An address of an event's API; the key of its link or screen is sent with it. */
export const eventApi = (event: string, path = "", key = ""): string => `${base(event)}${path && `/${path}`}${key && `?key=${encodeURIComponent(key)}`}`;

export const eventPage = (event: string, key = ""): Promise<EventPage> => request(eventApi(event, "", key));
export const standings = (event: string, key = ""): Promise<Standings> => request(eventApi(event, "standings", key));
export const boards = async (event: string, key = ""): Promise<BoardView[]> => (await request<{ boards: BoardView[] }>(eventApi(event, "boards", key))).boards;
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
