import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Finished, gameView, isFinished, pgnAddress, recordAddress } from "../api";
import { formatClock, isFlagged } from "../clock";
import { Between, Strip } from "../event/parts";
import { isTyping, useModel, useSwapGuard, useTitle } from "../hooks";
import type { LobbyModel } from "../lobby";
import { parsePlacement } from "../placement";
import { RatingChanges } from "../people/changes";
import { A } from "../router";
import { BoardBox } from "../table/boardbox";
import { ClockFace } from "../table/clockface";
import { Speaker } from "../table/entry";
import type { TableModel } from "../table/model";
import { Ruled } from "../table/ruled";
import { Moves } from "../table/moves";
import { type ScoreLine, score } from "../table/score";
import { type Color, type End, type GameState, other, type Person } from "../wire";
import { resultFor } from "../words";
import { Header } from "./lost";
import { Terms } from "./terms";

const NOTHING = { drop: () => undefined, premove: () => undefined, cancelPremove: () => undefined };

interface Props { table: TableModel; lobby: LobbyModel; state: GameState; archived: Finished | undefined }

/** The finished game: verdict, moves with times, replay, rematch, PGN. */
export function Replay({ table, lobby, state: s, archived }: Props) {
  const log = useLog(table.game, archived);
  const lines = useMemo(() => score(s, log?.log), [s, log]);
  const [at, setAt] = useState<number | undefined>(undefined); // undefined: the end; -1: the start
  const index = at ?? lines.length - 1;
  const go = (i: number) => setAt(Math.max(-1, Math.min(lines.length - 1, i)));
  const now = useRef({ index, count: lines.length });
  now.current = { index, count: lines.length };
  useArrows(now, go);
  const me = table.me ?? seatOf(s, table.link.you?.id);
  const bottom = me ?? "w";
  const end = s.end!;
  useTitle(`${resultFor(end, me)} · ${s.white.name} v ${s.black.name}`);
  return (
    <div class={`tablepage over${s.event ? " of-event" : ""}`}>
      <Header><Terms s={s} /></Header>
      {s.event && <Strip link={table.link} event={s.event} playing={false} />}
      <main id="main" tabIndex={-1} class="table">
        <h1 class="sr">{s.white.name} against {s.black.name}, {end.result}</h1>
        <div class="area-top"><Side s={s} side={other(bottom)} me={me} lines={lines} index={index} /></div>
        <div class="area-board">
          <BoardBox
            view={{
              placement: lines[index]?.after ?? parsePlacement(s.start), bottom, last: lines[index]?.m, hand: undefined,
              premoves: false, premove: undefined, queued: undefined,
            }}
            actions={NOTHING}
          />
        </div>
        <div class="area-bottom"><Side s={s} side={bottom} me={me} lines={lines} index={index} /></div>
        <div class="area-status"><Steps index={index} count={lines.length} go={go} /></div>
        <div class="area-controls">
          <Verdict lobby={lobby} s={s} end={end} me={me} table={table} log={log} />
          {s.event ? <Between link={table.link} event={s.event} game={s.game} mine={me !== undefined} /> : <Next lobby={lobby} />}
        </div>
        <div class="area-moves"><Moves lines={lines} at={index} go={go} /></div>
        <div class="area-entry"><Speaker lines={[`${resultFor(end, me)}. ${verdictText(end)}`]} /></div>
      </main>
    </div>
  );
}

/** Who waited in vain for the first move is looked for another opponent at once. */
function Next({ lobby }: { lobby: LobbyModel }) {
  useModel(lobby);
  if (!lobby.seeking) return null;
  return (
    <p class="banner next" role="status">
      <span class="spin">Looking for your next opponent</span>
      <button type="button" class="button" onClick={() => lobby.cancel()}>Cancel</button>
    </p>
  );
}

/** An archived game says to nobody which seat was his. */
function seatOf(s: GameState, id: string | undefined): Color | undefined {
  if (id === undefined) return undefined;
  return id === s.white.id ? "w" : id === s.black.id ? "b" : undefined;
}

/** The log tells which moves were illegal and gives SAN; the archive may need a moment after the end. */
function useLog(game: string, archived: Finished | undefined): Finished | undefined {
  const [log, setLog] = useState(archived);
  useEffect(() => {
    if (log) return undefined;
    let tries = 0;
    let timer: number | undefined;
    const ask = () => {
      const later = () => {
        if (++tries < 6) timer = setTimeout(ask, 500 * tries) as unknown as number;
      };
      gameView(game).then((g) => (isFinished(g) ? setLog(g) : later()), later);
    };
    ask();
    return () => clearTimeout(timer);
  }, [game, log]);
  return log;
}

/** Arrow keys, however fast they come: each goes on from the position that the one before it led to. */
function useArrows(now: { current: { index: number; count: number } }, go: (i: number) => void): void {
  const act = useRef(go);
  act.current = go;
  useEffect(() => {
    const down = (e: KeyboardEvent) => {
      if (isTyping(e) || e.ctrlKey || e.metaKey || e.altKey) return;
      const { index, count } = now.current;
      const wanted = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: -1, ArrowUp: -1, End: count - 1, ArrowDown: count - 1 }[e.key];
      if (wanted === undefined) return;
      e.preventDefault();
      const to = Math.max(-1, Math.min(count - 1, wanted));
      now.current.index = to;
      act.current(to);
    };
    document.addEventListener("keydown", down);
    return () => document.removeEventListener("keydown", down);
  }, [now]);
}

function Steps({ index, count, go }: { index: number; count: number; go: (i: number) => void }) {
  const step = (label: string, sign: string, to: number, off: boolean) => (
    <button type="button" aria-label={label} title={label} disabled={off} onClick={() => go(to)}>
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d={sign} /></svg>
    </button>
  );
  return (
    <div class="steps" role="group" aria-label="Replay">
      {step("First position", "M6 5v14M19 5 9 12l10 7z", -1, index < 0)}
      {step("Back", "M17 5 7 12l10 7z", index - 1, index < 0)}
      {step("Forward", "m7 5 10 7-10 7z", index + 1, index >= count - 1)}
      {step("Last position", "m5 5 10 7-10 7zM18 5v14", count - 1, index >= count - 1)}
    </div>
  );
}

export function verdictText(end: End): string {
  if (!end.rule || end.text.includes(end.rule)) return end.text;
  return `${end.text.replace(/\.$/, "")} — ${end.rule}`;
}

interface VerdictProps { lobby: LobbyModel; s: GameState; end: End; me: Color | undefined; table: TableModel; log: Finished | undefined }

function Verdict({ lobby, s, end, me, table, log }: VerdictProps) {
  const shown = log?.log.filter((e) => e.k === "demomove").map((e) => e.m);
  return (
    <section class="verdict" aria-label="Result">
      <h2><span class="result">{end.result}</span> {resultFor(end, me)}</h2>
      <p class="rule"><Ruled text={end.text} rule={end.rule} rules={s.rules} /></p>
      {shown && shown.length > 0 && <p class="finals">On the side board: {shown.join(" ")}</p>}
      <p class="finals">
        Clocks: White {formatClock(s.clk.w, isFlagged(s.clk, "w"))}{isFlagged(s.clk, "w") && " (flag down)"}, Black{" "}
        {formatClock(s.clk.b, isFlagged(s.clk, "b"))}{isFlagged(s.clk, "b") && " (flag down)"}
      </p>
      <RatingChanges s={s} log={log} />
      <div class="actions">
        {me && !s.event && <RematchButton table={table} />}
        {me && <BlockButton lobby={lobby} opponent={me === "w" ? s.black : s.white} />}
        <a class="button" href={pgnAddress(s.game)} download={`flagfall-${s.game}.pgn`}>PGN</a>
        <a class="button" href={recordAddress(s.game)} download={`flagfall-${s.game}.json`} title="All that happened, illegal moves and claims too, as JSON">Record</a>
        {!s.event && <A href="/" class="button">New game</A>}
      </div>
    </section>
  );
}

/** Asks once more: a block is a word that should not slip out. */
function BlockButton({ lobby, opponent }: { lobby: LobbyModel; opponent: Person }) {
  const [asked, setAsked] = useState(false);
  const guard = useSwapGuard(String(asked));
  useModel(lobby);
  if (lobby.blocks?.some((p) => p.id === opponent.id)) {
    return <button type="button" class="button" onClick={guard(() => lobby.unblock(opponent.id))}>Unblock {opponent.name}</button>;
  }
  const block = () => {
    if (asked) lobby.block(opponent.id);
    setAsked(!asked);
  };
  return (
    <button type="button" class="button" onClick={guard(block)} disabled={lobby.link.status !== "open"} title="You are not paired with each other any more">
      {asked ? `Really block ${opponent.name}?` : "Block"}
    </button>
  );
}

function RematchButton({ table }: { table: TableModel }) {
  const { me, them } = table.askedRematch;
  const guard = useSwapGuard(String(them));
  if (me) return <button type="button" class="button" disabled>Rematch asked for…</button>;
  return <button type="button" class="button primary" onClick={guard(() => table.rematch())} disabled={table.link.status !== "open"}>{them ? "Accept rematch" : "Rematch"}</button>;
}

interface SideProps { s: GameState; side: Color; me: Color | undefined; lines: ScoreLine[]; index: number }

function Side({ s, side, me, lines, index }: SideProps) {
  const person = side === "w" ? s.white : s.black;
  const atEnd = index >= lines.length - 1;
  let ms = atEnd ? s.clk[side] : s.base;
  if (!atEnd) for (const line of lines.slice(0, index + 1)) if (line.by === side && line.ms !== undefined) ms = line.ms;
  return (
    <ClockFace
      side={side} name={person.name} person={person} mine={side === me} present={undefined} running={false}
      flagged={atEnd && isFlagged(s.clk, side)} left={() => ms}
    />
  );
}
