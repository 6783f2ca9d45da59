import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { problemWords } from "../api";

interface FieldProps { label: string; name: string; type?: "text" | "password"; complete: string; hint?: string }

/** One line of a form; what is typed is read from the form when it is sent. */
export function Field({ label, name, type = "password", complete, hint }: FieldProps) {
  const id = `field-${name}`;
  const rest = { id, name, autocomplete: complete, required: true, maxLength: 128, autocapitalize: "none", spellcheck: false } as const;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === "text" ? <input type="text" {...rest} /> : <input type="password" {...rest} />}
      {hint && <small>{hint}</small>}
    </div>
  );
}

interface FormProps {
  action: string;
  send: (field: (name: string) => string) => Promise<void>;
  danger?: boolean;
  children: ComponentChildren;
}

/** A form with one button, which says what went wrong. */
export function Form({ action, send, danger = false, children }: FormProps) {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState("");
  const submit = async (e: SubmitEvent) => {
    e.preventDefault();
    const form = e.currentTarget as HTMLFormElement;
    const data = new FormData(form);
    setBusy(true);
    setTrouble("");
    try {
      await send((name) => String(data.get(name) ?? ""));
      form.reset();
    } catch (error) {
      setTrouble(problemWords(error));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={submit}>
      {children}
      {trouble && <p class="banner bad" role="alert">{trouble}</p>}
      <button type="submit" class={danger ? "button danger wide" : "button primary wide"} disabled={busy}>{busy ? "One moment…" : action}</button>
    </form>
  );
}

export const NAME_HINT = "3 to 24 letters, digits, spaces and . _ -";
export const PASSWORD_HINT = "8 characters at least.";
