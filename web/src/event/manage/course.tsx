import { useState } from "preact/hooks";
import { localText, moment } from "../draft";
import { useNow } from "../hooks";
import type { EventModel } from "../model";
import type { EventPage, Phase } from "../types";
import { isBefore, linesWords, momentOf, stateWords } from "../words";
import { WithReason } from "./reason";

interface Step { to: Phase; label: string; what: string }

/** Where the organiser may move the event from here. */
function stepsOf(page: EventPage): Step[] {
  const robin = page.format !== "arena";
  const start: Step = { to: "running", label: "Start it now", what: robin ? "Entries end; everybody on the list plays." : "The first games are paired at once." };
  const checkin: Step = { to: "checkin", label: "Begin the check-in", what: "Players then press “I am here”." };
  switch (page.phase) {
    case "draft": return [{ to: "open", label: "Take entries", what: "From then on people can enter." }];
    case "open": return [start, checkin];
    case "checkin": return [start];
    case "provisional": return [{ to: "signed", label: "Sign the results", what: "When nothing is disputed any more." }];
    case "signed": return [{ to: "published", label: "Publish the results", what: "Then they are final." }];
    default: return [];
  }
}

function roundHint(page: EventPage): string {
  if (page.playing > 0) return `When all games of round ${page.round ?? 1} are over.`;
  if (page.you.settings?.auto_round) return page.round ? "It starts by itself after the rest; you may start it sooner." : "It starts by itself in a moment.";
  return page.round ? "Nobody plays: it can begin." : "The first one: nobody is called to a table before it.";
}

/** How the event goes on: its phases, the rounds, the bell. */
export function Course({ model, page }: { model: EventModel; page: EventPage }) {
  const now = useNow(model);
  if (page.cancelled) return <section class="card"><h2>Course</h2><p>{stateWords(page, now)}</p></section>;
  const steps = stepsOf(page);
  const robin = page.format !== "arena";
  return (
    <section class="card course" aria-labelledby="course-title">
      <h2 id="course-title">Course</h2>
      <p><strong>{stateWords(page, now)}</strong> <span class="quiet">{page.entries} entered{linesWords(page)}, {page.here} here{page.phase === "running" ? `, ${page.playing} playing, ${page.waiting} waiting` : ""}.</span></p>
      <ul class="steps-list">
        {steps.map((s, i) => (
          <li key={s.to}>
            <button type="button" class={i === 0 ? "button primary" : "button"} disabled={model.busy} onClick={() => void model.act({ do: "advance", to: s.to })}>{s.label}</button>
            <span class="quiet">{s.what}</span>
          </li>
        ))}
        {robin && page.phase === "running" && (
          <li>
            <button type="button" class="button primary" disabled={model.busy || page.playing > 0} onClick={() => void model.act({ do: "round" })}>Start the next round</button>
            <span class="quiet">{roundHint(page)}</span>
          </li>
        )}
      </ul>
      {page.bell && page.phase === "running" && <Bell model={model} bell={page.bell} />}
      {isBefore(page.phase) && (
        <WithReason label="Call the event off" ask="Why? Everybody reads it." busy={model.busy} danger act={(why) => model.act({ do: "cancel", why })} />
      )}
    </section>
  );
}

/** The bell stands at a civil time; only the organiser moves it. */
function Bell({ model, bell }: { model: EventModel; bell: number }) {
  const [at, setAt] = useState(localText(bell));
  const to = moment(at);
  const changed = at !== localText(bell) && to > 0;
  return (
    <div class="bell">
      <label class="field">The bell rings at<input type="datetime-local" value={at} onInput={(e) => setAt(e.currentTarget.value)} /></label>
      {changed && (
        <WithReason
          label={`Move the bell to ${momentOf(to, model.now())}`} ask="Why is it moved? Everybody reads it." busy={model.busy}
          act={(why) => model.act({ do: "bell", bell: to, why })}
        />
      )}
    </div>
  );
}

/** Something that everybody is to read: on the event's page, at the tables and on the projector. */
export function Announce({ model }: { model: EventModel }) {
  const [text, setText] = useState("");
  const submit = async (e: Event) => {
    e.preventDefault();
    if (await model.act({ do: "announce", text: text.trim() })) setText("");
  };
  return (
    <section class="card" aria-labelledby="announce-title">
      <h2 id="announce-title">Announce</h2>
      <form onSubmit={submit}>
        <label class="field"><span class="quiet">Everybody reads it: here, at the tables and on the projector.</span>
          <textarea rows={2} required maxLength={500} value={text} onInput={(e) => setText(e.currentTarget.value)} />
        </label>
        <button type="submit" class="button primary" disabled={model.busy || !text.trim()}>Announce</button>
      </form>
    </section>
  );
}
