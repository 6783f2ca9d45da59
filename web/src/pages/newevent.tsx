import { useEffect, useState } from "preact/hooks";
import { ensureGuest, problemWords } from "../api";
import { act, clubView, createEvent, defaults } from "../event/api";
import { type Draft, draftOf, reformed, settingsOf, type Wrong, wrongOf } from "../event/draft";
import { MainFields, MoreFields } from "../event/settingsform";
import type { Format, Settings } from "../event/types";
import { Frame } from "../people/frame";
import { A, navigate, useQuery } from "../router";

/** /events/new: an event in a minute. */
export function NewEventPage() {
  const club = new URLSearchParams(useQuery()).get("club") ?? "";
  const [guest, setGuest] = useState<boolean | undefined>();
  const [before, setBefore] = useState<Settings | undefined>();
  const [title, setTitle] = useState("");
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    ensureGuest().then((me) => setGuest(me.guest), (e) => setTrouble(problemWords(e)));
    defaults("arena").then(setBefore, (e) => setTrouble(problemWords(e)));
  }, []);
  useEffect(() => {
    if (club) clubView(club).then((c) => setTitle(c.name), (e) => setTrouble(problemWords(e)));
  }, [club]);
  return (
    <Frame title="New event">
      <h1>New event</h1>
      {trouble && <p class="banner bad" role="alert">{trouble}</p>}
      {guest && (
        <section class="card">
          <p>Who holds an event needs an account, so that nobody else can take it over.</p>
          <p class="buttons"><A href="/register" class="button primary">Register</A><A href="/login" class="button">Log in</A></p>
        </section>
      )}
      {guest === false && before && <Make before={before} club={club} title={title} />}
      {guest === undefined && !trouble && <p class="spin">One moment…</p>}
    </Frame>
  );
}

/** `title`: the club's name, once it is known. */
function Make({ before: first, club, title }: { before: Settings; club: string; title: string }) {
  const [before, setBefore] = useState(first);
  const [d, setDraft] = useState<Draft>(() => ({ ...draftOf(first), rated: true }));
  const [open, setOpen] = useState(true);
  const [password, setPassword] = useState("");
  const [event, setEvent] = useState("");
  const [wrong, setWrong] = useState<Wrong | undefined>();
  const [trouble, setTrouble] = useState("");
  const [busy, setBusy] = useState(false);
  const set = (change: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    setWrong(undefined);
    setTrouble("");
  };
  const reform = (format: Format) => {
    set({ format });
    defaults(format).then((fresh) => {
      setBefore(fresh);
      setDraft((old) => (old.format === format ? reformed(old, fresh) : old));
    }, (e) => setTrouble(problemWords(e)));
  };
  const submit = async (e: Event) => {
    e.preventDefault();
    const fault = wrongOf(d);
    setWrong(fault);
    setTrouble(fault?.why ?? "");
    if (fault) return;
    setBusy(true);
    try {
      const name = await createEvent({
        ...(event && { event }), ...(club && { club }), ...(d.access === "password" && { password }), settings: settingsOf(d, before),
      });
      // The event is there by now: what fails from here on is mended on its page.
      if (open) await act(name, { do: "advance", to: "open" }).catch(() => undefined);
      navigate(`/e/${name}/manage`);
    } catch (error) {
      setTrouble(problemWords(error));
      setBusy(false);
    }
  };
  const form = { d, set, reform, wrong };
  return (
    <form class="card settings" onSubmit={submit} noValidate>
      {club && <p class="quiet">An event of the club <A href={`/c/${encodeURIComponent(club)}`}>{title || "…"}</A>.</p>}
      <MainFields
        {...form}
        password={d.access === "password" && (
          <label class="field">Password of the event
            <input value={password} required maxLength={128} autocomplete="off" spellcheck={false} onInput={(e) => setPassword(e.currentTarget.value)} />
          </label>
        )}
      />
      <MoreFields {...form} />
      <details class="more">
        <summary>Its address</summary>
        <label class="field">{location.host}/e/
          <input value={event} placeholder="made from the name" maxLength={40} autocapitalize="none" spellcheck={false} onInput={(e) => setEvent(e.currentTarget.value)} />
        </label>
        <p class="quiet">3 to 40 small letters, digits and hyphens.</p>
      </details>
      <label class="tick-line"><input type="checkbox" checked={open} onChange={(e) => setOpen(e.currentTarget.checked)} /> <span>Take entries at once</span></label>
      {trouble && <p class="banner bad" role="alert">{trouble}</p>}
      <button type="submit" class="button primary wide" disabled={busy || (d.access === "password" && !password)}>{busy ? "One moment…" : "Make the event"}</button>
    </form>
  );
}
