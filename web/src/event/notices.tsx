import { useEffect, useRef } from "preact/hooks";
import { play } from "../sound";
import { Speaker } from "../table/entry";
import type { EventModel } from "./model";
import type { Notice } from "./types";
import { momentOf } from "./words";

export const noticeWords = (n: Notice): string => `${n.by ? `${n.by}: ` : ""}${n.text}`;

/** What organisers and arbiters have said, the latest first; a new one is heard, too. */
export function Notices({ model, notices, few = 3 }: { model: EventModel; notices: Notice[]; few?: number }) {
  const latest = notices[0];
  useNews(latest);
  // Whoever has this page before him has read them.
  useEffect(() => {
    if (model.news && document.visibilityState === "visible") model.seen();
  });
  if (notices.length === 0) return <Speaker lines={[""]} />;
  const now = model.now();
  const line = (n: Notice) => <li key={`${n.at} ${n.text}`}><time dateTime={new Date(n.at).toISOString()}>{momentOf(n.at, now)}</time> <span>{noticeWords(n)}</span></li>;
  return (
    <section class="card notices" aria-labelledby="notices-title">
      <h2 id="notices-title">Announcements</h2>
      <ul>{notices.slice(0, few).map(line)}</ul>
      {notices.length > few && (
        <details>
          <summary>Earlier ones</summary>
          <ul>{notices.slice(few).map(line)}</ul>
        </details>
      )}
      <Speaker lines={[latest ? noticeWords(latest) : ""]} />
    </section>
  );
}

/** A sound when there is a new announcement; none for those that were there before. */
export function useNews(latest: Notice | undefined): void {
  const last = useRef<number | undefined>(undefined);
  const at = latest?.at ?? 0;
  useEffect(() => {
    if (last.current !== undefined && at > last.current) play("paired");
    last.current = at;
  }, [at]);
}
