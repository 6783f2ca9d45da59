import { useEffect, useState } from "preact/hooks";
import { problemWords } from "../api";
import { preview, standings } from "../event/api";
import type { GameLog, PlayedGame, Row, Score } from "../event/types";
import { points } from "../event/words";
import { Choice, ReasonForm, Trouble } from "./form";
import type { DeskModel } from "./model";
import { changedRows, scoreWords } from "./words";

interface Seen { score: Score; forfeit: boolean; now: Row[]; then: Row[] }

/** Another result for a game that is over: the table as it would be is shown before anything is changed. */
export function Correction({ model, file, played }: { model: DeskModel; file: GameLog; played: PlayedGame }) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState(false);
  if (!open) {
    return (
      <div class="row">
        <p>Counts as <b>{scoreWords(played.score)}</b>{played.forfeit && " by forfeit"}{played.changed && `: ${played.changed}`}.</p>
        <button type="button" class="button" onClick={() => { setDone(false); setOpen(true); }}>Correct the result</button>
        {done && <p class="quiet" role="status">Corrected: table and ratings follow it.</p>}
      </div>
    );
  }
  return <Asked model={model} file={file} played={played} close={() => setOpen(false)} done={() => { setOpen(false); setDone(true); }} />;
}

interface AskedProps { model: DeskModel; file: GameLog; played: PlayedGame; close: () => void; done: () => void }

function Asked({ model, file, played, close, done }: AskedProps) {
  const [score, setScore] = useState<Score | undefined>();
  const [forfeit, setForfeit] = useState(played.forfeit ?? false);
  const [seen, setSeen] = useState<Seen | undefined>();
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    setSeen(undefined);
    setTrouble("");
    if (!score) return undefined;
    let gone = false;
    const wanted = forfeit && score !== "*";
    Promise.all([standings(model.event), preview(model.event, played.id, score, wanted)]).then(
      ([now, then]) => !gone && setSeen({ score, forfeit: wanted, now: now.rows, then }),
      (e) => !gone && setTrouble(problemWords(e)),
    );
    return () => {
      gone = true;
    };
  }, [model, played.id, score, forfeit]);
  const robin = model.desk!.page.format !== "arena";
  const of: [Score, string][] = [["1-0", `1–0, ${file.white.name} wins`], ["1/2-1/2", "½–½, draw"], ["0-1", `0–1, ${file.black.name} wins`], ["*", "Void, it does not count"]];
  if (robin) of.splice(3, 0, ["0-0", "0–0, both lose"]);
  const what = (why: string) => {
    if (!score) return "Say which result.";
    if (!seen || seen.score !== score) return "Wait until the new table is shown.";
    return { do: "correct", game: played.id, score, ...(seen.forfeit && { forfeit: true }), why } as const;
  };
  return (
    <section class="ruling" aria-label="Correct the result">
      <h3>Correct the result</h3>
      <ReasonForm model={model} action="Confirm: this result, this table" danger what={what} close={close} done={done}
        reasons={["Entered wrongly", "Appeal upheld", "The players agree"]} label="Reason, as all will read it">
        <Choice legend={`It counts as ${scoreWords(played.score)} now.`} of={of} value={score} set={setScore} />
        {robin && <label class="check"><input type="checkbox" checked={forfeit} onChange={(e) => setForfeit(e.currentTarget.checked)} /> By forfeit: it was not played</label>}
        <Trouble text={trouble} />
        {score && !seen && !trouble && <p class="spin" role="status">Working out the table…</p>}
        {seen && <Preview seen={seen} ids={[file.white.id, file.black.id]} />}
      </ReasonForm>
    </section>
  );
}

const place = (r: Row | undefined): string => (r ? `${r.place}.` : "–");

function Preview({ seen, ids }: { seen: Seen; ids: string[] }) {
  const changed = changedRows(seen.now, seen.then);
  const rows = seen.then.filter((r) => r.place <= 3 || ids.includes(r.id) || changed.some((c) => c.row.id === r.id));
  return (
    <div class="preview" role="status">
      <h4>The table as it would be</h4>
      {changed.length === 0 && <p class="quiet">Nobody's place or points change.</p>}
      <table>
        <thead><tr><th scope="col">Place</th><th scope="col">Now</th><th scope="col">Name</th><th scope="col" class="num">Points</th><th scope="col" class="num">Now</th></tr></thead>
        <tbody>
          {rows.map((r) => {
            const was = seen.now.find((o) => o.id === r.id);
            const moved = changed.some((c) => c.row.id === r.id);
            return (
              <tr key={r.id} class={moved ? "moved" : ""}>
                <td><b>{place(r)}</b></td><td>{place(was)}</td><td>{r.name}</td>
                <td class="num"><b>{points(r.points)}</b></td><td class="num">{was ? points(was.points) : "–"}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
