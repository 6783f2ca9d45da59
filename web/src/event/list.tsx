import { useEffect, useState } from "preact/hooks";
import { A } from "../router";
import { listEvents } from "./api";
import type { Listed } from "./types";
import { formatName, listedWords, playersWords, playWords } from "./words";

const EVERY = 15_000;

/** The events of a list, each a way to its page. */
export function EventList({ events }: { events: Listed[] }) {
  const now = Date.now();
  return (
    <ul class="eventlist">
      {events.map((e) => (
        <li key={e.event} class="card">
          <A href={`/e/${encodeURIComponent(e.event)}`} class="title">{e.name}</A>
          <span class="state">{listedWords(e, now)}</span>
          <span class="quiet">
            {formatName(e.format)}, {playWords(e)}, {playersWords(e.players)}{e.access === "password" ? ", with a password" : ""}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The events of a phase, read again every quarter of a minute while somebody looks. */
export function useEvents(phase: "open" | "running" | "past", club = ""): Listed[] | undefined {
  const [events, setEvents] = useState<Listed[] | undefined>();
  useEffect(() => {
    let gone = false;
    const look = () => {
      if (document.visibilityState !== "visible") return;
      listEvents(phase, club).then((list) => !gone && setEvents(list), () => undefined); // the last list stays
    };
    look();
    const timer = setInterval(look, EVERY);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [phase, club]);
  return events;
}

const FRONT = 4;

/** On the front page: what runs and what comes, if there is anything. */
export function FrontEvents() {
  const running = useEvents("running");
  const open = useEvents("open");
  const list = [...(running ?? []), ...(open ?? [])];
  if (list.length === 0) return null;
  return (
    <section class="live" aria-labelledby="events-title">
      <h2 id="events-title">Events</h2>
      <EventList events={list.slice(0, FRONT)} />
      <p class="after-list"><A href="/events">All events</A></p>
    </section>
  );
}
