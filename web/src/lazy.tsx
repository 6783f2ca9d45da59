// Pages, and parts of pages, whose script is fetched when they are first shown.
import type { ComponentChild, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Header } from "./pages/lost";

/** The page that `load` brings, and until then a line that says so. */
export const lazy = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> => loaded(load, <Blank />, <Blank failed />);

/** A part of a page; until it is there, and without a network, there is `instead` in its place. */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>, instead: ComponentChild = null): ComponentType<P> => loaded(load, instead, instead);

function loaded<P extends object>(load: () => Promise<ComponentType<P>>, waiting: ComponentChild, failed: ComponentChild): ComponentType<P> {
  let part: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [state, setState] = useState<{ part?: ComponentType<P> | undefined; failed?: boolean }>({ part });
    useEffect(() => {
      if (part) return undefined;
      let gone = false;
      load().then(
        (got) => {
          part = got;
          if (!gone) setState({ part });
        },
        () => {
          if (!gone) setState({ failed: true });
          void renew();
        },
      );
      return () => {
        gone = true;
      };
    }, []);
    const Part = state.part;
    if (Part) return <Part {...props} />;
    return <>{state.failed ? failed : waiting}</>;
  };
}

const RENEWED = "flagfall.renewed";
const PAUSE = 60_000; // ms between two of them: a file that stays away must not load the page for ever

/** Loads the page anew if the server answers: then it has a newer version, and the files of this one are gone. */
async function renew(): Promise<void> {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RENEWED)) < PAUSE) return;
    if (!(await fetch("/", { cache: "no-store" })).ok) return;
    sessionStorage.setItem(RENEWED, String(Date.now()));
    location.reload();
  } catch {
    // The network is away, or nothing can be noted: what is there stays.
  }
}

function Blank({ failed = false }: { failed?: boolean }) {
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1} class="narrow">{failed ? <Failed /> : <p class="spin" role="status">One moment…</p>}</main>
    </>
  );
}

/** The file is gone with an earlier version of the server, or the network is. */
function Failed() {
  return (
    <section class="card" role="alert">
      <h1>This page could not be loaded</h1>
      <p>The connection may be lost, or the server has a newer version.</p>
      <button type="button" class="button primary" onClick={() => location.reload()}>Load it again</button>
    </section>
  );
}
