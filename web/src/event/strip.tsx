import { useEffect, useRef, useState } from "preact/hooks";
import { useSwapGuard } from "../hooks";
import { A } from "../router";
import { Speaker } from "../table/entry";
import type { Link } from "../link";
import { act } from "./api";
import { hallOf } from "./hall";
import { useEvent, useNow } from "./hooks";
import type { EventModel } from "./model";
import { noticeWords, useNews } from "./notices";
import type { EventPage, Notice } from "./types";
import { countdown, isOn, standWords } from "./words";
import { Called, shortStand, Waits } from "./you";
import { useReadyKey } from "./ready";
import { problemWords } from "../api";

const pageOf = (model: EventModel): string => `/e/${encodeURIComponent(model.event)}${model.key && `?key=${encodeURIComponent(model.key)}`}`;

interface AtTable { link: Link; event: string }

/** One line at the table of an event's game: the event, one's place, the bell, and what was announced since one sat down. */
export function Strip({ link, event, playing }: AtTable & { playing: boolean }) {
  const model = useEvent(hallOf(link), event);
  return model ? <Line model={model} playing={playing} /> : <div class="strip" />;
}

function Line({ model, playing }: { model: EventModel; playing: boolean }) {
  const page = model.page;
  const now = useNow(model);
  const [open, setOpen] = useState(false);
  useNews(page?.notices[0]);
  const fresh = model.news;
  const close = () => {
    setOpen(false);
    model.seen();
  };
  const name = page?.name ?? "";
  return (
    <div class={`strip${fresh ? " news" : ""}`}>
      {page && (
        <>
          {fresh ? <button type="button" class="news-line" onClick={() => setOpen(true)}><b>Read:</b> {noticeWords(fresh)}</button>
            : playing ? <a href={pageOf(model)} target="_blank" rel="noopener">{name}</a> : <A href={pageOf(model)}>{name}</A>}
          {model.mine && <span>{shortStand(model.mine)}</span>}
          {!playing && model.rests ? <ReadySoon model={model} now={now} /> : <span class="when">{whenWords(page, now)}</span>}
        </>
      )}
      <Speaker lines={[fresh ? noticeWords(fresh) : ""]} />
      {open && fresh && <NoticeBox notice={fresh} close={close} />}
    </div>
  );
}

/** The rest between two games, and its end. */
function ReadySoon({ model, now }: { model: EventModel; now: number }) {
  const guard = useSwapGuard("rest");
  return (
    <span class="when soon">
      Next game from {Math.ceil(((model.mine?.since ?? now) - now) / 1000)} s
      <button type="button" class="button primary" aria-keyshortcuts="r" title="Key: r" disabled={model.busy} onClick={guard(() => void model.act({ do: "ready" }))}>Ready</button>
    </span>
  );
}

function whenWords(page: EventPage, now: number): string {
  if (page.phase === "last_games") return page.format === "arena" ? "last games" : "last round";
  if (page.phase !== "running") return "over";
  if (page.format === "arena") return page.bell ? `bell in ${countdown(page.bell - now)}` : "";
  return page.round ? `round ${page.round}${page.rounds && page.round <= page.rounds ? ` of ${page.rounds}` : ""}` : "";
}

function NoticeBox({ notice, close }: { notice: Notice; close: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div class="overlay" role="alertdialog" aria-label="Announcement" onKeyDown={(e) => e.key === "Escape" && close()}>
      <div class="card">
        <h2>Announcement</h2>
        <p class="announced">{noticeWords(notice)}</p>
        <button ref={button} type="button" class="button primary wide" onClick={close}>Close</button>
      </div>
    </div>
  );
}

/** After a game of an event: how one stands, when the next one comes, and the ways from here. */
export function Between({ link, event, game, mine: played }: AtTable & { game: string; mine: boolean }) {
  const model = useEvent(hallOf(link), event);
  const page = model?.page;
  useReadyKey(model);
  if (!model || !page) return null;
  const mine = model.mine;
  const on = isOn(page.phase);
  return (
    <section class="card between" aria-label={page.name}>
      {mine && mine.games > 0 && <p class="stand"><b>{standWords(mine)}</b></p>}
      {mine && on && mine.status === "in" && (mine.game ? mine.game !== game && <Called mine={mine} /> : page.phase === "running" && (!model.rests || model.news) && <Waits model={model} mine={mine} />)}
      {mine?.status === "paused" && on && (
        <>
          <p>{mine.why === "no_show" ? "You did not come to your game, so you are set aside." : "You have paused: you are not paired."}</p>
          <button type="button" class="button primary wide" disabled={model.busy} onClick={() => void model.act({ do: "return" })}>I am back</button>
        </>
      )}
      {model.trouble && <p class="banner bad" role="alert">{model.trouble}</p>}
      <div class="buttons">
        <A href={pageOf(model)} class="button">Back to the event</A>
        {mine?.status === "in" && !mine.game && page.phase === "running" && <button type="button" class="button" disabled={model.busy} onClick={() => void model.act({ do: "pause" })}>Pause</button>}
      </div>
      {played && <Report model={model} game={game} />}
    </section>
  );
}

/** A grievance about a game (WBCA 22), in the player's own words. */
function Report({ model, game }: { model: EventModel; game: string }) {
  const [text, setText] = useState("");
  const [said, setSaid] = useState("");
  const [trouble, setTrouble] = useState("");
  const send = (e: Event) => {
    e.preventDefault();
    setTrouble("");
    act(model.event, { do: "report", game, text: text.trim() }, model.key).then(
      () => {
        setText("");
        setSaid("The arbiters have it, with all that happened in the game.");
      },
      (error) => setTrouble(problemWords(error)),
    );
  };
  return (
    <details class="report">
      <summary>Report this game to the arbiters</summary>
      <form onSubmit={send}>
        <label class="field">What happened<textarea rows={3} required maxLength={1000} value={text} onInput={(e) => setText(e.currentTarget.value)} /></label>
        <button type="submit" class="button" disabled={!text.trim()}>Send</button>
      </form>
      {said && <p class="quiet" role="status">{said}</p>}
      {trouble && <p class="banner bad" role="alert">{trouble}</p>}
    </details>
  );
}
