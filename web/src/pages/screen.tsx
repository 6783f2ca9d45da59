import { useEffect, useMemo, useState } from "preact/hooks";
import { LiveClock, LiveText } from "../desk/live";
import { noticeAt, ROWS, rightOf, ScreenModel, takesEntries, viewOf } from "../desk/screen";
import { minuteOfDay } from "../desk/words";
import { eventApi } from "../event/api";
import type { BoardView, EventPage, Row } from "../event/types";
import { countdown, isBefore, phaseName, points } from "../event/words";
import { useModel, useTitle } from "../hooks";
import { MiniBoard } from "../table/miniboard";
import { keepAwake } from "../wake";
import type { Color } from "../wire";

const TURN_EACH = 1000;

/** /e/NAME/screen?key=KEY: the projector. It logs in nowhere and shows what all may see. */
export function ScreenPage({ event, screen }: { event: string; screen: string }) {
  const model = useMemo(() => new ScreenModel(event, screen), [event, screen]);
  useModel(model);
  useEffect(() => model.open(), [model]);
  useEffect(() => keepAwake(), []);
  useTurns();
  useTitle(model.page ? `${model.page.name} · Flagfall` : "Projector · Flagfall");
  const { page } = model;
  if (!page) {
    return (
      <main id="main" tabIndex={-1} class="screen empty">
        <p role={model.refused ? "alert" : "status"}>{model.refused || (model.lost ? "The server cannot be reached. Trying again…" : "One moment…")}</p>
      </main>
    );
  }
  const right = rightOf(page, model.boards, model.now());
  const alone = right.kind === "table";
  const view = viewOf(model.rows, alone ? 2 * ROWS : ROWS, model.now());
  const two = alone && view.rows.length > ROWS;
  const notice = noticeAt(page, model.civil());
  return (
    <main id="main" tabIndex={-1} class="screen">
      <header>
        <h1>{page.name}</h1>
        <Clock model={model} page={page} />
      </header>
      <div class={alone && !two ? "halves whole" : "halves"}>
        <Table rows={view.rows.slice(0, ROWS)} from={view.from} all={model.rows.length} page={page} />
        {two && <Table rows={view.rows.slice(ROWS)} from={view.from + ROWS} all={model.rows.length} page={page} />}
        {right.kind === "boards" && <div class={right.boards.length > 1 ? "boards" : "boards single"}>{[0, 1].map((i) => <Board key={i} b={right.boards[i]} at={model.boardsAt} />)}</div>}
        {right.kind === "join" && <Join model={model} page={page} />}
      </div>
      <footer class={notice ? "told" : ""} aria-live="polite">
        {model.lost ? <span class="lost">No connection: this is as of {minuteOfDay(page.now)}</span> : notice && <span>{notice}</span>}
      </footer>
    </main>
  );
}

/** Renders once a second, so that tables and boards take turns also when nothing comes from the server. */
function useTurns(): void {
  const [, set] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => set((n) => (n + 1) % 1000), TURN_EACH);
    return () => clearInterval(timer);
  }, []);
}

function Clock({ model, page }: { model: ScreenModel; page: EventPage }) {
  const at = page.phase === "running" ? page.bell : page.phase === "open" || page.phase === "checkin" ? page.starts : undefined;
  const label = page.phase === "running" ? (page.bell ? "Bell in" : roundWords(page)) : at ? "Starts in" : phaseName(page.phase);
  return (
    <p class="bell">
      <span>{page.held ? "Pairing is held" : label}</span>
      {at !== undefined && <LiveText class="digits" text={() => countdown(at - model.civil())} />}
    </p>
  );
}

const roundWords = (p: EventPage): string => (p.round ? `Round ${p.round}${p.rounds ? ` of ${p.rounds}` : ""}` : phaseName(p.phase));

interface TableProps { rows: Row[]; from: number; all: number; page: EventPage }

function Table({ rows, from, all, page }: TableProps) {
  if (all === 0) {
    return <section class="places none"><p>{page.entries === 1 ? "1 player has entered" : `${page.entries} players have entered`}</p></section>;
  }
  const grouped = rows.some((r) => (r.group ?? 0) > 1);
  const before = isBefore(page.phase);
  const title = before ? "Players" : page.phase === "published" ? "Final table" : "Standings";
  return (
    <section class="places" aria-label="Standings">
      <table>
        <thead><tr><th scope="col">#</th><th scope="col">{title}</th><th scope="col" class="num">{before ? "" : "Games"}</th><th scope="col" class="num">{before ? "Rating" : "Points"}</th></tr></thead>
        <tbody>
          {rows.map((r, i) => (
            <tr key={i}>
              <td>{before ? from + i + 1 : grouped && r.group ? `${r.group}/${r.place}` : r.place}</td>
              <td class="name">{r.name}</td>
              <td class="num">{before ? "" : r.games}</td>
              <td class="num"><b>{before ? r.rating || "" : points(r.points)}</b></td>
            </tr>
          ))}
        </tbody>
      </table>
      {all > ROWS && rows.length > 0 && <p>{from + 1}–{from + rows.length} of {all}</p>}
    </section>
  );
}

/** A board as it stands; the place is there without a game, so that nothing jumps. */
function Board({ b, at }: { b: BoardView | undefined; at: number }) {
  return (
    <div class={`one ${b ? "" : "none"}`}>
      {b && <Seat b={b} side="b" at={at} />}
      {b && <MiniBoard board={b.board} />}
      {b && <Seat b={b} side="w" at={at} />}
    </div>
  );
}

function Seat({ b, side, at }: { b: BoardView; side: Color; at: number }) {
  const person = side === "w" ? b.white : b.black;
  const place = side === "w" ? b.place_white : b.place_black;
  return (
    <p class={`seat ${side === "w" ? "white" : "black"}`}>
      <span class="name">{place > 0 && <small>{place}.</small>} {person.name}</span>
      <LiveClock clk={b.clk} side={side} at={at} />
    </p>
  );
}

function Join({ model, page }: { model: ScreenModel; page: EventPage }) {
  const [none, setNone] = useState(false);
  const address = `${location.host}/e/${page.event}`;
  return (
    <section class="join">
      <h2>{takesEntries(page) ? "Join with your phone" : ""}</h2>
      {!none && <img src={eventApi(model.event, "qr.svg", model.key)} alt="The address of this event as a QR code" onError={() => setNone(true)} />}
      {page.access !== "link" && <p>{address}</p>}
    </section>
  );
}
