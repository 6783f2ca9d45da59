import { lasts, searchPage } from "../history";
import { A } from "../router";
import { Frame } from "./frame";

/** There is no account of this name. */
export function Nobody({ name }: { name: string }) {
  return (
    <Frame title="Nobody of that name">
      <section class="card">
        <h1>Nobody is called {name}</h1>
        <p>{lasts(name) ? "The name may be mistyped, or the account was deleted." : "Guests have no profile: their names do not last. Who registers keeps his games."}</p>
        <p class="buttons">
          {lasts(name) && <A href={searchPage(name.slice(0, 3))} class="button">Look for names that begin alike</A>}
          <A href="/" class="button primary">To the front page</A>
        </p>
      </section>
    </Frame>
  );
}
