import { useState } from "preact/hooks";
import type { GameLog, RuleAct, Score } from "../event/types";
import { type Clocks, type Color, colorName } from "../wire";
import { Choice, ReasonForm } from "./form";
import type { DeskModel } from "./model";
import { clockField, possible, readClock, type RulingKind } from "./words";

/** The acts on a running game; each opens its form. */
export function Rulings({ model, file, dispute }: { model: DeskModel; file: GameLog; dispute: Color | undefined }) {
  const [open, setOpen] = useState<RuleAct | undefined>();
  const [done, setDone] = useState("");
  const kinds = possible({ phase: file.state.phase, dispute, rules: file.state.rules });
  const kind = kinds.find((k) => k.act === open);
  if (kind) return <Ruling key={kind.act} model={model} file={file} kind={kind} dispute={dispute} close={() => setOpen(undefined)} done={setDone} />;
  return (
    <div class="rulings">
      <div class="chips" role="group" aria-label="Rule on this game">
        {kinds.map((k) => (
          <button key={k.act} type="button" class={k.danger ? "button danger" : "button"} onClick={() => { setDone(""); setOpen(k.act); }}>{k.name}</button>
        ))}
      </div>
      {done && <p class="quiet" role="status">{done}{file.state.phase === "dispute" && " The clocks still stand: let the game go on when you have ruled."}</p>}
    </div>
  );
}

interface RulingProps { model: DeskModel; file: GameLog; kind: RulingKind; dispute: Color | undefined; close: () => void; done: (text: string) => void }

const PENALTY: Partial<Record<RuleAct, string>> = {
  warn: "Who is warned?", minute: "Who is penalised? The opponent gets the minute.", loss: "Who loses?", unjust: "Whose call was it?", delay: "Who claimed?",
};

function Ruling({ model, file, kind, dispute, close, done }: RulingProps) {
  const { white, black, state } = file;
  const [side, setSide] = useState<Color | undefined>(kind.act === "unjust" ? dispute : undefined);
  const [score, setScore] = useState<Score | undefined>();
  const [replay, setReplay] = useState("no");
  const [clocks, setClocks] = useState(() => fields(state.clk));
  const name = (c: Color) => `${c === "w" ? white.name : black.name} (${colorName(c)})`;
  const needs = (what: RulingKind["needs"][number]) => kind.needs.includes(what);
  const what = (why: string) => {
    const rule = { do: "rule", game: file.game, act: kind.act, why } as const;
    if (needs("side")) return side ? { ...rule, side } : "Say which player.";
    if (needs("score")) return score ? { ...rule, score } : "Say which result.";
    if (needs("replay")) return replay === "yes" ? { ...rule, replay: true } : rule;
    if (!needs("clocks")) return rule;
    const [w, b] = [readClock(clocks.w), readClock(clocks.b)];
    return w === undefined || b === undefined ? "Clocks are written as 4:30 or 0:04.5." : { ...rule, clocks: [w, b] as [number, number] };
  };
  const action = needs("side") && side ? `${kind.name}: ${name(side)}` : needs("score") && score ? `${kind.name}: ${score}` : kind.name;
  const finish = () => {
    done("The ruling is on its way to the table; the acts below tell what came of it.");
    close();
  };
  return (
    <section class="ruling" aria-label={kind.name}>
      <h3>{kind.name}</h3>
      <ReasonForm model={model} action={action} danger={kind.danger} reasons={kind.reasons} what={what} close={close} done={finish}>
        {needs("side") && <Choice legend={PENALTY[kind.act] ?? "Who?"} of={[["w", name("w")], ["b", name("b")]]} value={side} set={setSide} />}
        {needs("score") && (
          <Choice legend="Result" value={score} set={setScore}
            of={[["1-0", `1–0, ${white.name} wins`], ["1/2-1/2", "½–½, draw"], ["0-1", `0–1, ${black.name} wins`]]} />
        )}
        {needs("replay") && (
          <Choice legend="The game does not count." value={replay} set={setReplay}
            of={[["no", "Leave it at that"], ["yes", "The same two play again, with the same colours"]]} />
        )}
        {needs("clocks") && state.phase === "play" && <p class="quiet">The clock that runs runs on meanwhile: stop the clocks first.</p>}
        {needs("clocks") && (
          <div class="row">
            {(["w", "b"] as const).map((c) => (
              <label key={c} class="small">
                {name(c)} <input type="text" inputMode="decimal" autocomplete="off" value={clocks[c]} onInput={(e) => setClocks({ ...clocks, [c]: e.currentTarget.value })} />
              </label>
            ))}
          </div>
        )}
      </ReasonForm>
    </section>
  );
}

const fields = (clk: Clocks) => ({ w: clockField(clk.w), b: clockField(clk.b) });
