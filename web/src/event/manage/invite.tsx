import { useEffect, useState } from "preact/hooks";
import { A } from "../../router";
import { joinLink, qrAddress } from "../api";
import type { EventModel } from "../model";
import type { EventPage } from "../types";

/** The link that people join by, and its code for the wall. */
export function Invite({ model, page }: { model: EventModel; page: EventPage }) {
  const url = useJoinLink(model, page);
  return (
    <section class="card invite" aria-labelledby="invite-title">
      <h2 id="invite-title">Invite</h2>
      <CopyBox label="Link to join by" url={url} />
      {onlyHere(url) && <p class="banner">This address works on this computer alone. For phones and other computers start the server with <code>-url</code> and the address by which they reach it, such as <code>-url http://192.168.1.5:8080</code>.</p>}
      <div class="poster">
        <h2>{page.name}</h2>
        <img src={qrAddress(model.event)} alt={`Code of the link ${url}`} width={240} height={240} />
        <p>Scan it to play, or open<br /><b>{url}</b></p>
      </div>
      <p class="buttons"><button type="button" class="button" onClick={() => print()}>Print the code</button></p>
    </section>
  );
}

/** The other pages of the event: also of one that is over. */
export function Ways({ event, page }: { event: string; page: EventPage }) {
  const base = `/e/${encodeURIComponent(event)}`;
  const screen = page.you.screen && `${location.origin}${base}/screen?key=${encodeURIComponent(page.you.screen)}`;
  return (
    <section class="card" aria-labelledby="ways-title">
      <h2 id="ways-title">For the hall</h2>
      {screen && (
        <>
          <CopyBox label="Link of the projector" url={screen} />
          <p class="quiet">The projector needs no log-in, and shows only what everybody may see.</p>
        </>
      )}
      <p><A href={`${base}/desk`}>The arbiter’s desk</A> · <A href={`${base}/print`}>The page to print</A></p>
    </section>
  );
}

const onlyHere = (url: string): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);

/** As the server says it; a server without a public address calls itself localhost, and others need the name that led here. */
function useJoinLink(model: EventModel, page: EventPage): string {
  const key = page.you.link;
  const own = `${location.origin}/e/${encodeURIComponent(model.event)}${key ? `?key=${encodeURIComponent(key)}` : ""}`;
  const [url, setUrl] = useState(own);
  useEffect(() => {
    joinLink(model.event).then((told) => {
      const u = new URL(told);
      setUrl(u.hostname === "localhost" ? location.origin + u.pathname + u.search : told);
    }, () => undefined);
  }, [model]);
  return url;
}

function CopyBox({ label, url }: { label: string; url: string }) {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard?.writeText(url).then(() => setCopied(true), () => setCopied(false));
  };
  return (
    <div class="linkbox">
      <input readOnly value={url} aria-label={label} onFocus={(e) => e.currentTarget.select()} />
      <button type="button" class="button" onClick={copy}>{copied ? "Copied" : "Copy"}</button>
    </div>
  );
}

export function PasswordForm({ model }: { model: EventModel }) {
  const [password, setPassword] = useState("");
  const [done, setDone] = useState(false);
  const submit = async (e: Event) => {
    e.preventDefault();
    setDone(await model.act({ do: "password", password }));
    setPassword("");
  };
  return (
    <form class="card" onSubmit={submit}>
      <h2>Password</h2>
      <label class="field">Another password for those who enter from now on
        <input required maxLength={128} autocomplete="off" spellcheck={false} value={password} onInput={(e) => setPassword(e.currentTarget.value)} />
      </label>
      <button type="submit" class="button primary" disabled={model.busy || !password}>Change it</button>
      {done && <p class="quiet" role="status">It is changed.</p>}
    </form>
  );
}
