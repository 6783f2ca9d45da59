import { searchPage } from "../history";
import { A, navigate, usePath } from "../router";

const PLACES: [string, string][] = [["/events", "Events"], ["/games", "Games"], ["/leaders", "Leaders"], ["/practice", "Practice"]];

/** The ways from page to page, and the search for people. */
export function SiteNav() {
  const path = usePath();
  const find = (e: SubmitEvent) => {
    e.preventDefault();
    const form = e.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get("name") ?? "").trim();
    if (!name) return;
    form.reset();
    navigate(searchPage(name));
  };
  return (
    <>
      <nav aria-label="Site">
        {PLACES.map(([href, text]) => <A key={href} href={href} aria-current={path === href ? "page" : undefined}>{text}</A>)}
        <a href="/rules">Rules</a>
      </nav>
      <form class="find" role="search" onSubmit={find}>
        <input type="search" name="name" placeholder="Find a player" aria-label="Find a player by name" maxLength={24} autocomplete="off" autocapitalize="none" spellcheck={false} enterKeyHint="search" />
      </form>
    </>
  );
}
