import { useEffect, useState } from "preact/hooks";
import { useSwapGuard } from "../hooks";
import { setSound, soundOn } from "../sound";
import { other } from "../wire";
import type { TableModel } from "./model";

/** The buttons of a player, in fixed places: whatever can be done now or not, nothing moves. */
export function Controls({ table }: { table: TableModel }) {
  return (
    <div class="controls">
      <Claims table={table} />
      <Secondary table={table} />
      <PressButton table={table} />
    </div>
  );
}

function Claims({ table }: { table: TableModel }) {
  const claim = table.flagClaim;
  const label = claim === "both_flags" ? "Both flags down" : claim === "draw" ? "Draw" : "Flag fell";
  const guard = useSwapGuard(claim);
  return (
    <div class="claims" role="group" aria-label="Claims">
      <button type="button" class="claim" disabled={!table.canClaimIllegal} onClick={() => table.claim("illegal")} aria-keyshortcuts="i">
        <small>Claim</small> Illegal move
      </button>
      <button type="button" class="claim" disabled={!table.live} onClick={guard(() => table.claim(claim))} aria-keyshortcuts="f">
        <small>Claim</small> {label}
      </button>
    </div>
  );
}

function PressButton({ table }: { table: TableModel }) {
  const can = table.canPress || Boolean(table.promotion && !table.promotion.premove);
  const fast = table.state?.mode === "fast";
  const now = (e: PointerEvent) => {
    if (e.button !== 0) return;
    e.preventDefault();
    table.press();
  };
  if (fast) return <p class="press fast">Dropping a man presses the clock</p>;
  return (
    <button
      type="button" class={`press${can ? " due" : ""}`} disabled={!can} aria-keyshortcuts="Space"
      onPointerDown={now} onClick={(e) => e.detail === 0 && table.press()}
    >
      Press clock
    </button>
  );
}

const SURE_FOR = 6000;

/** The row that is a question at times: resign for certain, accept a draw. */
function Secondary({ table }: { table: TableModel }) {
  const [sure, setSure] = useState(false);
  const offered = table.state?.offer === other(table.me!);
  const ply = table.state?.moves.length ?? 0;
  useEffect(() => setSure(false), [ply, offered]);
  useEffect(() => {
    if (!sure) return undefined;
    const timer = setTimeout(() => setSure(false), SURE_FOR);
    return () => clearTimeout(timer);
  }, [sure]);
  const guard = useSwapGuard(sure ? "resign" : offered ? `offer ${ply}` : "plain");
  if (sure) {
    const resign = () => {
      setSure(false);
      table.resign();
    };
    return (
      <div class="secondary" role="group" aria-label="Resign?">
        <span class="question">Resign?</span>
        <button type="button" class="danger" onClick={guard(resign)}>Yes, resign</button>
        <button type="button" onClick={guard(() => setSure(false))}>No</button>
      </div>
    );
  }
  if (offered) return <Offer table={table} guard={guard} />;
  const open = table.state?.offer === table.me;
  return (
    <div class="secondary" role="group" aria-label="More">
      <button
        type="button" disabled={!table.canTakeBack} onClick={guard(() => table.takeBack())} aria-keyshortcuts="u"
        title="Only an illegal move, before the press"
      >
        Take back
      </button>
      <button type="button" disabled={!table.live || open} onClick={guard(() => table.offerDraw())} aria-keyshortcuts="d">
        {open ? "Draw offered" : "Offer draw"}
      </button>
      <button type="button" disabled={!table.live} onClick={guard(() => setSure(true))}>Resign</button>
      <SoundButton />
    </div>
  );
}

function Offer({ table, guard }: { table: TableModel; guard: (action: () => void) => () => void }) {
  const mute = () => {
    table.answerDraw(false);
    table.muteOffers();
  };
  return (
    <div class="secondary" role="group" aria-label="A draw is offered">
      <span class="question">Draw?</span>
      <button type="button" class="good" onClick={guard(() => table.answerDraw(true))} aria-keyshortcuts="y">Accept</button>
      <button type="button" onClick={guard(() => table.answerDraw(false))} aria-keyshortcuts="n">Decline</button>
      <button type="button" onClick={guard(mute)} title="Decline, and take no more offers in this game">Mute</button>
    </div>
  );
}

export function SoundButton() {
  const [on, setOn] = useState(soundOn());
  const toggle = () => {
    setSound(!on);
    setOn(!on);
  };
  return (
    <button type="button" class="icon" aria-pressed={on} aria-label="Sound" title={on ? "Sound is on" : "Sound is off"} onClick={toggle}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path class="fill" d="M4 9v6h4l5 4V5L8 9z" />
        {on ? <path d="M16 8.500a5 5 0 0 1 0 7M18.500 6a8.500 8.500 0 0 1 0 12" /> : <path d="m16 9 6 6m0-6-6 6" />}
      </svg>
    </button>
  );
}
