import { useEffect, useState } from "preact/hooks";
import { FrontEvents } from "../event/parts";
import { useModel, useTitle } from "../hooks";
import type { Link } from "../link";
import type { LobbyModel } from "../lobby";
import { SiteNav } from "../people/sitenav";
import { A } from "../router";
import { practised } from "./practice";
import { RuleLink } from "../table/ruled";
import { BOOKS, bookAddress, bookName, lookingWords, ratedWords, TIMINGS, termsWords } from "../terms";
import { holdWords, linkWords } from "../words";
import type { ColorWish, Mode, Timing } from "../wire";
import { LiveGames } from "./live";
import { FlagMark, Footer, Header } from "./lost";
import { WhoAmI } from "./whoami";
import { Blocked, Challenges, OpenSeeks } from "./offers";

const MINUTES = [3, 5, 7];

export function HomePage({ link, lobby }: { link: Link; lobby: LobbyModel }) {
  useTitle("Flagfall: blitz chess with a clock you press");
  useModel(lobby);
  useEffect(() => link.start(), [link]);
  const [mode, setMode] = useState<Mode>("board");
  return (
    <>
      <Header front>
        <SiteNav />
        <WhoAmI link={link} />
      </Header>
      <main id="main" tabIndex={-1} class="home">
        <section class="hero">
          <h1><FlagMark /> Flagfall</h1>
          <p>
            Blitz chess as it is played over the board: <strong>nobody tells you that a move was illegal.</strong> Notice it,
            claim it, win. The rules are those of the <a href="/rules/wbca">World Blitz Chess Association</a>.
          </p>
        </section>
        {!practised() && (
          <p class="banner">
            First time here? <A href="/practice">Practise for one minute</A>: place a man, press the clock, claim.
          </p>
        )}
        {link.seat && <p class="banner strong">You sit at a table. <A href={`/g/${link.seat}`}>Back to your game</A></p>}
        {link.status === "lost" && <p class="banner bad" role="status">{linkWords("lost", false)}</p>}
        {link.status === "open" && link.heldSince !== undefined && <p class="banner bad" role="status">{holdWords(false)}</p>}
        <Challenges lobby={lobby} />
        <div class="columns">
          <section class="card play" aria-labelledby="play-title">
            <h2 id="play-title">Play now</h2>
            {lobby.seeking || lobby.invited || lobby.asking
              ? <Waiting lobby={lobby} />
              : <Choose lobby={lobby} mode={mode} setMode={setMode} />}
            {lobby.message && <p class="banner bad" role="alert">{lobby.message}</p>}
          </section>
          <Friend lobby={lobby} />
        </div>
        <FrontEvents />
        <OpenSeeks lobby={lobby} />
        <Blocked lobby={lobby} />
        <section class="live" aria-labelledby="live-title">
          <h2 id="live-title">Being played now</h2>
          <LiveGames />
        </section>
      </main>
      <Footer />
    </>
  );
}

function ModeSwitch({ mode, setMode }: { mode: Mode; setMode: (m: Mode) => void }) {
  const option = (value: Mode, title: string, text: string) => (
    <label class={mode === value ? "on" : ""}>
      <input type="radio" name="mode" value={value} checked={mode === value} onChange={() => setMode(value)} />
      <span><b>{title}</b><small>{text}</small></span>
    </label>
  );
  return (
    <fieldset class="modes">
      <legend>Mode of play</legend>
      {option("board", "Over the board", "place the man, then press the clock")}
      {option("fast", "Fast", "dropping a man presses the clock")}
    </fieldset>
  );
}

function Choose({ lobby, mode, setMode }: { lobby: LobbyModel; mode: Mode; setMode: (m: Mode) => void }) {
  return (
    <>
      <ModeSwitch mode={mode} setMode={setMode} />
      <div class="minutes">
        {MINUTES.map((m) => (
          <button type="button" key={m} onClick={() => lobby.ask({ t: "seek", base: m * 60_000, mode })}>
            <b>{m}</b> minutes
          </button>
        ))}
      </div>
      <p class="quiet rated">
        By the <a href="/rules/wbca">WBCA rules</a>, sudden death: WBCA-rated. A claimed illegal move or a claimed flag wins; other rules
        and clocks are beside, for a friend or for anybody. Opponents are found by rating. Guests play as 1500; games with a
        guest do not change ratings.
      </p>
    </>
  );
}

function Waiting({ lobby }: { lobby: LobbyModel }) {
  const { seeking, invited } = lobby;
  return (
    <div class="waiting" role="status">
      {invited ? <InviteLink lobby={lobby} /> : (
        <>
          <p class="spin">
            {seeking ? `Looking for an opponent: ${termsWords(seeking)}.` : "Asking the server…"}
          </p>
          {seeking && <Looking seeking={seeking} />}
          <p class="quiet">The page may stay in the background; a sound tells you when the game begins.</p>
        </>
      )}
      <button type="button" class="button" onClick={() => lobby.cancel()}>Cancel</button>
    </div>
  );
}

function Looking({ seeking }: { seeking: NonNullable<LobbyModel["seeking"]> }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <p class="quiet reach">{lookingWords(seeking, Math.max(0, now - seeking.since))}</p>;
}

function InviteLink({ lobby }: { lobby: LobbyModel }) {
  const [copied, setCopied] = useState(false);
  const invited = lobby.invited!;
  if (invited.to) {
    return (
      <p>
        {invited.to} is challenged: {termsWords(invited)}; you play {wishName(invited.color)}. The answer may take ten minutes; keep this page open.
      </p>
    );
  }
  const url = reachable(invited.url);
  const copy = () => {
    navigator.clipboard?.writeText(url).then(() => setCopied(true), () => setCopied(false));
  };
  return (
    <>
      <p>Send this link to your friend. The game begins when he or she opens it and accepts.</p>
      <div class="linkbox">
        <input readOnly value={url} aria-label="Link of the invitation" onFocus={(e) => e.currentTarget.select()} />
        <button type="button" class="button primary" onClick={copy}>{copied ? "Copied" : "Copy"}</button>
      </div>
      <p class="quiet">
        {termsWords(invited)}, {invited.wbca ? "" : "not "}WBCA-rated; you play {wishName(invited.color)}.
      </p>
    </>
  );
}

/** A server without a public address calls itself localhost; a friend on the same network needs the name that led here. */
function reachable(url: string): string {
  const u = new URL(url);
  return u.hostname === "localhost" ? location.origin + u.pathname : url;
}

export const wishName = (c: ColorWish): string => (c === "random" ? "a random colour" : c === "white" ? "White" : "Black");

const COLORS: [ColorWish, string][] = [["random", "Random"], ["white", "White"], ["black", "Black"]];

function Friend({ lobby }: { lobby: LobbyModel }) {
  const [mode, setMode] = useState<Mode>("board");
  const [minutes, setMinutes] = useState("5");
  const [seconds, setSeconds] = useState("0");
  const [color, setColor] = useState<ColorWish>("random");
  const [rules, setRules] = useState("wbca");
  const [timing, setTiming] = useState<Timing>("");
  const [each, setEach] = useState("3");
  const [casual, setCasual] = useState(false);
  const [to, setTo] = useState("");
  const [min, setMin] = useState("");
  const [max, setMax] = useState("");
  const base = (Number(minutes) * 60 + Number(seconds)) * 1000;
  const move = Math.round(Number(each) * 1000);
  const goodBase = Number.isInteger(base) && base >= 1000 && base <= 10_800_000;
  const good = goodBase && (!timing || (move >= 1 && move <= 180_000));
  const busy = Boolean(lobby.seeking || lobby.invited || lobby.asking);
  const terms = { base, mode, rules, ...(timing && { timing, each: move }), ...(casual && { casual }) };
  const name = to.trim();
  const goodName = /^[A-Za-z0-9 ._-]{0,24}$/.test(name);
  const range = { ...(min && { min: Number(min) }), ...(max && { max: Number(max) }) };
  const goodRange = [min, max].every((r) => !r || (Number.isInteger(Number(r)) && Number(r) >= 1 && Number(r) <= 4000)) && !(min && max && Number(min) > Number(max));
  const submit = (e: Event) => {
    e.preventDefault();
    if (good && goodName && !busy) lobby.ask({ t: "invite", ...terms, color, ...(name && { to: name }) });
  };
  const told = !goodBase ? "From 1 second to 3 hours for each side." : !good ? "Up to 3 minutes a move."
    : !goodRange ? "Ratings are from 1 to 4000, the lower one first."
    : !goodName ? "A name has letters, digits, spaces and . _ -"
    : casual ? "Casual: it counts for no rating." : ratedWords(base, terms).why;
  return (
    <section class="card friend" aria-labelledby="friend-title">
      <h2 id="friend-title">Play a friend, by any rules</h2>
      <form onSubmit={submit}>
        <div class="row">
          <label>Minutes<input type="number" min="0" max="180" value={minutes} inputMode="numeric" onInput={(e) => setMinutes(e.currentTarget.value)} /></label>
          <label>Seconds<input type="number" min="0" max="59" value={seconds} inputMode="numeric" onInput={(e) => setSeconds(e.currentTarget.value)} /></label>
          <label>Timing
            <select value={timing} onChange={(e) => setTiming(e.currentTarget.value as Timing)}>
              {TIMINGS.map((t) => <option key={t.id} value={t.id}>{t.name}</option>)}
            </select>
          </label>
          <label>Each move (s)<input type="number" min="0.1" max="180" step="any" value={timing ? each : ""} disabled={!timing} inputMode="decimal" onInput={(e) => setEach(e.currentTarget.value)} /></label>
          <label>Rules
            <select value={rules} onChange={(e) => setRules(e.currentTarget.value)}>
              {BOOKS.map((b) => <option key={b.id} value={b.id}>{b.name}</option>)}
            </select>
          </label>
          <label>Mode
            <select value={mode} onChange={(e) => setMode(e.currentTarget.value as Mode)}>
              <option value="board">Over the board</option>
              <option value="fast">Fast</option>
            </select>
          </label>
          <label>You play
            <select value={color} onChange={(e) => setColor(e.currentTarget.value as ColorWish)}>
              {COLORS.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
            </select>
          </label>
          <label>Counts
            <select value={casual ? "casual" : "rated"} onChange={(e) => setCasual(e.currentTarget.value === "casual")}>
              <option value="rated">Rated</option>
              <option value="casual">Casual</option>
            </select>
          </label>
          <label>Rating from<input type="number" min="1" max="4000" value={min} placeholder="any" inputMode="numeric" onInput={(e) => setMin(e.currentTarget.value)} /></label>
          <label>Rating to<input type="number" min="1" max="4000" value={max} placeholder="any" inputMode="numeric" onInput={(e) => setMax(e.currentTarget.value)} /></label>
          <label>Name of your friend<input value={to} maxLength={24} placeholder="or none, for a link" autocomplete="off" spellcheck={false} onInput={(e) => setTo(e.currentTarget.value)} /></label>
          <p class="quiet book"><RuleLink text={`${bookName(rules)} rules`} href={bookAddress(rules)} />: {BOOKS.find((b) => b.id === rules)?.what}</p>
        </div>
        <p class="quiet rated" role="status">{told}</p>
        <div class="buttons">
          <button type="submit" class="button primary" disabled={!good || !goodName || busy}>{name ? "Challenge" : "Make a link"}</button>
          <button type="button" class="button" disabled={!good || !goodRange || busy} onClick={() => lobby.ask({ t: "seek", ...terms, ...range })}>Find anybody</button>
        </div>
      </form>
    </section>
  );
}
