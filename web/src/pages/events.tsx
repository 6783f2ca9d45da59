import { useEffect } from "preact/hooks";
import { EventList, useEvents } from "../event/list";
import type { Listed } from "../event/types";
import type { Link } from "../link";
import { useModel } from "../hooks";
import { Frame } from "../people/frame";
import { A } from "../router";

/** /events: what runs, what comes and what was. */
export function EventsPage({ link }: { link: Link }) {
  useModel(link);
  useEffect(() => link.start(), [link]);
  return (
    <Frame title="Events" link={link}>
      <h1>Events</h1>
      <p>Arenas and round robins of clubs and friends, by the rules of blitz. Whoever has an account can hold one.</p>
      <p class="buttons">
        {link.guest ? <A href="/login" class="button primary">Log in to hold an event</A> : <A href="/events/new" class="button primary">New event</A>}
        <A href="/clubs" class="button">Clubs</A>
      </p>
      <Part title="Running" events={useEvents("running")} none="No event is running." />
      <Part title="Coming" events={useEvents("open")} none="No event is announced." />
      <Part title="Over" events={useEvents("past")} none="No event has been held yet." />
    </Frame>
  );
}

function Part({ title, events, none }: { title: string; events: Listed[] | undefined; none: string }) {
  return (
    <section>
      <h2>{title}</h2>
      {!events ? <p class="quiet">Loading…</p> : events.length === 0 ? <p class="quiet">{none}</p> : <EventList events={events} />}
    </section>
  );
}
