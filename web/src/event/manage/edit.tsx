import { useState } from "preact/hooks";
import { problemWords } from "../../api";
import { defaults } from "../api";
import { type Draft, draftOf, reformed, settingsOf, type Wrong, wrongOf } from "../draft";
import type { EventModel } from "../model";
import { MainFields, MoreFields } from "../settingsform";
import type { Format, Settings } from "../types";

/** The settings, which may change until the start. */
export function Edit({ model, settings }: { model: EventModel; settings: Settings }) {
  const [before, setBefore] = useState(settings);
  const [d, setDraft] = useState<Draft>(() => draftOf(settings));
  const [wrong, setWrong] = useState<Wrong | undefined>();
  const [trouble, setTrouble] = useState("");
  const [done, setDone] = useState(false);
  const set = (change: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    setWrong(undefined);
    setTrouble("");
    setDone(false);
  };
  const reform = (format: Format) => {
    set({ format });
    defaults(format).then((fresh) => {
      setBefore((old) => ({ ...fresh, name: old.name }));
      setDraft((old) => (old.format === format ? reformed(old, fresh) : old));
    }, (e) => setTrouble(problemWords(e)));
  };
  const save = async (e: Event) => {
    e.preventDefault();
    const fault = wrongOf(d);
    setWrong(fault);
    setTrouble(fault?.why ?? "");
    if (!fault) setDone(await model.act({ do: "edit", settings: settingsOf(d, before) }));
  };
  const form = { d, set, reform, wrong };
  return (
    <details class="card settings">
      <summary>Settings</summary>
      <form onSubmit={save} noValidate>
        <MainFields {...form} />
        <MoreFields {...form} />
        {trouble && <p class="banner bad" role="alert">{trouble}</p>}
        <button type="submit" class="button primary wide" disabled={model.busy}>Save the settings</button>
        {done && <p class="quiet" role="status">Saved.</p>}
      </form>
    </details>
  );
}
