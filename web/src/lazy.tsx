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
        () => !gone && setState({ failed: true }),
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
