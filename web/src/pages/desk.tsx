import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Moderation } from "../desk/chat";
import { GameFile } from "../desk/gamefile";
import { Games } from "../desk/games";
import { Dropped, Duty, Hall, type Tool } from "../desk/hall";
import { Acts, EndedGames, Reports, useEnded } from "../desk/lists";
import { LiveText } from "../desk/live";
import { DeskModel } from "../desk/model";
import { Queue } from "../desk/queue";
import { countdown, phaseName } from "../event/words";
import { useModel, useTitle } from "../hooks";
import type { Link } from "../link";
import { A } from "../router";
import { setSound, soundOn } from "../sound";
import { linkWords } from "../words";
import { Header, Lost } from "./lost";
import { WhoAmI } from "./whoami";

/** /e/NAME/desk: the arbiter's desk. */
export function DeskPage({ link, event }: { link: Link; event: string }) {
  const model = useMemo(() => new DeskModel(link, event), [link, event]);
  useModel(model);
  useEffect(() => model.open(), [model]);
  const { desk, problem } = model;
  useTitle(desk ? `${desk.queue.length > 0 ? `(${desk.queue.length}) ` : ""}Desk · ${desk.page.name}` : "Desk · Flagfall");
  if (!desk && problem && problem.status >= 400 && problem.status < 500 && problem.status !== 429) {
    return <Lost title="Not your desk" text={`${problem.message} The desk is for organisers and arbiters of the event; log in as one of them.`} />;
  }
  if (!desk) {
    return (
      <>
        <Header />
        <main id="main" tabIndex={-1} class="desk"><p class="spin" role="status">{problem?.message ?? "Going to the desk…"}</p></main>
      </>
    );
  }
  return <Open model={model} />;
}

const TABS = ["hall", "ended", "reports", "acts", "chat"] as const;
type Tab = (typeof TABS)[number];

function Open({ model }: { model: DeskModel }) {
  const { page, reports } = model.desk!;
  const [game, setGame] = useState<string | undefined>();
  const [tab, setTab] = useState<Tab>("hall");
  const [tool, setTool] = useState<Tool | undefined>();
  const side = useRef<HTMLDivElement>(null);
  const over = game !== undefined && !model.desk!.games.some((g) => g.game === game);
  const ended = useEnded(model, tab === "ended" || over);
  const open = (id: string) => {
    setGame(id);
    requestAnimationFrame(() => reveal(side.current));
  };
  const freeze = () => {
    setTab("hall");
    setTool("freeze");
    requestAnimationFrame(() => reveal(document.getElementById("deck")));
  };
  const waiting = reports.filter((r) => r.settled === undefined).length;
  const words: Record<Tab, string> = { hall: "Hall", ended: "Finished games", reports: waiting ? `Reports (${waiting})` : "Reports", acts: "Acts", chat: "Chat" };
  return (
    <>
      <Header>
        <nav aria-label="Event"><A href={`/e/${encodeURIComponent(page.event)}`}>The event</A><a href="/rules" target="_blank" rel="noopener">Rules</a></nav>
        <WhoAmI link={model.link} />
      </Header>
      <main id="main" tabIndex={-1} class="desk">
        <div class="deskhead">
          <h1>{page.name}</h1>
          <p class="state"><b>{phaseName(page.phase)}</b><Bell model={model} />{page.held && <span class="tag">pairing is held</span>}</p>
          <Duty model={model} />
          <SoundSwitch />
        </div>
        <Trouble model={model} />
        <Dropped model={model} freeze={freeze} />
        {!model.mayRule && <p class="banner">You see the desk as an organiser; rulings are the arbiters'.</p>}
        <div class="columns">
          <div class="first">
            <Queue model={model} open={open} />
            <Games model={model} chosen={game} open={open} />
          </div>
          <div class="second" ref={side}>
            {game && <GameFile key={game} model={model} game={game} played={ended?.find((g) => g.id === game)} close={() => setGame(undefined)} />}
            <div class="decks">
              <div class="decktabs" role="tablist" aria-label="Desk">
                {TABS.map((t) => <button key={t} type="button" role="tab" id={`tab-${t}`} aria-selected={t === tab} aria-controls="deck" onClick={() => setTab(t)}>{words[t]}</button>)}
              </div>
              <div class="deck" id="deck" role="tabpanel" aria-labelledby={`tab-${tab}`}>
                {tab === "hall" && <Hall model={model} tool={tool} setTool={setTool} />}
                {tab === "ended" && <EndedGames games={ended} open={open} />}
                {tab === "reports" && <Reports model={model} open={open} />}
                {tab === "acts" && <Acts model={model} open={open} />}
                {tab === "chat" && <Moderation model={model} />}
              </div>
            </div>
            {tab !== "acts" && <Latest><Acts model={model} open={open} /></Latest>}
          </div>
        </div>
      </main>
    </>
  );
}

/** Brings the beginning of a part into sight where it is not. */
function reveal(part: HTMLElement | null): void {
  const top = part?.getBoundingClientRect().top ?? 0;
  if (top < 0 || top > innerHeight / 2) part?.scrollIntoView({ block: "start" });
}

/** The acts of all arbiters stay in sight. */
const Latest = ({ children }: { children: ComponentChildren }) => (
  <section class="latest" aria-labelledby="latest-title"><h2 id="latest-title">What arbiters did</h2>{children}</section>
);

function Bell({ model }: { model: DeskModel }) {
  const { bell, phase, round, rounds, entries, playing, waiting } = model.desk!.page;
  return (
    <>
      {phase === "running" && bell !== undefined && <span>bell in <LiveText text={() => countdown(bell - model.civil())} /></span>}
      {round !== undefined && <span>round {round}{rounds ? ` of ${rounds}` : ""}</span>}
      <span>{entries} entered, {playing} playing, {waiting} waiting</span>
    </>
  );
}

function Trouble({ model }: { model: DeskModel }) {
  const words = linkWords(model.link.status, false);
  if (model.link.status === "replaced") return <p class="banner bad" role="alert">Another page has taken over. <button type="button" class="again" onClick={() => model.link.start()}>Take it back</button></p>;
  if (words) return <p class="banner bad" role="status">{words} What you see may be old.</p>;
  return model.problem ? <p class="banner bad" role="alert">{model.problem.message}</p> : null;
}

function SoundSwitch() {
  const [on, setOn] = useState(soundOn());
  const flip = () => {
    setSound(!on);
    setOn(!on);
  };
  return <button type="button" class="plain" aria-pressed={on} onClick={flip}>{on ? "Sound is on" : "Sound is off"}</button>;
}
