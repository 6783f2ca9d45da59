import { useState } from "preact/hooks";

interface Props { label: string; about?: string; ask: string; busy: boolean; danger?: boolean; act: (why: string) => Promise<boolean> | undefined }

/** A button that asks for the reason before it acts. */
export function WithReason({ label, about, ask, busy, danger = false, act }: Props) {
  const [open, setOpen] = useState(false);
  const [why, setWhy] = useState("");
  if (!open) return <button type="button" class={danger ? "plain bad" : "plain"} onClick={() => setOpen(true)}>{label}{about && <span class="sr"> {about}</span>}</button>;
  const submit = async (e: Event) => {
    e.preventDefault();
    if (await act(why.trim())) {
      setOpen(false);
      setWhy("");
    }
  };
  return (
    <form class="reason" onSubmit={submit}>
      <label>{ask}<input required maxLength={500} value={why} onInput={(e) => setWhy(e.currentTarget.value)} /></label>
      <button type="submit" class={danger ? "button danger" : "button primary"} disabled={busy || !why.trim()}>{label}</button>
      <button type="button" class="button" onClick={() => setOpen(false)}>No</button>
    </form>
  );
}
