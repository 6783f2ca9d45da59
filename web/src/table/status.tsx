import { useEffect, useReducer } from "preact/hooks";
import { turnOf } from "../gamelog";
import { useSwapGuard } from "../hooks";
import { demoWords, holdWords, judgedWords, linkWords, times } from "../words";
import { type Color, colorName, type GameState, other } from "../wire";
import type { TableModel } from "./model";
import { Ruled } from "./ruled";

const ABANDONED_AFTER = 60_000;
const NOTICE_FOR = 5000;
const RULING_FOR = 12_000;

/** One line in a fixed place, with the plain count of a position that has stood before. */
/** After 20 s without it the table is closed. */
const FIRST_MOVES = ["Your first move: within 20 seconds.", "Your first move, or your claim: within 20 seconds."];

/** One line in a fixed place: the connection, what just happened, or what is to be done. */
export function StatusLine({ table, s }: { table: TableModel; s: GameState }) {
  const seen = s.pending || table.waiting || s.phase === "demo" ? undefined : s.seen;
  return (
    <div class="statusbar">
      <Line table={table} s={s} />
      {seen && <span class="seen" title={`This position stands on the board for the ${times(seen)}`}><span class="sr">Position for the </span>{times(seen)}</span>}
    </div>
  );
}

/** The connection, what just happened, or what is to be done. */
function Line({ table, s }: { table: TableModel; s: GameState }) {
  const [, again] = useReducer((n: number) => n + 1, 0);
  const awaySince = table.awaySince;
  useEffect(() => {
    if (awaySince === undefined) return undefined;
    const timer = setInterval(() => again(undefined), 500);
    return () => clearInterval(timer);
  }, [awaySince]);
  const notice = table.notice;
  useEffect(() => {
    if (!notice) return undefined;
    const timer = setTimeout(() => {
      if (table.notice === notice) table.notice = undefined;
      again(undefined);
    }, notice.rule ? RULING_FOR : NOTICE_FOR);
    return () => clearTimeout(timer);
  }, [notice, table]);
  const lost = linkWords(table.link.status, Boolean(table.me));
  if (lost) return <p class="status bad" role="alert">{lost}</p>;
  if (table.held) return <p class="status bad long" role="status">{holdWords(Boolean(table.me))}</p>;
  if (notice) return <p class={`status ${notice.tone}${notice.text.length > 80 ? " long" : ""}`} role={notice.tone === "bad" ? "alert" : "status"}><span><Ruled text={notice.text} rule={notice.rule} rules={s.rules} aside /></span></p>;
  if (awaySince !== undefined && table.live) return <Absence table={table} gone={performance.now() - awaySince} />;
  const reminder = table.canPress && !table.waiting?.queued;
  const words = sentence(table, s);
  const rule = s.phase === "demo" && !table.me ? s.shows?.rule : undefined;
  return (
    <p class={`status${reminder ? " reminder" : ""}${words.length > 80 ? " long" : ""}`}>
      <span><Ruled text={words} rule={rule} rules={s.rules} aside /></span>
    </p>
  );
}

function Absence({ table, gone }: { table: TableModel; gone: number }) {
  const due = gone >= ABANDONED_AFTER;
  const guard = useSwapGuard(String(due));
  if (due) return <p class="status"><button type="button" class="inline" onClick={guard(() => table.claim("abandoned"))}>Claim: opponent left the game</button></p>;
  const left = Math.ceil((ABANDONED_AFTER - gone) / 1000);
  return <p class="status">Your opponent is away; in {left} s you may claim the game as abandoned.</p>;
}

function sentence(table: TableModel, s: GameState): string {
  const me = table.me;
  const turn = turnOf(s);
  if (s.phase === "waiting") return s.here.length < 2 ? "Waiting for both players to come to the table…" : "White's clock is about to start.";
  if (s.phase === "paused") return "The clocks stand; the game goes on in a moment.";
  if (s.phase === "proof") return judgedWords(s, me);
  if (s.phase === "dispute") return "The arbiter is called: both clocks stand until he has ruled, three minutes at most.";
  if (s.phase === "demo") return me ? sideSentence(table, me) : demoWords(s.shows?.by, me);
  if (!me) return s.pending ? `${colorName(turn)} has moved and not pressed.` : `${colorName(turn)} to move.`;
  const w = table.waiting;
  if (table.promotion) return "Choose a piece; pressing the clock takes a queen.";
  if (w?.queued) return w.pressed ? "Your reply waits for your opponent's press." : "Your reply waits for your opponent's press. You can press already.";
  if (w && !w.pressed) return "Your clock still runs: press it!";
  if (w) return "Pressed.";
  if (table.premove) return `Premove ${table.premove.m}; tap the board to drop it.`;
  if (turn === me) return s.moves.length < 2 ? FIRST_MOVES[s.moves.length]! : "Your move, or your claim.";
  if (s.pending) return `${colorName(other(me))} has moved but not pressed. You may answer already.`;
  return "Your opponent's clock runs.";
}

function sideSentence(table: TableModel, me: Color): string {
  if (table.side.promotion) return "Choose a piece.";
  if (table.side.running !== me) return "Your opponent is on move on the side board.";
  return "You are on move on the side board: legal moves only, no clock to press.";
}
