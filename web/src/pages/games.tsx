import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  againstApi, type Entry, type Filter, type FilterName, gamesApi, gamesPage, gamesPGN, percent, personApi, personPage, played, type Profile, readFilter, type RulesTally,
  total, writeFilter,
} from "../history";
import { useAnswer } from "../people/answer";
import { Entries } from "../people/entries";
import { Frame, Loading, Trouble } from "../people/frame";
import { Nobody } from "../people/nobody";
import { A, setQuery, useQuery } from "../router";
import { BOOKS } from "../terms";

/** /people/{name}/games: somebody's games, narrowed down by the address. */
export function PersonGamesPage({ name }: { name: string }) {
  const { value, problem, again } = useAnswer<Profile>(personApi(name));
  if (problem?.code === "unknown_person") return <Nobody name={name} />;
  const shown = value?.name ?? name;
  return (
    <Frame title={`Games of ${shown}`}>
      <h1>Games of <A href={personPage(shown)}>{shown}</A></h1>
      {problem && <Trouble problem={problem} again={again} />}
      {!problem && !value && <Loading what="Loading the games…" />}
      {value && <Games name={value.name} person={value.id} />}
    </Frame>
  );
}

/** /games: everybody's finished games. */
export function GamesPage() {
  return (
    <Frame title="Games">
      <h1>Games</h1>
      <nav class="tabs" aria-label="Which games">
        <A href="/games" aria-current="page">Finished</A>
        <A href="/live">Being played now</A>
      </nav>
      <Games name={undefined} person={undefined} />
    </Frame>
  );
}

function Games({ name, person }: { name: string | undefined; person: string | undefined }) {
  const query = useQuery();
  const filter = readFilter(query);
  const after = new URLSearchParams(query).get("after") ?? undefined;
  const { value, problem, loading, again } = useAnswer<{ games: Entry[]; next?: string }>(gamesApi(name, filter, after));
  const all = gamesPage(name);
  const narrowed = writeFilter(filter) !== "";
  return (
    <>
      <Filters name={name} filter={filter} />
      {name !== undefined && filter.opponent && <Against name={name} opponent={filter.opponent} />}
      {problem && <Trouble problem={problem} words={problem.code === "unknown_person" ? `Nobody is called ${filter.opponent}.` : undefined} again={again} />}
      {!value && !problem && <Loading what="Loading the games…" />}
      {value && value.games.length > 0 && (
        <div class={loading ? "stale" : ""} aria-busy={loading}>
          <Entries games={value.games} person={person} />
        </div>
      )}
      {value && !loading && value.games.length === 0 && (
        <p class="none" role="status">{after ? "There are no older games." : narrowed ? "No game fits this." : "No game has been finished yet."}</p>
      )}
      <p class="buttons">
        {after && <A href={all + writeFilter(filter)} class="button">Newest games</A>}
        {value?.next && <A href={all + writeFilter(filter, { after: value.next })} class="button">Older games</A>}
        {(problem || narrowed) && <A href={all} class="button">Show all games</A>}
        {value && value.games.length > 0 && (
          <a class="button" href={gamesPGN(name, filter)} download={`flagfall${name === undefined ? "" : `-${name}`}.pgn`}>
            {narrowed ? "These games as PGN" : "All games as PGN"}
          </a>
        )}
      </p>
    </>
  );
}

const RULES: [string, string][] = [["", "All"], ...BOOKS.map((b): [string, string] => [b.id, b.name])];
const RATED: [string, string][] = [["", "All"], ["true", "Rated"], ["false", "Casual"]];
const COLORS: [string, string][] = [["", "Either"], ["white", "White"], ["black", "Black"]];
const OWN_RESULTS: [string, string][] = [["", "All"], ["won", "Won"], ["drawn", "Drawn"], ["lost", "Lost"], ["void", "No result"]];
const RESULTS: [string, string][] = [["", "All"], ["1-0", "White won"], ["0-1", "Black won"], ["1/2-1/2", "Drawn"], ["*", "No result"]];

/** What is chosen counts at once; it stands in the address, so it can be kept and sent. */
function Filters({ name, filter }: { name: string | undefined; filter: Filter }) {
  const form = useRef<HTMLFormElement>(null);
  const apply = () => {
    const data = new FormData(form.current!);
    const next: Filter = {};
    for (const [key, value] of data) if (String(value).trim()) next[key as FilterName] = String(value).trim();
    setQuery(writeFilter(next));
  };
  const submit = (e: SubmitEvent) => {
    e.preventDefault();
    apply();
  };
  const choice = (field: FilterName, label: string, options: [string, string][]) => (
    <Labelled field={field} label={label}>
      <select id={`filter-${field}`} name={field} value={filter[field] ?? ""} onChange={apply}>
        {options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
    </Labelled>
  );
  const day = (field: FilterName, label: string) => (
    <Labelled field={field} label={label}>
      <input id={`filter-${field}`} type="date" name={field} value={filter[field] ?? ""} onChange={apply} />
    </Labelled>
  );
  return (
    <form class={name === undefined ? "filters" : "filters own"} ref={form} onSubmit={submit} aria-label="Which games are shown">
      {choice("rules", "Rules", RULES)}
      {choice("rated", "Rating", RATED)}
      {choice("result", "Result", name === undefined ? RESULTS : OWN_RESULTS)}
      {name !== undefined && choice("color", "Colour", COLORS)}
      {name !== undefined && <OpponentField value={filter.opponent ?? ""} apply={apply} />}
      {day("since", "From")}
      {day("until", "To")}
    </form>
  );
}

function OpponentField({ value, apply }: { value: string; apply: () => void }) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <Labelled field="opponent" label="Opponent">
      <input
        id="filter-opponent" type="text" name="opponent" maxLength={24} autocomplete="off" autocapitalize="none" spellcheck={false}
        value={typed} onInput={(e) => setTyped(e.currentTarget.value)} onChange={apply}
      />
    </Labelled>
  );
}

const Labelled = ({ field, label, children }: { field: string; label: string; children: ComponentChildren }) => (
  <div class="field"><label for={`filter-${field}`}>{label}</label>{children}</div>
);

/** How two people stand with each other, over all their games. */
function Against({ name, opponent }: { name: string; opponent: string }) {
  const { value } = useAnswer<{ opponent: { name: string }; record: RulesTally[] }>(againstApi(name, opponent));
  if (!value || value.record.length === 0) return null;
  const all = total(value.record);
  return (
    <p class="banner">
      {name} against <A href={personPage(value.opponent.name)}>{value.opponent.name}</A>: {all.won} won, {all.drawn} drawn, {all.lost} lost
      {played(all) > 0 && `, ${percent(all)}`}.
    </p>
  );
}
