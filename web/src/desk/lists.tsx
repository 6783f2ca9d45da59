import { useEffect, useRef, useState } from "preact/hooks";
import { entries, standings } from "../event/api";
import { useAlive } from "../hooks";
import type { PlayedGame } from "../event/types";
import { useDoing, Trouble } from "./form";
import type { DeskModel } from "./model";
import { Settle } from "./queue";
import { actWords, daytime, scoreWords } from "./words";

/** What arbiters and organisers have done, the latest first. */
export function Acts({ model, open }: { model: DeskModel; open: (game: string) => void }) {
  const { acts } = model.desk!;
  if (acts.length === 0) return <p class="quiet">Nothing has been done yet.</p>;
  return (
    <ol class="lines" aria-live="polite" aria-relevant="additions">
      {acts.map((a) => (
        <li key={a.n} class={a.failed ? "failed" : ""}>
          <time>{daytime(a.at)}</time> <b>{a.by}</b> {actWords(a)}{" "}
          {a.failed && <span class="tag">not done: {a.failed}</span>}
          {a.game && <button type="button" class="plain" onClick={() => open(a.game!)}>the game</button>}
        </li>
      ))}
    </ol>
  );
}

/** Grievances of players, in their own words (WBCA 22). */
export function Reports({ model, open }: { model: DeskModel; open: (game: string) => void }) {
  const reports = [...model.desk!.reports].sort((a, b) => Number(a.settled !== undefined) - Number(b.settled !== undefined) || b.at - a.at);
  if (reports.length === 0) return <p class="quiet">No player has reported a game.</p>;
  return (
    <ul class="lines">
      {reports.map((r) => (
        <li key={r.id} class={r.settled === undefined ? "open" : "settled"}>
          <p><time>{daytime(r.at)}</time> <b>{r.by}</b>{r.settled !== undefined && <span class="tag mild">closed</span>}</p>
          <blockquote>{r.text}</blockquote>
          {r.settled && <p class="quiet">{r.settled}</p>}
          <div class="row">
            <button type="button" class="button" onClick={() => open(r.game)}>The game with its times</button>
            {r.settled === undefined && model.mayRule && <Settle model={model} id={r.id} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

interface Ended extends PlayedGame { names: [string, string] }

const LEAST = 3000; // ms between two looks at all games
const MORE = 30; // and more for each entry: large tables are large answers

/** The games that are over, the latest first, with the names of who played; read while they are wanted. */
export function useEnded(model: DeskModel, wanted: boolean): Ended[] | undefined {
  const [list, setList] = useState<Ended[] | undefined>();
  const alive = useAlive();
  const asked = useRef(Number.NEGATIVE_INFINITY);
  const { games, acts, page } = model.desk!;
  const turn = `${page.games} ${games.length} ${acts[0]?.n ?? 0}`;
  const by = acts.find((a) => a.do === "correct")?.n ?? 0; // a correction is looked for at once
  const seen = useRef(by);
  const size = page.entries;
  useEffect(() => {
    if (!wanted || !turn) return undefined;
    const corrected = seen.current !== by;
    const wait = corrected ? 0 : Math.max(0, asked.current + LEAST + MORE * size - performance.now());
    const timer = setTimeout(() => {
      asked.current = performance.now();
      seen.current = by;
      Promise.all([standings(model.event), entries(model.event)]).then(
        ([table, all]) => {
          const name = new Map([...table.rows.map((r) => [r.id, r.name] as const), ...all.map((e) => [e.id, e.name] as const)]);
          const ended = table.games.map((g): Ended => ({ ...g, names: [name.get(g.white) ?? g.white, name.get(g.black) ?? g.black] }));
          if (alive()) setList(ended.sort((a, b) => b.ended - a.ended));
        },
        () => undefined, // the last list stays
      );
    }, wait);
    return () => clearTimeout(timer);
  }, [model, alive, wanted, turn, by, size]);
  return list;
}

const SHOWN = 60;

/** Games that are over, to be looked at and corrected. */
export function EndedGames({ games, open }: { games: Ended[] | undefined; open: (game: string) => void }) {
  const [find, setFind] = useState("");
  if (!games) return <p class="spin" role="status">Reading the games…</p>;
  const wanted = find.trim().toLowerCase();
  const list = wanted ? games.filter((g) => g.names.some((n) => n.toLowerCase().includes(wanted))) : games;
  return (
    <>
      <label class="small">Games of <input type="search" value={find} onInput={(e) => setFind(e.currentTarget.value)} placeholder="a name" /></label>
      {list.length === 0 && <p class="quiet">No game is over{wanted && " of such a name"}.</p>}
      <ul class="lines ended">
        {list.slice(0, SHOWN).map((g) => (
          <li key={g.id}>
            <time>{daytime(g.ended)}</time>
            <button type="button" class="pick" onClick={() => open(g.id)}>{g.names[0]} – {g.names[1]}</button>
            <b>{scoreWords(g.score)}</b>
            {g.changed && <span class="tag mild" title={g.changed}>corrected</span>}
          </li>
        ))}
      </ul>
      {list.length > SHOWN && <p class="quiet">{list.length - SHOWN} earlier ones: look for a name.</p>}
    </>
  );
}

/** Lets somebody chat again. */
export function Hushed({ model, people }: { model: DeskModel; people: { id: string; name: string }[] }) {
  const doing = useDoing(model);
  if (people.length === 0) return null;
  return (
    <div class="chips">
      May not chat:
      {people.map((p) => <button key={p.id} type="button" class="chip" disabled={doing.busy} onClick={() => doing.run({ do: "hush", who: p.id, on: false })}>{p.name}: let him speak</button>)}
      <Trouble text={doing.trouble} />
    </div>
  );
}
