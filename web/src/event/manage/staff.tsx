import { useState } from "preact/hooks";
import type { EventModel } from "../model";
import type { EventPage } from "../types";

const names = (page: EventPage, role: string): string[] => page.staff.filter((m) => m.role === role).map((m) => m.name);

/** Who holds the event: names of accounts. */
export function StaffForm({ model, page }: { model: EventModel; page: EventPage }) {
  const [organisers, setOrganisers] = useState(() => names(page, "organiser"));
  const [arbiters, setArbiters] = useState(() => names(page, "arbiter"));
  const [done, setDone] = useState(false);
  const changing = (set: (list: string[]) => void) => (list: string[]) => {
    setDone(false);
    set(list);
  };
  const save = async (e: Event) => {
    e.preventDefault();
    setDone(false);
    setDone(await model.act({ do: "staff", organisers: organisers.filter(Boolean), arbiters: arbiters.filter(Boolean) }));
  };
  return (
    <form class="card" onSubmit={save}>
      <h2>Organisers and arbiters</h2>
      <NameList label="Organiser" list={organisers} set={changing(setOrganisers)} />
      <NameList label="Arbiter" list={arbiters} set={changing(setArbiters)} />
      <p class="quiet">Names of accounts. Where nobody is named as arbiter the organisers are. Nobody rules on a game of his own.</p>
      <button type="submit" class="button primary" disabled={model.busy}>Save</button>
      {done && <p class="quiet" role="status">Saved.</p>}
    </form>
  );
}

function NameList({ label, list, set }: { label: string; list: string[]; set: (list: string[]) => void }) {
  const change = (i: number, name: string) => set(list.map((old, k) => (k === i ? name : old)));
  return (
    <fieldset class="names-list">
      <legend>{label}s</legend>
      {list.map((name, i) => (
        <span key={i} class="name-line">
          <input aria-label={`${label} ${i + 1}`} value={name} maxLength={24} autocomplete="off" autocapitalize="none" spellcheck={false} onInput={(e) => change(i, e.currentTarget.value.trim())} />
          <button type="button" class="plain" onClick={() => set(list.filter((_, k) => k !== i))}>Take out<span class="sr"> {name}</span></button>
        </span>
      ))}
      <button type="button" class="plain" onClick={() => set([...list, ""])}>One more</button>
    </fieldset>
  );
}
