import type { ComponentChildren } from "preact";
import { BOOKS, TIMINGS } from "../terms";
import type { Timing } from "../wire";
import { type Draft, ratable, type Wrong } from "./draft";
import type { Access, AtBell, Format, Scoring } from "./types";
import { FORMATS } from "./words";

export interface FormProps {
  d: Draft;
  set: (change: Partial<Draft>) => void;
  reform: (format: Format) => void; // another format brings other defaults
  wrong: Wrong | undefined;
}

type Texts = { [K in keyof Draft]: Draft[K] extends string ? K : never }[keyof Draft];
type Ticks = { [K in keyof Draft]: Draft[K] extends boolean ? K : never }[keyof Draft];

interface TextProps { p: FormProps; field: Texts; label: string; type?: "text" | "number" | "datetime-local"; unit?: string; placeholder?: string; maxLength?: number; required?: boolean }

function Text({ p, field, label, type = "text", unit, placeholder, maxLength, required }: TextProps) {
  const wrong = p.wrong?.field === field ? p.wrong.why : undefined;
  const rest = {
    id: `set-${field}`, value: p.d[field], placeholder, maxLength, required, "aria-invalid": Boolean(wrong), onInput: (e: { currentTarget: HTMLInputElement }) => p.set({ [field]: e.currentTarget.value }),
  };
  return (
    <div class="field">
      <label for={rest.id}>{label}{unit && <span class="quiet"> ({unit})</span>}</label>
      {type === "number" ? <input type="number" step="any" min="0" inputMode="decimal" {...rest} /> : type === "text" ? <input type="text" {...rest} /> : <input type="datetime-local" {...rest} />}
      {wrong && <small class="wrong">{wrong}</small>}
    </div>
  );
}

function Tick({ p, field, children, disabled = false }: { p: FormProps; field: Ticks; children: ComponentChildren; disabled?: boolean }) {
  return (
    <label class="tick-line">
      <input type="checkbox" checked={p.d[field] && !disabled} disabled={disabled} onChange={(e) => p.set({ [field]: e.currentTarget.checked })} /> <span>{children}</span>
    </label>
  );
}

function Choice<T extends string>({ label, value, list, choose }: { label: string; value: T; list: [T, string][]; choose: (v: T) => void }) {
  return (
    <label class="field">{label}
      <select value={value} onChange={(e) => choose(e.currentTarget.value as T)}>{list.map(([v, words]) => <option key={v} value={v}>{words}</option>)}</select>
    </label>
  );
}

const LENGTHS = ["30", "60", "90", "120"];

/** What every organiser decides. */
export function MainFields(p: FormProps & { password?: ComponentChildren }) {
  const { d, set } = p;
  const rating = ratable(d);
  return (
    <>
      <Text p={p} field="name" label="Name of the event" maxLength={80} required placeholder="Tuesday blitz" />
      <fieldset class="modes three">
        <legend>Format</legend>
        {FORMATS.map((f) => (
          <label key={f.id} class={d.format === f.id ? "on" : ""}>
            <input type="radio" name="format" checked={d.format === f.id} onChange={() => p.reform(f.id)} />
            <span><b>{f.name}</b><small>{f.what}</small></span>
          </label>
        ))}
      </fieldset>
      <div class="row">
        <Text p={p} field="start" label="Start" type="datetime-local" />
        {d.format === "arena" && (
          <label class="field">Lasts <span class="quiet">(minutes)</span>
            <input type="number" min="1" max="1440" list="lengths" value={d.duration} inputMode="numeric" onInput={(e) => set({ duration: e.currentTarget.value })} />
            <datalist id="lengths">{LENGTHS.map((l) => <option key={l} value={l} />)}</datalist>
            {p.wrong?.field === "duration" && <small class="wrong">{p.wrong.why}</small>}
          </label>
        )}
      </div>
      <p class="quiet">{d.start ? "It starts by itself at that time; you may start it sooner." : "Without a time you start it yourself."}</p>
      <div class="row">
        <Choice label="Rules" value={d.rules} list={BOOKS.map((b) => [b.id, b.name])} choose={(rules) => set({ rules })} />
        <Text p={p} field="minutes" label="Minutes for each side" type="number" />
      </div>
      <p class="quiet">{BOOKS.find((b) => b.id === d.rules)?.what}</p>
      {rating.can ? <Tick p={p} field="rated">{rating.label} <small>{rating.why} Games of guests change no rating.</small></Tick> : <p class="quiet">{rating.why}</p>}
      <Choice<Access>
        label="Who may come" value={d.access} choose={(access) => set({ access })}
        list={[["", "Everybody: it is listed"], ["link", "Who has the link: it is not listed"], ["password", "Everybody sees it; entering takes a password"]]}
      />
      {p.password}
      <Tick p={p} field="guests">Guests may play <small>They need no account.</small></Tick>
    </>
  );
}

/** What has good defaults. */
export function MoreFields(p: FormProps) {
  const { d, set } = p;
  const arena = d.format === "arena";
  return (
    <details class="more">
      <summary>More settings</summary>
      <h3>Clock</h3>
      <div class="row">
        <Text p={p} field="seconds" label="Seconds" unit="beside the minutes" type="number" />
        <Choice<Timing> label="Timing" value={d.timing} list={TIMINGS.map((t) => [t.id, t.name])} choose={(timing) => set({ timing })} />
        {d.timing && <Text p={p} field="each" label="Each move" unit="seconds" type="number" />}
        <Choice label="Mode" value={d.mode} list={[["board", "Over the board: press the clock"], ["fast", "Fast: dropping presses"]]} choose={(mode) => set({ mode })} />
      </div>
      <h3>Pairing and points</h3>
      <Tick p={p} field="two">Each pairing is a match of two games with colours reversed</Tick>
      {arena && (
        <Choice<Scoring>
          label="Points" value={d.scoring} choose={(scoring) => set({ scoring })}
          list={[["classic", "1, ½, 0"], ["arena", "2, 1, 0; double after two wins in a row"]]}
        />
      )}
      {arena && (
        <Choice<AtBell>
          label="Games that run at the bell" value={d.bell} choose={(bell) => set({ bell })}
          list={[["play_on", "are played to the end and count"], ["stop", "are stopped and do not count"]]}
        />
      )}
      <div class="row">
        {arena && <Text p={p} field="lastPair" label="No pairing before the bell" unit="seconds" type="number" />}
        <Text p={p} field="rest" label="Rest between games" unit="seconds" type="number" />
        {arena && <Text p={p} field="repeatWait" label="Wait before the same opponent" unit="seconds" type="number" />}
        {arena && <Text p={p} field="colorWait" label="Wait before a bad colour" unit="seconds" type="number" />}
        {!arena && <Text p={p} field="groupSize" label="Players in a group" type="number" placeholder="all in one" />}
        {!arena && <Text p={p} field="roundRest" label="Rest between rounds" unit="seconds" type="number" />}
      </div>
      {!arena && <Tick p={p} field="autoRound">The next round starts by itself</Tick>}
      {!arena && <Tick p={p} field="playoff">A shared first place is played off</Tick>}
      <h3>Entries</h3>
      <Text p={p} field="checkin" label="Check-in from" type="datetime-local" />
      <Tick p={p} field="approve">You approve every entry</Tick>
      {arena && <Tick p={p} field="late">Entries are taken while it runs</Tick>}
      <Tick p={p} field="bots">Programs may play</Tick>
      <div class="row">
        <Text p={p} field="min" label="Rating from" type="number" placeholder="any" />
        <Text p={p} field="max" label="Rating to" type="number" placeholder="any" />
        <Text p={p} field="most" label="Most players" type="number" placeholder="2000" />
      </div>
      <h3>At the board</h3>
      <Tick p={p} field="callsFlags">The server calls flags</Tick>
      <Tick p={p} field="callsIllegal">The server calls illegal moves</Tick>
      <Tick p={p} field="ladder">Wrong claims after the free ones cost a minute</Tick>
      <Text p={p} field="firstMove" label="First move within" unit="seconds" type="number" />
    </details>
  );
}
