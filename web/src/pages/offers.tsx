import { useEffect } from "preact/hooks";
import { useSwapGuard } from "../hooks";
import type { LobbyModel } from "../lobby";
import { Name, Who } from "../people/name";
import { rangeWords, termsWords } from "../terms";
import type { Challenge, OpenSeek, Person } from "../wire";
import { wishName } from "./home";

const REFRESH = 3000; // ms between two looks at the list

const WhoRated = ({ person, rating }: { person: Person; rating?: number | undefined }) => <><Who person={person} />{rating ? `, ${rating}` : ""}</>;

/** Who wants to play this person. */
export function Challenges({ lobby }: { lobby: LobbyModel }) {
  return <>{lobby.challenges.map((c) => <OneChallenge key={c.invite} lobby={lobby} c={c} />)}</>;
}

function OneChallenge({ lobby, c }: { lobby: LobbyModel; c: Challenge }) {
  return (
    <section class="banner challenge" role="alert" aria-label={`Challenge of ${c.by.name}`}>
      <p>
        <strong><WhoRated person={c.by} rating={c.rating} /></strong> challenges you: {termsWords(c)}; you play {wishName(c.color)}; {c.rated ? "rated" : "not rated"}.
      </p>
      <div class="buttons">
        <button type="button" class="button primary" disabled={lobby.asking} onClick={() => lobby.ask({ t: "accept", invite: c.invite })}>Accept</button>
        <button type="button" class="button" onClick={() => lobby.decline(c)}>Decline</button>
        <button type="button" class="button" onClick={() => lobby.block(c.by.id)}>Block {c.by.name}</button>
      </div>
    </section>
  );
}

/** Whom this person blocks, if anybody. */
export function Blocked({ lobby }: { lobby: LobbyModel }) {
  const open = lobby.link.status === "open";
  useEffect(() => {
    if (open) lobby.readBlocks();
  }, [lobby, open]);
  if (!lobby.blocks?.length) return null;
  return (
    <details class="blocked">
      <summary>You block {lobby.blocks.length === 1 ? "one person" : `${lobby.blocks.length} people`}</summary>
      <ul>
        {lobby.blocks.map((p) => (
          <li key={p.id}><Name name={p.name} /> <button type="button" class="button" onClick={() => lobby.unblock(p.id)}>Unblock</button></li>
        ))}
      </ul>
    </details>
  );
}

/** Seeks of others that may be taken. */
export function OpenSeeks({ lobby }: { lobby: LobbyModel }) {
  const open = lobby.link.status === "open";
  useEffect(() => {
    if (!open) return;
    const look = () => {
      if (document.visibilityState === "visible") lobby.refresh();
    };
    look();
    const timer = setInterval(look, REFRESH);
    return () => clearInterval(timer);
  }, [lobby, open]);
  const seeks = lobby.seeks ?? [];
  // A list that moves under the finger must not seat anybody at another table.
  const guard = useSwapGuard(seeks.map((s) => s.seek).join());
  return (
    <section class="live offers" aria-labelledby="offers-title">
      <h2 id="offers-title">Who looks for a game</h2>
      {!lobby.seeks ? <p class="quiet">Loading…</p> : seeks.length === 0 ? <p class="quiet">Nobody at the moment, but for the pools above.</p> : (
        <ul>{seeks.map((s) => <Offer key={s.seek} s={s} busy={lobby.asking} take={guard(() => lobby.ask({ t: "take", seek: s.seek }))} />)}</ul>
      )}
    </section>
  );
}

function Offer({ s, busy, take }: { s: OpenSeek; busy: boolean; take: () => void }) {
  const range = rangeWords(s);
  return (
    <li class="card offer">
      <span class="what">
        <b><WhoRated person={s.by} rating={s.rating} /></b>
        <span class="quiet">{termsWords(s)}; {s.rated ? "rated" : "not rated"}{range ? `; for ratings of ${range}` : ""}</span>
      </span>
      <button type="button" class="button primary" disabled={busy || !s.fits} onClick={take}>{s.fits ? "Play" : "Not for you"}</button>
    </li>
  );
}
