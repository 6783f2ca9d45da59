// What every act of an arbiter has: a reason, a button that says what will happen, and the answer.
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { problemWords } from "../api";
import type { Do } from "../event/types";
import type { DeskModel } from "./model";

const MOST_REASON = 500; // characters

interface Doing {
  busy: boolean;
  trouble: string;
  /** Does it; tells whether it was taken. */
  run(what: Do): Promise<boolean>;
}

export function useDoing(model: DeskModel): Doing {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  return {
    busy, trouble,
    run: async (what) => {
      if (busy) return false;
      setBusy(true);
      setTrouble("");
      try {
        await model.act(what);
        return true;
      } catch (e) {
        setTrouble(problemWords(e));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

export const Trouble = ({ text }: { text: string }) => (text ? <p class="banner bad" role="alert">{text}</p> : null);

interface ReasonProps {
  model: DeskModel;
  action: string; // what the button says
  danger?: boolean | undefined;
  reasons?: string[]; // that come up often
  label?: string; // of the reason
  what: (why: string) => Do | string; // a string says what is missing
  close: () => void; // given up
  done?: () => void; // taken by the server; else close
  children?: ComponentChildren; // the further fields
}

/** An act with its reason. Nothing happens before the button is pressed. */
export function ReasonForm({ model, action, danger, reasons = [], label = "Reason, as the players will read it", what, close, done, children }: ReasonProps) {
  const id = useId();
  const [why, setWhy] = useState("");
  const [missing, setMissing] = useState("");
  const doing = useDoing(model);
  const submit = async (e: SubmitEvent) => {
    e.preventDefault();
    const asked = why.trim() ? what(why.trim()) : "An act needs a reason.";
    setMissing(typeof asked === "string" ? asked : "");
    if (typeof asked !== "string" && (await doing.run(asked))) (done ?? close)();
  };
  return (
    <form class="actform" onSubmit={submit}>
      {children}
      <label for={id}>{label}</label>
      {reasons.length > 0 && (
        <div class="chips">
          {reasons.map((r) => <button key={r} type="button" class="chip" aria-pressed={why === r} onClick={() => setWhy(r)}>{r}</button>)}
        </div>
      )}
      <textarea id={id} rows={2} maxLength={MOST_REASON} value={why} onInput={(e) => setWhy(e.currentTarget.value)} />
      <Trouble text={missing || doing.trouble} />
      <div class="row">
        <button type="submit" class={`button ${danger ? "danger" : "primary"}`} disabled={doing.busy}>{doing.busy ? "One moment…" : action}</button>
        <button type="button" class="button" onClick={close}>Leave it</button>
      </div>
    </form>
  );
}

interface ChoiceProps<T extends string> { legend: string; of: [value: T, text: string][]; value: T | undefined; set: (v: T) => void }

/** A choice of a few, all of them in sight. */
export function Choice<T extends string>({ legend, of, value, set }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{legend}</legend>
      {of.map(([v, text]) => (
        <label key={v} class={v === value ? "on" : ""}>
          <input type="radio" name={name} checked={v === value} onChange={() => set(v)} /> {text}
        </label>
      ))}
    </fieldset>
  );
}
