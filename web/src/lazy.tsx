// Pages whose script is fetched when they are first shown.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Header } from "./pages/lost";

/** The page that `load` brings, and until then a line that says so. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [state, setState] = useState<{ page?: ComponentType<P> | undefined; failed?: boolean }>({ page: loaded });
    useEffect(() => {
      if (loaded) return undefined;
      let gone = false;
      load().then(
        (page) => {
          loaded = page;
          if (!gone) setState({ page });
        },
        () => !gone && setState({ failed: true }),
      );
      return () => {
        gone = true;
      };
    }, []);
    const Page = state.page;
    if (Page) return <Page {...props} />;
    return (
      <>
        <Header />
        <main id="main" tabIndex={-1} class="narrow">
          {state.failed ? <Failed /> : <p class="spin" role="status">One moment…</p>}
        </main>
      </>
    );
  };
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
