import type { ComponentChildren } from "preact";
import { useTitle } from "../hooks";
import { A } from "../router";

/** The line above every page; the front page has the name below it, in large. */
export function Header({ children, front = false }: { children?: ComponentChildren; front?: boolean }) {
  return (
    <header class={front ? "site front" : "site"}>
      {!front && <A href="/" class="brand" aria-label="Flagfall, front page"><FlagMark /> Flagfall</A>}
      {children}
    </header>
  );
}

export function FlagMark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path class="pole" d="M9 4v25" />
      <path class="cloth" d="M10 5h16l-5 5.500 5 5.500H10z" />
    </svg>
  );
}

export function Footer() {
  return (
    <footer class="site">
      <span>Flagfall is free software (GPL-3.0-or-later).</span>
      <A href="/rules">The rules</A>
      <a href="/licenses.txt">Licences</a>
      <a href="/asyncapi.yaml">For authors of other clients</a>
    </footer>
  );
}

/** A page that says what is wrong and where to go. */
export function Lost({ title, text }: { title: string; text: string }) {
  useTitle(`${title} · Flagfall`);
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1} class="narrow">
        <section class="card">
          <h1>{title}</h1>
          <p>{text}</p>
          <A href="/" class="button primary">To the front page</A>
        </section>
      </main>
    </>
  );
}
