import { useEffect, useState } from "preact/hooks";
import { ensureGuest, Problem, problemWords } from "../api";
import { clubAct, clubs, clubView, makeClub } from "../event/api";
import { EventList } from "../event/list";
import type { ClubView, Listing } from "../event/types";
import { useTitle } from "../hooks";
import { Frame } from "../people/frame";
import { Name } from "../people/name";
import { A, navigate } from "../router";
import { Lost } from "./lost";

const NAME = /^[a-z0-9][a-z0-9-]{2,39}$/;

/** /clubs: all of them, and a new one. */
export function ClubsPage() {
  const [list, setList] = useState<Listing[] | undefined>();
  const [guest, setGuest] = useState<boolean | undefined>();
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    ensureGuest().then((me) => setGuest(me.guest), () => undefined);
    clubs().then(setList, (e) => setTrouble(problemWords(e)));
  }, []);
  return (
    <Frame title="Clubs">
      <h1>Clubs</h1>
      {trouble && <p class="banner bad" role="alert">{trouble}</p>}
      {!list && !trouble && <p class="spin">One moment…</p>}
      {list?.length === 0 && <p class="quiet">There is no club yet.</p>}
      {list && list.length > 0 && (
        <ul class="eventlist">
          {list.map((c) => (
            <li key={c.club} class="card">
              <A href={`/c/${encodeURIComponent(c.club)}`} class="title">{c.name}</A>
              {c.members !== undefined && <span class="state">{c.members === 1 ? "1 member" : `${c.members} members`}</span>}
              <span class="quiet">{c.about}</span>
            </li>
          ))}
        </ul>
      )}
      {guest === false ? <NewClub /> : guest && <p><A href="/login">Log in</A> to make a club.</p>}
    </Frame>
  );
}

function NewClub() {
  const [club, setClub] = useState("");
  const [name, setName] = useState("");
  const [about, setAbout] = useState("");
  const [trouble, setTrouble] = useState("");
  const address = club || name.trim().toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);
  const submit = (e: Event) => {
    e.preventDefault();
    setTrouble("");
    makeClub({ club: address, name: name.trim(), about: about.trim() }).then(() => navigate(`/c/${address}`), (error) => setTrouble(problemWords(error)));
  };
  return (
    <details class="card">
      <summary>New club</summary>
      <form class="settings" onSubmit={submit}>
        <label class="field">Name<input required maxLength={80} value={name} onInput={(e) => setName(e.currentTarget.value)} /></label>
        <label class="field">Address: {location.host}/c/
          <input maxLength={40} value={club} placeholder={address} autocapitalize="none" spellcheck={false} onInput={(e) => setClub(e.currentTarget.value)} />
          {!NAME.test(address) && address !== "" && <small class="wrong">3 to 40 small letters, digits and hyphens.</small>}
        </label>
        <label class="field">About it<textarea rows={4} maxLength={2000} value={about} onInput={(e) => setAbout(e.currentTarget.value)} /></label>
        {trouble && <p class="banner bad" role="alert">{trouble}</p>}
        <button type="submit" class="button primary" disabled={!name.trim() || !NAME.test(address)}>Make the club</button>
      </form>
    </details>
  );
}

const ROLES = ["member", "arbiter", "organiser", "owner"];

/** /c/CLUB: who is in it, and its events. */
export function ClubPage({ club }: { club: string }) {
  const [view, setView] = useState<ClubView | Problem | undefined>();
  const [me, setMe] = useState<{ id: string; guest: boolean } | undefined>();
  const [trouble, setTrouble] = useState("");
  useTitle(`${view && !(view instanceof Problem) ? view.name : "Club"} · Flagfall`);
  const load = () => clubView(club).then(setView, (e) => setView(e instanceof Problem ? e : new Problem(0, "", problemWords(e))));
  useEffect(() => {
    ensureGuest().then(setMe, () => undefined).then(load);
  }, [club]);
  if (view instanceof Problem) return view.status === 404 ? <Lost title="There is no such club" text="The address may be mistyped." /> : <Lost title="That did not work" text={view.message} />;
  if (!view) return <Frame title="Club"><p class="spin">One moment…</p></Frame>;
  const act = (what: Parameters<typeof clubAct>[1]) => {
    setTrouble("");
    clubAct(club, what).then(load, (e) => {
      setTrouble(problemWords(e));
      void load();
    });
  };
  const leads = view.you === "owner" || view.you === "organiser";
  return (
    <Frame title={view.name}>
      <h1>{view.name}</h1>
      {view.about && <p class="about-club">{view.about}</p>}
      {trouble && <p class="banner bad" role="alert">{trouble}</p>}
      <p class="buttons">
        {leads && <A href={`/events/new?club=${encodeURIComponent(club)}`} class="button primary">New event of the club</A>}
        {view.you ? <button type="button" class="button" onClick={() => act({ do: "leave" })}>Leave the club</button>
          : me?.guest === false ? <button type="button" class="button primary" onClick={() => act({ do: "join" })}>Join the club</button>
            : me && <A href="/login" class="button">Log in to join</A>}
      </p>
      <section>
        <h2>Events</h2>
        {view.events?.length ? <EventList events={view.events} /> : <p class="quiet">None yet.</p>}
      </section>
      <Members view={view} act={act} me={me?.id} />
      {view.you === "owner" && <AboutForm about={view.about} act={act} />}
    </Frame>
  );
}

interface MembersProps { view: ClubView; act: (what: Parameters<typeof clubAct>[1]) => void; me: string | undefined }

function Members({ view, act, me }: MembersProps) {
  const owner = view.you === "owner";
  const removes = owner || view.you === "organiser";
  return (
    <section>
      <h2>Members</h2>
      <ul class="members">
        {view.members.map((m) => (
          <li key={`${m.id} ${m.role}`}>
            <b><Name name={m.name} /></b>
            {owner ? (
              <select aria-label={`Role of ${m.name}`} value={m.role} onChange={(e) => act({ do: "role", who: m.id, role: e.currentTarget.value })}>
                {ROLES.map((r) => <option key={r} value={r}>{r}</option>)}
              </select>
            ) : <span class="quiet">{m.role}</span>}
            {removes && m.id !== me && m.role === "member" && <button type="button" class="plain" onClick={() => act({ do: "remove", who: m.id })}>Take out<span class="sr"> {m.name}</span></button>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function AboutForm({ about, act }: { about: string; act: MembersProps["act"] }) {
  const [text, setText] = useState(about);
  return (
    <details class="card">
      <summary>What the page says of the club</summary>
      <form class="settings" onSubmit={(e) => { e.preventDefault(); act({ do: "about", about: text.trim() }); }}>
        <label class="field"><span class="sr">About the club</span><textarea rows={5} maxLength={2000} value={text} onInput={(e) => setText(e.currentTarget.value)} /></label>
        <button type="submit" class="button primary">Save</button>
      </form>
    </details>
  );
}
