import { useState } from "preact/hooks";
import {
  dayWords, type Entry, gamesApi, gamesPage, gamesPGN, lasts, type Opponent, opponentsApi, percent, personApi, played, type Profile, type RulesTally, type Tally, total,
} from "../history";
import { useAnswer, usePages } from "../people/answer";
import { Entries } from "../people/entries";
import { Frame, Loading, Older, Trouble } from "../people/frame";
import { RatingGraph } from "../people/graph";
import { RatingText } from "../people/name";
import { Nobody } from "../people/nobody";
import { A } from "../router";
import { bookName } from "../terms";

/** /people/{name}: who somebody is as a player. */
export function ProfilePage({ name }: { name: string }) {
  const { value, problem, again } = useAnswer<Profile>(personApi(name));
  if (problem?.code === "unknown_person") return <Nobody name={name} />;
  if (problem) return <Frame title={name}><h1>{name}</h1><Trouble problem={problem} again={again} /></Frame>;
  if (!value) return <Frame title={name}><h1>{name}</h1><Loading what="Loading the profile…" /></Frame>;
  return (
    <Frame title={value.name}>
      <h1>{value.name}</h1>
      <p class="quiet">{value.bot && "A program. "}Here since {dayWords(value.since)}.</p>
      <Ratings profile={value} />
      <Latest profile={value} />
      <div class="pair">
        <Record profile={value} />
        <Opponents name={value.name} />
      </div>
    </Frame>
  );
}

function Ratings({ profile }: { profile: Profile }) {
  const [chosen, setChosen] = useState<string | undefined>();
  const ratings = [...profile.ratings].sort((a, b) => b.games - a.games);
  const shown = ratings.find((r) => r.kind === chosen) ?? ratings[0];
  if (!shown) return <section class="card"><h2>Ratings</h2><p>No rated game yet. Games between two accounts are rated where their rules and times allow it.</p></section>;
  return (
    <section class="card" aria-labelledby="ratings-title">
      <h2 id="ratings-title">Ratings</h2>
      <div class="ratings" role="group" aria-label="The graph shows">
        {ratings.map((r) => (
          <button type="button" key={r.kind} aria-pressed={r === shown} onClick={() => setChosen(r.kind)}>
            <span>{bookName(r.kind)}</span>
            <b><RatingText rating={r.rating} provisional={r.provisional} /></b>
            <small>{r.games === 1 ? "1 game" : `${r.games} games`}</small>
          </button>
        ))}
      </div>
      <RatingGraph key={shown.kind} name={profile.name} rating={shown} />
      {ratings.some((r) => r.provisional) && <Provisional />}
    </section>
  );
}

const Provisional = () => (
  <p class="quiet">
    A question mark says that the rating is provisional: after few games, or a long time without one, it may still be far from the player’s
    strength. A few games more settle it.
  </p>
);

function Record({ profile }: { profile: Profile }) {
  const { name, record } = profile;
  if (!record.length) return null;
  const all = total(record);
  const lines = [...record].sort((a, b) => played(b) - played(a));
  return (
    <section class="card" aria-labelledby="record-title">
      <h2 id="record-title">Record</h2>
      <table class="tally">
        <thead><tr><th scope="col">Rules</th><th scope="col">Won</th><th scope="col">Drawn</th><th scope="col">Lost</th><th scope="col">Score</th></tr></thead>
        <tbody>
          {lines.map((t) => <RecordLine key={`${t.rules} ${t.rated}`} name={name} t={t} />)}
        </tbody>
        {record.length > 1 && (
          <tfoot><tr><th scope="row">All</th><td>{all.won}</td><td>{all.drawn}</td><td>{all.lost}</td><td>{percent(all)}</td></tr></tfoot>
        )}
      </table>
    </section>
  );
}

function RecordLine({ name, t }: { name: string; t: RulesTally }) {
  const title = `${bookName(t.rules)}, ${t.rated ? "rated" : "casual"}`;
  return (
    <tr>
      <th scope="row"><A href={gamesPage(name, `?rules=${t.rules}&rated=${t.rated}`)}>{title}</A></th>
      <Cells t={t} />
    </tr>
  );
}

const Cells = ({ t }: { t: Tally }) => <><td>{t.won}</td><td>{t.drawn}</td><td>{t.lost}</td><td>{percent(t)}</td></>;

function Opponents({ name }: { name: string }) {
  const { lines, more, loading, problem, older } = usePages<Opponent>(opponentsApi(name), "opponents");
  if (problem && !lines) return <Trouble problem={problem} again={older} />;
  if (!lines?.length) return null;
  return (
    <section class="card" aria-labelledby="opponents-title">
      <h2 id="opponents-title">Opponents</h2>
      <table class="tally">
        <thead><tr><th scope="col">Against</th><th scope="col">Won</th><th scope="col">Drawn</th><th scope="col">Lost</th><th scope="col">Score</th></tr></thead>
        <tbody>
          {lines.map((o) => (
            <tr key={o.id}>
              <th scope="row">
                {lasts(o.name) ? <A href={gamesPage(name, `?opponent=${encodeURIComponent(o.name)}`)}>{o.name}</A> : o.name || "deleted"}
              </th>
              <Cells t={o} />
            </tr>
          ))}
        </tbody>
      </table>
      {problem && <Trouble problem={problem} again={older} />}
      <Older more={more} loading={loading} text="More opponents" older={older} />
    </section>
  );
}

function Latest({ profile }: { profile: Profile }) {
  const { value, problem, again } = useAnswer<{ games: Entry[]; next?: string }>(gamesApi(profile.name, {}, undefined, 10));
  return (
    <section aria-labelledby="latest-title">
      <h2 id="latest-title">Latest games</h2>
      {problem && <Trouble problem={problem} again={again} />}
      {!problem && !value && <Loading what="Loading the games…" />}
      {value && value.games.length === 0 && <p class="quiet">No game yet.</p>}
      {value && value.games.length > 0 && (
        <>
          <Entries games={value.games} person={profile.id} />
          <p class="buttons">
            <A href={gamesPage(profile.name)} class="button">All games</A>
            <a class="button" href={gamesPGN(profile.name, {})} download={`flagfall-${profile.name}.pgn`}>All as PGN</a>
          </p>
        </>
      )}
    </section>
  );
}

