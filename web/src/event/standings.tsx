import { useEffect, useState } from "preact/hooks";
import { Entrant } from "../people/name";
import { A } from "../router";
import { standings } from "./api";
import type { EventModel } from "./model";
import type { EventPage, PlayedGame, Row, Standings } from "./types";
import { isOn, orderWords, points, quarters, statusWord } from "./words";

const LEAST = 3000; // ms between two looks at the whole table
const EACH = 30; // ms more for each entry: large tables are large answers

/** The table: the first ten as they change, or all of it. */
export function StandingsSection({ model, page }: { model: EventModel; page: EventPage }) {
  const over = !isOn(page.phase);
  const [all, setAll] = useState(false);
  const [played, setPlayed] = useState(false); // its list is open
  const whole = useWhole(model, page, all || over || played);
  const me = model.link.you?.id;
  const rows = whole && !(all ? whole.rows.length === 0 : lacks(whole.rows, page.top)) ? whole.rows : page.top;
  const shown = all ? rows : rows.filter((r, i) => i < 10 || r.id === me);
  return (
    <section class="card standings" aria-labelledby="standings-title">
      <h2 id="standings-title">Standings</h2>
      {rows.length === 0 ? <p class="quiet">Nobody is in it yet.</p> : <Table rows={shown} page={page} me={me} />}
      {page.entries > shown.length && !all && <button type="button" class="button" onClick={() => setAll(true)}>All {page.entries} players</button>}
      {all && rows.length > 10 && <button type="button" class="button" onClick={() => setAll(false)}>The first ten</button>}
      {rows.length > 0 && <p class="quiet order">{orderWords(page.format, page.scoring)}</p>}
      {page.games > 0 && (
        <details class="played" onToggle={(e) => setPlayed(e.currentTarget.open)}>
          <summary>Games that are over</summary>
          {whole ? <Played games={whole.games} rows={whole.rows} me={me} page={page} /> : <p class="quiet">Loading…</p>}
        </details>
      )}
    </section>
  );
}

/** Whether somebody has entered since the table was read. */
const lacks = (rows: Row[], top: Row[]): boolean => top.some((t) => !rows.some((r) => r.id === t.id));

/** The whole table, read again when something has changed, while `on`. */
function useWhole(model: EventModel, page: EventPage, on: boolean): Standings | undefined {
  const [whole, setWhole] = useState<{ value: Standings; at: number } | undefined>();
  const changed = `${page.phase} ${page.games} ${page.playing} ${page.entries} ${JSON.stringify(page.top.map((r) => [r.id, r.points]))}`;
  const at = whole?.at ?? 0;
  // It is read again when `changed` says so, not sooner than stated
  useEffect(() => {
    if (!on) return undefined;
    let gone = false;
    const wait = Math.max(0, at + LEAST + EACH * page.entries - performance.now());
    const timer = setTimeout(() => {
      standings(model.event, model.key).then(
        ({ rows, games }) => !gone && setWhole({ value: { rows: rows ?? [], games: games ?? [] }, at: performance.now() }),
        () => undefined, // the last one stays
      );
    }, at ? wait : 0);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [model, on, changed]);
  return on ? whole?.value : undefined;
}

/** What a reader of the table has to know of a player; who had paused when all was over is as good as any other. */
function standing(r: Row, page: EventPage): string | undefined {
  if (r.out) return "left; the games do not count";
  return r.status === "paused" && !isOn(page.phase) ? undefined : statusWord(r.status);
}

function Table({ rows, page, me }: { rows: Row[]; page: EventPage; me: string | undefined }) {
  const robin = page.format !== "arena";
  const groups = new Set(rows.map((r) => r.group ?? 0)).size > 1;
  const playoff = rows.some((r) => r.playoff);
  return (
    <div class="wide-table" role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            <th scope="col"><abbr title="Place">#</abbr></th>
            {groups && <th scope="col">Group</th>}
            <th scope="col">Player</th>
            <th scope="col"><abbr title="Points">Pts</abbr></th>
            <th scope="col"><abbr title="Games that count">Gms</abbr></th>
            {playoff && <th scope="col">Play-off</th>}
            {!robin && <th scope="col"><abbr title="Performance">Perf</abbr></th>}
            <th scope="col"><abbr title="Points from the games among those level">Dir</abbr></th>
            <th scope="col">Wins</th>
            {robin && <th scope="col"><abbr title="Sonneborn-Berger">SB</abbr></th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((r) => (
            <tr key={r.id} class={r.id === me ? "me" : ""}>
              <td>{r.place}</td>
              {groups && <td>{r.group}</td>}
              <th scope="row">
                <Entrant person={r} />{r.real && r.real !== r.name && <span class="quiet"> {r.real}</span>}
                {r.rating > 0 && <span class="quiet"> {r.rating}</span>}
                {r.fire && isOn(page.phase) && <span class="fire" title="The next win counts twice"> ×2</span>}
                {standing(r, page) && <small> {standing(r, page)}</small>}
              </th>
              <td><b>{points(r.points)}</b></td>
              <td>{r.games}</td>
              {playoff && <td>{points(r.playoff ?? 0)}</td>}
              {!robin && <td>{r.performance || "–"}</td>}
              <td>{points(r.direct)}</td>
              <td>{r.wins}</td>
              {robin && <td>{quarters(r.sb)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const OWN = "own";

/** The games that are over: one's own, or everybody's by rounds. */
function Played({ games, rows, me, page }: { games: PlayedGame[]; rows: Row[]; me: string | undefined; page: EventPage }) {
  const plays = games.some((g) => g.white === me || g.black === me);
  const [which, setWhich] = useState(OWN);
  const own = plays && which === OWN;
  const names = new Map(rows.map((r) => [r.id, r.name]));
  const list = (own ? games.filter((g) => g.white === me || g.black === me) : games).slice().sort((a, b) => b.ended - a.ended);
  return (
    <>
      {plays && (
        <p class="tabs">
          <button type="button" aria-pressed={own} onClick={() => setWhich(OWN)}>Yours</button>
          <button type="button" aria-pressed={!own} onClick={() => setWhich("")}>All {games.length}</button>
        </p>
      )}
      <ul>
        {list.map((g) => (
          <li key={g.id}>
            <A href={`/g/${encodeURIComponent(g.id)}`}>{names.get(g.white) ?? "?"} – {names.get(g.black) ?? "?"}</A>{" "}
            <b>{g.score === "*" ? "void" : g.score.replaceAll("1/2", "½")}</b>
            <span class="quiet">
              {page.format !== "arena" && g.round ? ` round ${g.round}` : ""}{g.forfeit ? " by forfeit" : ""}{g.playoff ? " play-off" : ""}
              {g.changed ? ` (changed: ${g.changed})` : ""}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
