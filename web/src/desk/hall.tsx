import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { entries } from "../event/api";
import type { Do, EntryView } from "../event/types";
import { isOn } from "../event/words";
import { useAlive } from "../hooks";
import { ReasonForm, Trouble, useDoing } from "./form";
import type { DeskModel } from "./model";
import { daytime } from "./words";

type Tool = "hold" | "freeze" | "pair" | "expel";

/** What concerns the whole hall. */
export function Hall({ model, tool, setTool }: { model: DeskModel; tool: Tool | undefined; setTool: (t: Tool | undefined) => void }) {
  const { page, frozen } = model.desk!;
  const rule = model.mayRule;
  const close = () => setTool(undefined);
  const running = isOn(page.phase);
  return (
    <section class="hall" aria-labelledby="hall-title">
      <h2 id="hall-title">The hall</h2>
      <Announce model={model} />
      <div class="chips">
        {running && <Open tool="hold" is={tool} set={setTool}>{page.held ? "Let the pairing go on" : "Hold the pairing"}</Open>}
        {running && rule && <Open tool="freeze" is={tool} set={setTool}>{frozen ? "Resume all boards" : "Freeze all boards"}</Open>}
        {page.phase === "running" && rule && <Open tool="pair" is={tool} set={setTool}>Pair by hand</Open>}
        {rule && <Open tool="expel" is={tool} set={setTool}>Expel somebody</Open>}
        {page.phase === "running" && page.format !== "arena" && <NextRound model={model} />}
      </div>
      {tool === "hold" && (
        <ReasonForm key="hold" model={model} close={close} action={page.held ? "Let the pairing go on" : "Hold the pairing"}
          reasons={page.held ? ["We go on"] : ["A short break", "An announcement", "Trouble with the network"]} what={(why) => ({ do: "hold", held: !page.held, why })} />
      )}
      {tool === "freeze" && (
        <ReasonForm key={`freeze ${frozen}`} model={model} close={close} action={frozen ? "Resume all boards" : "Freeze all boards"} danger={!frozen}
          reasons={frozen ? ["We go on"] : ["Many connections were lost together", "Alarm in the building"]} what={(why) => ({ do: "freeze", on: !frozen, why })} />
      )}
      {tool === "pair" && <Entries model={model}>{(list) => <PairForm model={model} list={list} close={close} />}</Entries>}
      {tool === "expel" && <Entries model={model}>{(list) => <ExpelForm model={model} list={list} close={close} />}</Entries>}
    </section>
  );
}

function Open({ tool, is, set, children }: { tool: Tool; is: Tool | undefined; set: (t: Tool | undefined) => void; children: ComponentChildren }) {
  const on = tool === is;
  return <button type="button" class="button" aria-pressed={on} onClick={() => set(on ? undefined : tool)}>{children}</button>;
}

/** The switch of the duty: only who is on duty has clocks stopped for him. */
export function Duty({ model }: { model: DeskModel }) {
  const doing = useDoing(model);
  const { duty } = model.desk!;
  const others = duty.filter((d) => d.id !== model.me).map((d) => d.name);
  const on = model.onDuty;
  return (
    <div class={`duty ${on ? "on" : ""}`}>
      {model.mayRule && (
        <button type="button" role="switch" aria-checked={on} class="button" disabled={doing.busy} onClick={() => doing.run({ do: "duty", on: !on })}>
          {on ? "On duty" : "Go on duty"}
        </button>
      )}
      <span class="quiet">
        {on ? "Disputes stop the clocks and wait for you." : duty.length > 0 ? "" : "Nobody is on duty: disputes are written down, and no clock stops."}
        {others.length > 0 && ` ${others.join(", ")} on duty${on ? ", too" : ""}.`}
      </span>
      <Trouble text={doing.trouble} />
    </div>
  );
}

/** The server has seen many connections go at once: freezing offers itself. */
export function Dropped({ model, freeze }: { model: DeskModel; freeze: () => void }) {
  const { dropped, frozen, games } = model.desk!;
  if (frozen) return <p class="banner strong" role="status">All boards are frozen. <button type="button" class="again" onClick={freeze}>Resume all boards…</button></p>;
  if (!dropped || games.length === 0) return null;
  return (
    <p class="banner bad" role="alert">
      {dropped.count} connections were lost together at {daytime(dropped.at)}.{" "}
      {model.mayRule && <button type="button" class="again" onClick={freeze}>Freeze all boards…</button>}
    </p>
  );
}

const MOST_WORDS = 500;

function Announce({ model }: { model: DeskModel }) {
  const doing = useDoing(model);
  const [text, setText] = useState("");
  const send = async (e: SubmitEvent) => {
    e.preventDefault();
    if (text.trim() && (await doing.run({ do: "announce", text: text.trim() }))) setText("");
  };
  return (
    <form class="announce" onSubmit={send}>
      <label>
        Announcement: on the event's page, at the tables and on the projector
        <textarea rows={2} maxLength={MOST_WORDS} value={text} onInput={(e) => setText(e.currentTarget.value)} />
      </label>
      <button type="submit" class="button primary" disabled={doing.busy || !text.trim()}>Announce</button>
      <Trouble text={doing.trouble} />
    </form>
  );
}

function NextRound({ model }: { model: DeskModel }) {
  const doing = useDoing(model);
  const { round = 0, rounds } = model.desk!.page;
  if (rounds !== undefined && round >= rounds) return null;
  return (
    <>
      <button type="button" class="button" disabled={doing.busy} onClick={() => doing.run({ do: "round" })}>Start round {round + 1}</button>
      <Trouble text={doing.trouble} />
    </>
  );
}

/** Everybody in the event, read when a form needs it and again whenever the desk changes. */
function Entries({ model, children }: { model: DeskModel; children: (list: EntryView[]) => ComponentChildren }) {
  const [list, setList] = useState<EntryView[] | undefined>();
  const [failed, setFailed] = useState(false);
  const at = model.at;
  const alive = useAlive();
  useEffect(() => {
    // at: pairings and games that are over change who is free
    if (at >= 0) entries(model.event).then((all) => alive() && setList(all), () => alive() && setFailed(true));
  }, [model, alive, at]);
  if (!list) return failed ? <Trouble text="The players could not be read." /> : <p class="spin" role="status">Reading the players…</p>;
  return <>{children(list)}</>;
}

interface PlayerProps { label: string; list: EntryView[]; value: string; set: (id: string) => void; note: (e: EntryView) => string }

function Player({ label, list, value, set, note }: PlayerProps) {
  return (
    <label class="small">
      {label}
      <select value={value} onChange={(e) => set(e.currentTarget.value)}>
        <option value="">Choose…</option>
        {list.map((e) => <option key={e.id} value={e.id}>{e.name}{note(e)}</option>)}
      </select>
    </label>
  );
}

const byName = (a: EntryView, b: EntryView): number => a.name.localeCompare(b.name);

const presence = (e: EntryView): string => (e.here ? "" : " (away)");

function PairForm({ model, list, close }: { model: DeskModel; list: EntryView[]; close: () => void }) {
  const [white, setWhite] = useState("");
  const [black, setBlack] = useState("");
  const free = list.filter((e) => e.status === "in" && !e.game).sort((a, b) => Number(b.here) - Number(a.here) || byName(a, b));
  const what = (why: string): Do | string => {
    if (!white || !black) return "Choose both players.";
    return white === black ? "Nobody plays himself." : { do: "pair", white, black, why };
  };
  return (
    <ReasonForm model={model} action="Pair them" what={what} close={close} reasons={["They ask for it", "Replacement for an annulled game"]}>
      {free.length < 2 && <p class="quiet">Fewer than two players are free.</p>}
      <div class="row">
        <Player label="White" list={free.filter((e) => e.id !== black)} value={white} set={setWhite} note={presence} />
        <Player label="Black" list={free.filter((e) => e.id !== white)} value={black} set={setBlack} note={presence} />
      </div>
    </ReasonForm>
  );
}

function ExpelForm({ model, list, close }: { model: DeskModel; list: EntryView[]; close: () => void }) {
  const [who, setWho] = useState("");
  const there = list.filter((e) => e.status !== "expelled" && e.status !== "removed" && e.id !== model.me).sort(byName);
  const name = there.find((e) => e.id === who)?.name;
  return (
    <ReasonForm model={model} action={name ? `Expel ${name}` : "Expel"} danger what={(why) => (who ? { do: "expel", who, why } : "Choose a player.")} close={close}
      reasons={["Cheating", "Insulting others"]}>
      <p class="quiet">Out for good; a game that he plays is lost.</p>
      <Player label="Who" list={there} value={who} set={setWho} note={(e) => (e.game ? " (plays)" : "")} />
    </ReasonForm>
  );
}

export type { Tool };
