import { useCallback, useEffect, useState } from "preact/hooks";
import { Entrant } from "../../people/name";
import { problemWords } from "../../api";
import { entries, exportAddress } from "../api";
import type { EventModel } from "../model";
import type { Do, EntryView, EventPage } from "../types";
import { isBefore, isOn, statusWord } from "../words";
import { WithReason } from "./reason";

const EVERY = 5000;

/** Who has entered, with what the organiser may do about it; the list by hand and by file. */
export function Players({ model, page }: { model: EventModel; page: EventPage }) {
  const [list, setList] = useState<EntryView[] | undefined>();
  const [trouble, setTrouble] = useState("");
  const load = useCallback(() => {
    entries(model.event).then(
      (fresh) => {
        setList(fresh ?? []);
        setTrouble("");
      },
      (e) => setTrouble(problemWords(e)),
    );
  }, [model]);
  const count = `${page.phase} ${page.entries} ${page.here} ${page.playing}`;
  useEffect(() => {
    load();
    const timer = setInterval(() => document.visibilityState === "visible" && load(), EVERY);
    return () => clearInterval(timer);
  }, [load, count]);
  const act = async (what: Do): Promise<boolean> => {
    const done = await model.act(what);
    load();
    return done;
  };
  const asked = list?.filter((e) => e.status === "asked") ?? [];
  return (
    <section class="card players" aria-labelledby="players-title">
      <h2 id="players-title">Players</h2>
      {trouble && <p class="banner bad" role="alert">{trouble}</p>}
      {asked.length > 0 && <p class="banner" role="status">{asked.length === 1 ? "1 entry waits" : `${asked.length} entries wait`} for your approval.</p>}
      {list?.length === 0 && <p class="quiet">Nobody has entered yet.</p>}
      {list && list.length > 0 && (
        <div class="wide-table" role="region" aria-label="Players">
          <table>
            <thead><tr><th scope="col">Name</th><th scope="col">Rating</th><th scope="col">State</th><th scope="col">What to do</th></tr></thead>
            <tbody>{[...asked, ...list.filter((e) => e.status !== "asked")].map((e) => <Line key={e.id} e={e} page={page} act={act} busy={model.busy} />)}</tbody>
          </table>
        </div>
      )}
      {!page.cancelled && (isBefore(page.phase) || isOn(page.phase)) && <Roster act={act} busy={model.busy} />}
      <p><a href={exportAddress(model.event, "roster.csv")} download={`${model.event}-roster.csv`}>Save the list (CSV)</a></p>
    </section>
  );
}

function Line({ e, page, act, busy }: { e: EntryView; page: EventPage; act: (what: Do) => Promise<boolean>; busy: boolean }) {
  const button = (label: string, what: Do) => <button type="button" class="plain" disabled={busy} onClick={() => void act(what)}>{label}<span class="sr"> {e.name}</span></button>;
  const line = isLine(e);
  return (
    <tr>
      <th scope="row"><Entrant person={e} />{e.real && e.real !== e.name && <span class="quiet"> {e.real}</span>}</th>
      <td>{e.rating || "–"}</td>
      <td>{stateOf(e)}</td>
      <td>
        <span class="acts">
          {e.status === "asked" && button("Approve", { do: "admit", who: e.id })}
          {!line && page.phase === "checkin" && e.status === "in" && !e.checked && button("Is here", { do: "arrive", who: e.id })}
          {!line && isOn(page.phase) && e.status === "in" && button("Pause", { do: "pause", who: e.id })}
          {!line && (isBefore(page.phase) || isOn(page.phase)) && (e.status === "paused" || e.status === "withdrawn") && button("Return", { do: "return", who: e.id })}
          {!line && isOn(page.phase) && (e.status === "in" || e.status === "paused") && button("Withdraw", { do: "withdraw", who: e.id })}
          {!page.cancelled && isBefore(page.phase) && e.status !== "removed" && e.status !== "expelled" && (
            <WithReason label="Take out" about={e.name} ask={`Why is ${e.name} taken out?`} busy={busy} danger act={(why) => act({ do: "remove", who: e.id, why })} />
          )}
        </span>
      </td>
    </tr>
  );
}

/** A line of the list that nobody has claimed yet. */
const isLine = (e: EntryView): boolean => e.id.startsWith("r-");

function stateOf(e: EntryView): string {
  const out = statusWord(e.status);
  if (isLine(e) && e.status !== "removed") return "on the list, not here yet";
  if (out) return e.why && e.status !== "asked" ? `${out}: ${e.why === "no_show" ? "did not come" : e.why}` : out;
  return [e.game ? "plays" : e.here ? "here" : "away", e.checked ? "checked in" : "", e.claimed ? "from the list" : "", e.account ? "" : "guest"].filter(Boolean).join(", ");
}

/** People whom the organiser puts on the list: they find themselves there when they come. */
function Roster({ act, busy }: { act: (what: Do) => Promise<boolean>; busy: boolean }) {
  const [name, setName] = useState("");
  const [real, setReal] = useState("");
  const [rating, setRating] = useState("");
  const [csv, setCsv] = useState("");
  const add = async (e: Event) => {
    e.preventDefault();
    const done = await act({ do: "add", name: name.trim(), ...(real.trim() && { real: real.trim() }), ...(rating && { rating: Number(rating) }) });
    if (done) {
      setName("");
      setReal("");
      setRating("");
    }
  };
  const upload = async (e: Event) => {
    e.preventDefault();
    if (await act({ do: "roster", csv })) setCsv("");
  };
  const read = (file: File | undefined) => file?.text().then(setCsv, () => undefined);
  return (
    <>
      <details>
        <summary>Put somebody on the list</summary>
        <form class="row" onSubmit={add}>
          <label class="field">Name at the tables<input required maxLength={80} value={name} onInput={(e) => setName(e.currentTarget.value)} /></label>
          <label class="field">Real name<input maxLength={80} value={real} onInput={(e) => setReal(e.currentTarget.value)} /></label>
          <label class="field">Rating<input type="number" min="0" max="4000" inputMode="numeric" value={rating} onInput={(e) => setRating(e.currentTarget.value)} /></label>
          <button type="submit" class="button primary" disabled={busy || !name.trim()}>Add</button>
        </form>
      </details>
      <details>
        <summary>A list from a spreadsheet</summary>
        <form onSubmit={upload}>
          <p class="quiet">A CSV file with the columns name, real name and rating; the last two may be missing. All lines are taken, or none.</p>
          <label class="field">File<input type="file" accept=".csv,.txt,text/csv,text/plain" onChange={(e) => void read(e.currentTarget.files?.[0])} /></label>
          <label class="field">Or paste it here<textarea rows={5} value={csv} spellcheck={false} placeholder={"Morozova;Anna Morozova;1850\nLee;;1620"} onInput={(e) => setCsv(e.currentTarget.value)} /></label>
          <button type="submit" class="button primary" disabled={busy || !csv.trim()}>Take the list</button>
        </form>
      </details>
    </>
  );
}
