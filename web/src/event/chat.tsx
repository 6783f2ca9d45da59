import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem } from "../people/answer";
import { act, chat, say } from "./api";
import type { EventModel } from "./model";
import { heard, lastOf } from "./talk";
import type { ChatLine, EventPage } from "./types";
import { momentOf } from "./words";

const EACH = 5; // ms of waiting for each who is here
const LONGEST = 300;

/** The chat of the event. Who plays a running game neither reads nor writes it (rulings D35). */
export function ChatSection({ model, page }: { model: EventModel; page: EventPage }) {
  const [lines, setLines] = useState<ChatLine[]>([]);
  const [muted, setMuted] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [turn, setTurn] = useState(0);
  const latest = useRef<ChatLine[]>([]);
  const playing = Boolean(model.mine?.game);
  const { chat: number, here } = page;
  // Everybody is told of a line at the same time: not all of them ask for it in the same moment.
  useEffect(() => {
    if (playing) return undefined;
    let gone = false;
    const timer = setTimeout(() => {
      chat(model.event, lastOf(latest.current), model.key).then(
        (answer) => {
          if (gone) return;
          latest.current = heard(latest.current, answer);
          setLines(latest.current);
          setMuted(answer.muted);
        },
        () => undefined, // the next line asks again
      );
    }, turn ? 0 : Math.random() * Math.min(1000, EACH * here));
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [model, number, playing, turn]);
  const done = () => {
    setTrouble("");
    setTurn((n) => n + 1);
  };
  const failed = (e: unknown) => setTrouble(asProblem(e).message);
  return (
    <section class="card chat" aria-labelledby="chat-title">
      <h2 id="chat-title">Chat</h2>
      {playing ? <p class="quiet">Closed to you while you play.</p> : (
        <>
          <Lines lines={lines} model={model} failed={failed} again={done} />
          {muted ? <p class="quiet">You may read, but not write here.</p> : <Say model={model} failed={failed} done={done} />}
          {trouble && <p class="banner bad" role="alert">{trouble}</p>}
        </>
      )}
    </section>
  );
}

function Lines({ lines, model, failed, again }: { lines: ChatLine[]; model: EventModel; failed: (e: unknown) => void; again: () => void }) {
  const box = useRef<HTMLOListElement>(null);
  const count = lines.at(-1)?.n;
  useEffect(() => {
    const el = box.current;
    if (el) el.scrollTop = el.scrollHeight;
  }, [count]);
  if (lines.length === 0) return <p class="quiet">Nobody has said anything.</p>;
  const now = model.now();
  const moderate = (l: ChatLine, what: "unsay" | "hush") =>
    act(model.event, what === "unsay" ? { do: "unsay", n: l.n } : { do: "hush", who: l.who.id, on: true }, model.key).then(again, failed);
  return (
    <ol ref={box} aria-label="What was said">
      {lines.map((l) => (
        <li key={l.n}>
          <time dateTime={new Date(l.at).toISOString()}>{momentOf(l.at, now)}</time> <b>{l.who.name}</b> {l.text}
          {model.staff && (
            <span class="acts">
              <button type="button" class="plain" onClick={() => void moderate(l, "unsay")}>Take away<span class="sr"> this line of {l.who.name}</span></button>
              <button type="button" class="plain" onClick={() => void moderate(l, "hush")}>Silence {l.who.name}</button>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function Say({ model, failed, done }: { model: EventModel; failed: (e: unknown) => void; done: () => void }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async (e: Event) => {
    e.preventDefault();
    if (!text.trim() || busy) return;
    setBusy(true);
    try {
      await say(model.event, text.trim(), model.key);
      setText("");
      done();
    } catch (error) {
      failed(error);
    }
    setBusy(false);
  };
  return (
    <form onSubmit={send}>
      <label><span class="sr">Say something</span><input value={text} maxLength={LONGEST} placeholder="Say something" autocomplete="off" onInput={(e) => setText(e.currentTarget.value)} /></label>
      <button type="submit" class="button" disabled={busy || !text.trim()}>Send</button>
    </form>
  );
}
