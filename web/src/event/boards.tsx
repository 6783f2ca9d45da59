import { useEffect, useReducer, useState } from "preact/hooks";
import { formatClock, isFlagged, remaining } from "../clock";
import { Entrant } from "../people/name";
import { A } from "../router";
import { MiniBoard } from "../table/miniboard";
import type { Color } from "../wire";
import { boards } from "./api";
import type { EventModel } from "./model";
import type { BoardView } from "./types";

const EVERY = 1000;
export const SHOWN = 6;

interface Seen { list: BoardView[]; at: number }

/** The boards of the highest places as they are played, asked for each second while somebody looks. */
export function TopBoards({ model, on }: { model: EventModel; on: boolean }) {
  const [seen, setSeen] = useState<Seen | undefined>();
  useEffect(() => {
    if (!on) return undefined;
    let gone = false;
    let asking = false;
    const look = () => {
      if (asking || document.visibilityState !== "visible") return;
      asking = true;
      boards(model.event, model.key, SHOWN).then(
        (list) => !gone && setSeen({ list: list.slice(0, SHOWN), at: performance.now() }),
        () => undefined, // the last ones stay
      ).finally(() => {
        asking = false;
      });
    };
    look();
    const timer = setInterval(look, EVERY);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [model, on]);
  if (!on) return null;
  return (
    <section class="boards" aria-labelledby="boards-title">
      <h2 id="boards-title">Top boards</h2>
      {!seen ? <p class="quiet">Loading…</p> : seen.list.length === 0 ? <p class="quiet">No game at the moment.</p> : (
        <ul class="games">{seen.list.map((b) => <OneBoard key={b.game} b={b} at={seen.at} />)}</ul>
      )}
    </section>
  );
}

function OneBoard({ b, at }: { b: BoardView; at: number }) {
  return (
    <li class="game">
      <Side b={b} c="b" at={at} />
      <A href={`/g/${encodeURIComponent(b.game)}`} class="watch" aria-label={`Watch ${b.white.name} against ${b.black.name}`}><MiniBoard board={b.board} /></A>
      <Side b={b} c="w" at={at} />
      {b.dispute && <span class="quiet">The arbiter is called.</span>}
    </li>
  );
}

function Side({ b, c, at }: { b: BoardView; c: Color; at: number }) {
  const person = c === "w" ? b.white : b.black;
  const place = c === "w" ? b.place_white : b.place_black;
  const [, again] = useReducer((n: number) => n + 1, 0);
  const runs = b.clk.run === c;
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => again(undefined), 200);
    return () => clearInterval(timer);
  }, [runs]);
  const flagged = isFlagged(b.clk, c);
  return (
    <span class={`side ${c === "w" ? "white" : "black"}${runs ? " runs" : ""}`}>
      <span class="disc" aria-hidden="true" />
      <span class="who"><b>{place || ""}</b> <Entrant person={person} /></span>
      <span class={`time${flagged ? " down" : ""}`}>{formatClock(remaining(b.clk, c, at, performance.now()), flagged)}</span>
    </span>
  );
}
