import { useState } from "preact/hooks";
import { useSwapGuard } from "../hooks";
import { A } from "../router";
import { colorName } from "../wire";
import { useNow } from "./hooks";
import type { EventModel } from "./model";
import type { EventPage, Mine } from "./types";
import { becauseWords, isBefore, isOn, ordinal, pointWords, standWords } from "./words";

/** What one is in the event, and what one can do about it. */
export function You({ model, page }: { model: EventModel; page: EventPage }) {
  const mine = model.mine;
  if (page.cancelled) return null;
  const over = !isBefore(page.phase) && !isOn(page.phase);
  if (over && !mine) return null;
  return (
    <section class="card you" aria-labelledby="you-title">
      <h2 id="you-title">{mine ? "You" : "Play here"}</h2>
      {!mine || (mine.status === "withdrawn" && !over) ? <Enter model={model} page={page} again={Boolean(mine)} /> : <Entered model={model} page={page} mine={mine} over={over} />}
      {model.trouble && <p class="banner bad" role="alert">{model.trouble}</p>}
    </section>
  );
}

function Enter({ model, page, again }: { model: EventModel; page: EventPage; again: boolean }) {
  const guest = model.link.guest;
  const [password, setPassword] = useState("");
  const [name, setName] = useState("");
  const [chosen, setClaim] = useState("");
  const lines = page.roster ?? [];
  const claim = lines.some((l) => l.id === chosen) ? chosen : ""; // somebody else may have taken it
  const late = isOn(page.phase);
  if (page.phase === "draft") return <p>Entries are not taken yet.</p>;
  if (page.phase === "last_games" || (late && (page.format !== "arena" || !page.late))) return <p>It has begun, and no more entries are taken.</p>;
  if (again) {
    return (
      <>
        <p>You have withdrawn.</p>
        <button type="button" class="button primary wide" disabled={model.busy} onClick={() => void model.act({ do: "return" })}>Come back in</button>
      </>
    );
  }
  if (guest && !page.guests && lines.length === 0) {
    return <p>This event is for members. <A href="/login">Log in</A> or <A href="/register">register</A>, and come back to this page.</p>;
  }
  const submit = (e: Event) => {
    e.preventDefault();
    model.taken = lines.find((l) => l.id === claim)?.name;
    void model.act({ do: "enter", ...(page.access === "password" && { password }), ...(claim ? { claim } : guest && name.trim() && { name: name.trim() }) });
  };
  return (
    <form onSubmit={submit}>
      {lines.length > 0 && (
        <label class="field">Are you on the organiser’s list?
          <select value={claim} onChange={(e) => setClaim(e.currentTarget.value)}>
            <option value="">No, I am not on it</option>
            {lines.map((l) => <option key={l.id} value={l.id}>{l.name}</option>)}
          </select>
        </label>
      )}
      {guest && !claim && (
        <label class="field">Your name, as the tables show it
          <input value={name} maxLength={80} autocomplete="name" placeholder={model.link.you?.name} onInput={(e) => setName(e.currentTarget.value)} />
        </label>
      )}
      {page.access === "password" && (
        <label class="field">The event’s password
          <input type="password" required value={password} maxLength={128} autocomplete="off" onInput={(e) => setPassword(e.currentTarget.value)} />
        </label>
      )}
      <button type="submit" class="button primary wide" disabled={model.busy || model.link.you === undefined}>{late ? "Join now" : "Enter"}</button>
      <p class="quiet">
        {page.approve ? "The organiser approves entries. " : ""}{limitsWords(page)}
        {guest ? "You are a guest: your place lasts as long as this browser keeps your visit. " : ""}
        {late || page.phase === "checkin" ? "Keep this page open and in front: you are called to your table from here." : "Come back here when it starts: you are called to your table from this page."}
      </p>
    </form>
  );
}

const ALL = 2000; // places that any event has

function limitsWords({ min_rating: min, max_rating: max, most, entries, lines }: EventPage): string {
  const rated = min && max ? `For ratings from ${min} to ${max}. ` : min ? `For ratings from ${min}. ` : max ? `For ratings up to ${max}. ` : "";
  return `${rated}${most && most < ALL ? `${entries + lines} of ${most} places are taken. ` : ""}`;
}

function Entered({ model, page, mine, over }: { model: EventModel; page: EventPage; mine: Mine; over: boolean }) {
  const started = !isBefore(page.phase);
  return (
    <>
      {started && mine.games > 0 && <p class="stand"><b>{standWords(mine)}</b> in {mine.games === 1 ? "1 game" : `${mine.games} games`}</p>}
      {over ? mine.games === 0 && <p>You had no game that counts.</p> : <State model={model} page={page} mine={mine} />}
    </>
  );
}

function State({ model, page, mine }: { model: EventModel; page: EventPage; mine: Mine }) {
  const act = (what: "arrive" | "pause" | "return" | "withdraw") => () => void model.act({ do: what });
  switch (mine.status) {
    case "asked": return <><p role="status">Your entry waits for the organiser’s approval.</p><Withdraw model={model} /></>;
    case "withdrawn": return <p>You have withdrawn.</p>;
    case "removed": return <p role="status">The organiser has taken you out{mine.why ? `: ${mine.why}` : ""}.</p>;
    case "expelled": return <p role="status">The arbiter has put you out{mine.why ? `: ${mine.why}` : ""}.</p>;
    case "paused":
      return (
        <>
          <p role="status">{mine.why === "no_show" ? "You did not come to your last game, so you are set aside." : "You have paused: you are not paired."}</p>
          <button type="button" class="button primary wide" disabled={model.busy} onClick={act("return")}>I am back</button>
          <Withdraw model={model} />
        </>
      );
  }
  if (mine.game) return <Called mine={mine} />;
  if (isBefore(page.phase)) {
    return (
      <>
        <p role="status">You are in.{nameWords(model, page)}{page.phase === "checkin" ? "" : " Be on this page when it starts."}</p>
        {page.phase === "checkin" && <CheckIn model={model} />}
        <Withdraw model={model} />
      </>
    );
  }
  return (
    <>
      <Waits model={model} mine={mine} />
      <div class="buttons">
        {page.phase === "running" && <button type="button" class="button" disabled={model.busy} onClick={act("pause")}>Pause</button>}
        {page.phase === "running" && <Withdraw model={model} />}
      </div>
    </>
  );
}

/** Who has taken a line of the list, or chosen a name for this event, sees who he is in it. */
function nameWords(model: EventModel, page: EventPage): string {
  const own = model.link.you;
  const row = page.top.find((r) => r.id === own?.id);
  const name = row?.name ?? model.taken;
  const real = row?.real && row.real !== name ? ` (${row.real})` : "";
  return name && (real || name !== own?.name) ? ` Your name here is ${name}${real}.` : "";
}

function CheckIn({ model }: { model: EventModel }) {
  return model.mine?.checked
    ? <p><b>You have checked in.</b></p>
    : <button type="button" class="button primary wide" disabled={model.busy} onClick={() => void model.act({ do: "arrive" })}>I am here</button>;
}

/** The game that waits for one, where the call did not reach this page. */
export function Called({ mine }: { mine: Mine }) {
  return (
    <p class="banner strong" role="alert">
      Your game {mine.opponent ? `against ${mine.opponent} ` : ""}is on{mine.color ? `; you play ${colorName(mine.color)}` : ""}.{" "}
      <A href={`/g/${encodeURIComponent(mine.game!)}`}>Go to your table</A>
    </p>
  );
}

/** Why one waits, with the seconds, and the way to be paired sooner. */
export function Waits({ model, mine }: { model: EventModel; mine: Mine }) {
  const now = useNow(model);
  const rests = model.rests;
  const guard = useSwapGuard(String(rests));
  const words = mine.because ? becauseWords(mine.because, now) : "You are paired in a moment.";
  return (
    <>
      <p class={rests ? "waits" : "waits spin"}>{words}</p>
      {rests && <button type="button" class="button primary wide" aria-keyshortcuts="r" title="Key: r" disabled={model.busy} onClick={guard(() => void model.act({ do: "ready" }))}>Ready</button>}
    </>
  );
}

/** Asks once more. */
function Withdraw({ model }: { model: EventModel }) {
  const [asked, setAsked] = useState(false);
  const guard = useSwapGuard(String(asked));
  const click = () => {
    if (asked) void model.act({ do: "withdraw" });
    setAsked(!asked);
  };
  return (
    <>
      <button type="button" class={asked ? "button danger" : "button"} disabled={model.busy} onClick={guard(click)}>{asked ? "Really withdraw?" : "Withdraw"}</button>
      {asked && <button type="button" class="button" onClick={guard(() => setAsked(false))}>No, stay</button>}
    </>
  );
}

/** For the strip at a table: "3rd, 4½ points". */
export const shortStand = (m: Mine): string => (m.place ? `${ordinal(m.place)}, ${pointWords(m.points)}` : pointWords(m.points));
