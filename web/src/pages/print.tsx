import { counted, groups, MOST_SQUARE, square, walk } from "../desk/cross";
import { dayOf, minuteOfDay, scoreWords } from "../desk/words";
import { eventApi } from "../event/api";
import type { EventPage, PlayedGame, Row, Standings } from "../event/types";
import { formatName, phaseName, points, quarters } from "../event/words";
import { reasonWords } from "../history";
import { useTitle } from "../hooks";
import { useAnswer } from "../people/answer";
import { Loading, Trouble } from "../people/frame";
import { A } from "../router";
import { termsWords } from "../terms";

/** /e/NAME/print: the results on paper (A4). */
export function PrintPage({ event, eventKey }: { event: string; eventKey: string }) {
  const page = useAnswer<EventPage>(eventApi(event, "", eventKey));
  const table = useAnswer<Standings>(eventApi(event, "standings", eventKey));
  useTitle(page.value ? `${page.value.name}: results` : "Results · Flagfall");
  const problem = page.problem ?? table.problem;
  return (
    <main id="main" tabIndex={-1} class="printed">
      <p class="onscreen">
        <button type="button" class="button primary" onClick={() => print()}>Print</button>
        <A href={`/e/${encodeURIComponent(event)}`} class="button">Back to the event</A>
      </p>
      {problem && <Trouble problem={problem} again={() => { page.again(); table.again(); }} />}
      {page.value && table.value ? <Results page={page.value} {...table.value} /> : !problem && <Loading what="Reading the results…" />}
    </main>
  );
}

function Results({ page, rows, games }: { page: EventPage } & Standings) {
  const parts = groups(rows);
  const robin = page.format !== "arena";
  return (
    <>
      <h1>{page.name}</h1>
      <p>
        {page.started !== undefined && <>{dayOf(page.started)}. </>}
        {formatWords(page)}, {termsWords(page.terms)}{page.rated && ", rated"}. {phaseName(page.phase)}{page.phase !== "published" && `, as of ${minuteOfDay(page.now)}`}.
      </p>
      <p>Players: {rows.length}. Games: {counted(games).length}.{page.staff.length > 0 && ` ${staffWords(page)}`}</p>
      {parts.map((p) => (
        <section key={p.group}>
          <h2>{p.group > 0 ? `Group ${p.group}` : "Table"}</h2>
          <Table rows={p.rows} robin={robin} />
          <Cross rows={p.rows} games={games} />
        </section>
      ))}
      <Games rows={rows} games={games} robin={robin} />
    </>
  );
}

const formatWords = (p: EventPage): string => `${formatName(p.format)}${p.two ? " of matches of two games" : ""}`;

function staffWords(p: EventPage): string {
  const names = (role: string) => p.staff.filter((s) => s.role === role).map((s) => s.name).join(", ");
  const organisers = names("organiser");
  const arbiters = names("arbiter");
  return `${organisers && `Organiser: ${organisers}.`}${arbiters && ` Arbiter: ${arbiters}.`}`;
}

const nameOf = (r: Row): string => (r.real ? `${r.real} (${r.name})` : r.name);

function Table({ rows, robin }: { rows: Row[]; robin: boolean }) {
  const playoff = rows.some((r) => r.playoff);
  return (
    <table class="final">
      <thead>
        <tr>
          <th scope="col">Place</th><th scope="col">Name</th><th scope="col" class="num">Rating</th><th scope="col" class="num">Points</th>
          <th scope="col" class="num">Games</th><th scope="col" class="num">Won</th><th scope="col" class="num">Drawn</th><th scope="col" class="num">Lost</th>
          {playoff && <th scope="col" class="num">Play-off</th>}
          <th scope="col" class="num">Direct</th>
          {robin ? <th scope="col" class="num">S-B</th> : <th scope="col" class="num">Perf.</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((r) => (
          <tr key={r.id}>
            <td>{r.place}</td><td>{nameOf(r)}</td><td class="num">{r.rating || ""}</td><td class="num"><b>{points(r.points)}</b></td>
            <td class="num">{r.games}</td><td class="num">{r.wins}</td><td class="num">{r.draws}</td><td class="num">{r.losses}</td>
            {playoff && <td class="num">{points(r.playoff ?? 0)}</td>}
            <td class="num">{points(r.direct)}</td>
            {robin ? <td class="num">{quarters(r.sb)}</td> : <td class="num">{r.performance || ""}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cross({ rows, games }: { rows: Row[]; games: PlayedGame[] }) {
  if (rows.length < 2) return null;
  if (rows.length <= MOST_SQUARE) {
    const cells = square(rows, games);
    return (
      <table class="cross">
        <caption>Crosstable</caption>
        <thead><tr><th scope="col"><span class="sr">Number</span></th><th scope="col">Name</th>{rows.map((r, i) => <th key={r.id} scope="col">{i + 1}</th>)}<th scope="col" class="num">Points</th></tr></thead>
        <tbody>
          {rows.map((r, i) => (
            <tr key={r.id}>
              <td>{i + 1}</td><th scope="row">{r.name}</th>
              {rows.map((o, j) => <td key={o.id} class={i === j ? "self" : ""}>{i === j ? "×" : cells[i]![j]}</td>)}
              <td class="num">{points(r.points)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    );
  }
  const lines = walk(rows, games);
  return (
    <table class="walk">
      <caption>Games of each: number of the opponent, w for White or b for Black, result</caption>
      <tbody>
        {rows.map((r, i) => <tr key={r.id}><td>{i + 1}</td><th scope="row">{r.name}</th><td>{lines[i]!.map((g, n) => <span key={n}>{g} </span>)}</td></tr>)}
      </tbody>
    </table>
  );
}

function Games({ rows, games, robin }: { rows: Row[]; games: PlayedGame[]; robin: boolean }) {
  if (games.length === 0) return null;
  const names = new Map(rows.map((r) => [r.id, r.name]));
  const name = (id: string) => names.get(id) ?? "(left)";
  const list = [...games].sort((a, b) => (a.round ?? 0) - (b.round ?? 0) || a.ended - b.ended);
  return (
    <section>
      <h2>Games</h2>
      <table class="all">
        <thead><tr>{robin && <th scope="col">Round</th>}<th scope="col">Time</th><th scope="col">White</th><th scope="col">Black</th><th scope="col">Result</th><th scope="col">How</th></tr></thead>
        <tbody>
          {list.map((g) => (
            <tr key={g.id}>
              {robin && <td>{g.playoff ? "play-off" : g.round}</td>}
              <td>{minuteOfDay(g.started)}</td><td>{name(g.white)}</td><td>{name(g.black)}</td><td>{scoreWords(g.score)}</td>
              <td>{g.reason ? reasonWords(g.reason) : ""}{g.forfeit && " (forfeit)"}{g.changed && ` (${g.changed})`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
