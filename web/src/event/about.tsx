import { A } from "../router";
import { bookAddress, bookName } from "../terms";
import { Name } from "../people/name";
import { exportAddress } from "./api";
import type { EventPage } from "./types";
import { formatName, isBefore, lastingWords, momentOf, playWords } from "./words";

/** What the organiser has decided, who looks after it, and the files. */
export function About({ page, event, key_, now }: { page: EventPage; event: string; key_: string; now: number }) {
  const facts: [string, string | undefined][] = [
    ["Format", formatName(page.format)],
    ["Games", playWords(page)],
    ["Matches", page.two ? "Each pairing is a match of two games with colours reversed." : undefined],
    ["Check-in", page.checkin ? `from ${momentOf(page.checkin, now)}` : undefined],
    ["Start", page.started ?? page.starts ? momentOf((page.started ?? page.starts)!, now) : "when the organiser starts it"],
    ["Lasts", page.format === "arena" && page.duration ? lastingWords(page.duration) : undefined],
    ["At the bell", page.format !== "arena" ? undefined : page.at_bell === "stop" ? "Games that run are stopped and do not count." : "Games that run are played to the end and count."],
    ["Late entries", page.format === "arena" ? (page.late ? "yes" : "no") : undefined],
    ["Guests", page.guests ? "welcome" : "no"],
  ];
  return (
    <section class="card about" aria-labelledby="about-title">
      <h2 id="about-title">About this event</h2>
      <dl class="facts">{facts.map(([what, words]) => words && <><dt key={what}>{what}</dt><dd>{words}</dd></>)}</dl>
      <p>
        <a href={bookAddress(page.terms.rules || "wbca")}>The {bookName(page.terms.rules || "wbca")} rules</a>
        {page.club && <> · <A href={`/c/${encodeURIComponent(page.club)}`}>The club</A></>}
      </p>
      <p>
        {page.staff.map((m, i) => <>{i > 0 && ", "}<Name name={m.name} /> <span class="quiet">({m.role})</span></>)}
      </p>
      {!isBefore(page.phase) && <Files page={page} event={event} key_={key_} />}
    </section>
  );
}

/** What can be taken away of an event that has begun. */
export function Files({ page, event, key_ }: { page: EventPage; event: string; key_: string }) {
  const files: [string, string][] = [
    ["games.pgn", "Games (PGN)"], ["standings.csv", "Table (CSV)"], ["crosstable.csv", "Crosstable (CSV)"], ["event.json", "Everything (JSON)"],
  ];
  if (page.format !== "arena") files.push(["report.trf", "Report (TRF)"]);
  return (
    <p class="files">
      Files: {files.map(([file, words], i) => <>{i > 0 && ", "}<a href={exportAddress(event, file, key_)} download={`${event}-${file}`}>{words}</a></>)}
      {" · "}<A href={`/e/${encodeURIComponent(event)}/print${key_ && `?key=${encodeURIComponent(key_)}`}`}>Page to print</A>
    </p>
  );
}
