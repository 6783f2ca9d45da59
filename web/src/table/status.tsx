import { useEffect, useReducer } from "preact/hooks";
import { turnOf } from "../gamelog";
import { useSwapGuard } from "../hooks";
import { linkWords } from "../words";
import { colorName, type GameState, other } from "../wire";
import type { TableModel } from "./model";

const ABANDONED_AFTER = 60_000;
const NOTICE_FOR = 5000;

/** After 20 s without it the table is closed. */
const FIRST_MOVES = ["Your first move: within 20 seconds.", "Your first move, or your claim: within 20 seconds."];

/** One line in a fixed place: the connection, what just happened, or what is to be done. */
export function StatusLine({ table, s }: { table: TableModel; s: GameState }) {
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
    }, NOTICE_FOR);
    return () => clearTimeout(timer);
  }, [notice, table]);
  const lost = linkWords(table.link.status, Boolean(table.me));
  if (lost) return <p class="status bad" role="alert">{lost}</p>;
  if (notice) return <p class={`status ${notice.tone}`} role={notice.tone === "bad" ? "alert" : "status"}>{notice.text}</p>;
  if (awaySince !== undefined && table.live) return <Absence table={table} gone={performance.now() - awaySince} />;
  const reminder = table.canPress && !table.waiting?.queued;
  return <p class={`status${reminder ? " reminder" : ""}`}>{sentence(table, s)}</p>;
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
