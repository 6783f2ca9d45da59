import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api";
import { gameLog } from "../event/api";
import type { GameLog, PlayedGame } from "../event/types";
import { asProblem } from "../people/answer";
import { MiniBoard } from "../table/miniboard";
import { type Color, colorName, type LogEvent } from "../wire";
import { Correction } from "./correct";
import { LiveClock } from "./live";
import type { DeskModel } from "./model";
import { Rulings } from "./rulings";
import { daytime, gameTime, versus } from "./words";

const EACH = 1000; // a running game is read again
const PATIENCE = 4; // tries of a game that is not in the archive yet

interface Read { game: string; file?: GameLog; at: number; problem?: Problem }

/** All that happened in a game, read again while it runs. */
function useFile(event: string, game: string): Read {
  const [read, setRead] = useState<Read>({ game, at: 0 });
  useEffect(() => {
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failed = 0;
    const again = () => {
      if (!gone) timer = setTimeout(ask, EACH);
    };
    const ask = () =>
      gameLog(event, game).then(
        (file) => {
          failed = 0;
          if (!gone) setRead({ game, file, at: performance.now() });
          if (file.running) again();
        },
        (e) => {
          const problem = asProblem(e);
          if (!gone) setRead((r) => ({ ...(r.game === game ? r : { game, at: 0 }), problem }));
          const passing = problem.status === 0 || problem.status >= 500 || problem.status === 404;
          if (passing && (problem.status !== 404 || ++failed < PATIENCE)) again();
        },
      );
    void ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [event, game]);
  return read.game === game ? read : { game, at: 0 };
}

interface Props { model: DeskModel; game: string; played: PlayedGame | undefined; close: () => void }

/** One game in full: its board, its clocks, all that happened with the server's times, and what the arbiter can do. */
export function GameFile({ model, game, played, close }: Props) {
  const { file, at, problem } = useFile(model.event, game);
  const live = model.desk!.games.find((g) => g.game === game);
  if (!file) {
    return (
      <section class="gamefile">
        <p class={problem ? "banner bad" : "spin"} role={problem ? "alert" : "status"}>{problem?.message ?? "Reading the game…"}</p>
        <button type="button" class="button" onClick={close}>Close</button>
      </section>
    );
  }
  const dispute = live?.dispute ?? disputeOf(file.log);
  const { state } = file;
  const own = model.own(file);
  return (
    <section class="gamefile" aria-label={versus(file)}>
      <header>
        <h2>{versus(file)}</h2>
        <button type="button" class="button" onClick={close}>Close</button>
      </header>
      {problem && <p class="banner bad" role="alert">{problem.message}</p>}
      <div class="pair">
        <MiniBoard board={state.board} />
        <div>
          {(["b", "w"] as const).map((c) => <SideLine key={c} file={file} side={c} at={at} />)}
          <p class="quiet">
            {file.running ? phaseText(file, dispute) : <>Over: <b>{state.end?.result}</b> {state.end?.text}</>}
            {" · "}<a href={`/g/${encodeURIComponent(game)}`} target="_blank" rel="noopener">the table</a>
          </p>
        </div>
      </div>
      {own && <p class="banner">You play in this game: another arbiter rules on it.</p>}
      {!own && model.mayRule && file.running && <Rulings model={model} file={file} dispute={dispute} />}
      {!own && model.mayRule && !file.running && played && <Correction key={game} model={model} file={file} played={played} />}
      <Log file={file} />
    </section>
  );
}

function SideLine({ file, side, at }: { file: GameLog; side: Color; at: number }) {
  const person = side === "w" ? file.white : file.black;
  const here = file.state.here.includes(side);
  return (
    <p class={`side ${side === "w" ? "white" : "black"}`}>
      <span class="disc" role="img" aria-label={`${colorName(side)}:`} />
      <b>{person.name}</b>{person.rating ? <small>{person.rating}</small> : null}
      {file.running && !here && <span class="tag mild">away</span>}
      <LiveClock clk={file.state.clk} side={side} at={at} />
    </p>
  );
}

const PHASES: Record<GameLog["state"]["phase"], string> = {
  waiting: "Not started", play: "Being played", paused: "Clocks stand", proof: "A claim is being judged", demo: "A win is being shown",
  dispute: "Clocks stand for the arbiter", over: "Over",
};

function phaseText(file: GameLog, dispute: Color | undefined): string {
  const text = PHASES[file.state.phase];
  return dispute && file.state.phase === "play" ? `${text}, a dispute of ${colorName(dispute)} is noted` : text;
}

/** The side that called last, as long as nobody has ruled since. */
function disputeOf(log: LogEvent[]): Color | undefined {
  for (const e of [...log].reverse()) {
    if (e.k === "dispute") return e.by;
    if (e.k === "ruling" && (e.act === "unjust" || e.act === "resume")) return undefined;
  }
  return undefined;
}

const QUIET = new Set(["move", "press", "here", "away"]);

/** What happened, the newest first. */
function Log({ file }: { file: GameLog }) {
  const [all, setAll] = useState(true);
  const lines = file.log.map((e, i) => ({ e, i })).filter(({ e }) => all || !QUIET.has(e.k)).reverse();
  return (
    <div class="gamelog">
      <div class="loghead">
        <h3>What happened</h3>
        <label><input type="checkbox" checked={all} onChange={(e) => setAll(e.currentTarget.checked)} /> moves too</label>
      </div>
      <section class="scroll" aria-label="What happened, the newest first">
        <table>
          <thead><tr><th scope="col">Server time</th><th scope="col">In the game</th><th scope="col">What</th><th scope="col" class="num">Clocks</th></tr></thead>
          <tbody>
            {lines.map(({ e, i }) => (
              <tr key={i} class={QUIET.has(e.k) ? "" : "weighty"}>
                <td>{daytime(file.started + e.at)}</td>
                <td>{gameTime(e.at)}</td>
                <td>{e.text}</td>
                <td class="num">{e.clk && `${gameTime(Math.max(0, e.clk.w))} – ${gameTime(Math.max(0, e.clk.b))}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
