import { useEffect, useState } from "preact/hooks";
import { type InviteView, invitation, Problem } from "../api";
import { formatTime } from "../clock";
import { useModel, useTitle } from "../hooks";
import type { LobbyModel } from "../lobby";
import { Who } from "../people/name";
import { A } from "../router";
import { bookAddress, bookName, modeName } from "../terms";
import { RuleLink } from "../table/ruled";
import { wishName } from "./home";
import { Footer, Header, Lost } from "./lost";

export function InvitePage({ lobby, id }: { lobby: LobbyModel; id: string }) {
  useTitle("You are invited · Flagfall");
  useModel(lobby);
  const [view, setView] = useState<InviteView | Problem | undefined>();
  useEffect(() => {
    lobby.link.start();
    let gone = false;
    invitation(id).then(
      (v) => !gone && setView(v),
      (e) => !gone && setView(e instanceof Problem ? e : new Problem(0, "", "The server cannot be reached. Reload the page in a moment.")),
    );
    return () => {
      gone = true;
    };
  }, [id, lobby]);
  if (view instanceof Problem) {
    if (view.status === 404) {
      return <Lost title="This invitation is gone" text="It was accepted or taken back, or its maker has left. Ask for a new link." />;
    }
    return <Lost title="That did not work" text={view.message} />;
  }
  if (!view) return <><Header /><main id="main" tabIndex={-1} class="narrow"><p class="spin">Opening the invitation…</p></main></>;
  const own = lobby.link.you?.id === view.by.id;
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1} class="narrow">
        <section class="card">
          <h1>{own ? "Your invitation" : <><Who person={view.by} /> invites you to a game</>}</h1>
          <dl class="terms">
            <dt>Time</dt><dd>{formatTime(view.base, view)}, for each of you</dd>
            <dt>Rules</dt><dd><RuleLink text={bookName(view.rules)} href={bookAddress(view.rules)} aside />{view.wbca ? ", WBCA-rated" : ", not WBCA-rated"}</dd>
            <dt>Mode</dt><dd>{modeName(view.mode)}</dd>
            <dt>You play</dt><dd>{wishName(view.color)}</dd>
          </dl>
          {lobby.message && <p class="banner bad" role="alert">{lobby.message}</p>}
          {own
            ? <p>Open this link in another browser, or send it to a friend.</p>
            : (
              <button type="button" class="button primary wide" disabled={lobby.asking} onClick={() => lobby.ask({ t: "accept", invite: id })}>
                {lobby.asking ? "Sitting down…" : "Accept and sit down"}
              </button>
            )}
          <p class="after"><A href="/practice">New here? Practise for one minute first</A></p>
        </section>
      </main>
      <Footer />
    </>
  );
}
