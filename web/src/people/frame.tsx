import type { ComponentChildren } from "preact";
import type { Problem } from "../api";
import { useTitle } from "../hooks";
import type { Link } from "../link";
import { Footer, Header } from "../pages/lost";
import { WhoAmI } from "../pages/whoami";
import { SiteNav } from "./sitenav";

/** What the pages about people and games have around them; with a link, who one is, too. */
export function Frame({ title, link, children }: { title: string; link?: Link; children: ComponentChildren }) {
  useTitle(`${title} · Flagfall`);
  return (
    <>
      <Header><SiteNav />{link && <WhoAmI link={link} />}</Header>
      <main id="main" tabIndex={-1} class="people">{children}</main>
      <Footer />
    </>
  );
}

/** What went wrong, and another try where that may help. */
export function Trouble({ problem, words, again }: { problem: Problem; words?: string | undefined; again: () => void }) {
  const lasting = problem.status >= 400 && problem.status < 500 && problem.status !== 429;
  return (
    <p class="banner bad" role="alert">
      {words ?? problem.message} {!lasting && <button type="button" class="again" onClick={again}>Try again</button>}
    </p>
  );
}

export const Loading = ({ what }: { what: string }) => <p class="spin" role="status">{what}</p>;

/** The rest of a list that is read a page at a time. */
export function Older({ more, loading, text, older }: { more: boolean; loading: boolean; text: string; older: () => void }) {
  if (!more) return null;
  return <button type="button" class="button" aria-disabled={loading} onClick={() => !loading && older()}>{loading ? "Loading…" : text}</button>;
}
