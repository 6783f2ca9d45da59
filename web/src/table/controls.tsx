import { useEffect, useState } from "preact/hooks";
import { useGuarded } from "../hooks";
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
  const flag = useGuarded(claim, () => table.claim(claim));
  const illegal = useGuarded("illegal", () => table.claim("illegal"));
  return (
    <div class="claims" role="group" aria-label="Claims">
      <button type="button" class="claim" disabled={!table.canClaimIllegal} onClick={illegal} aria-keyshortcuts="i">
        <small>Claim</small> Illegal move
      </button>
      <button type="button" class="claim" disabled={!table.live} onClick={flag} aria-keyshortcuts="f">
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
  if (fast) return <p class="press fast">The drop presses the clock</p>;
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

function Secondary({ table }: { table: TableModel }) {
  const [sure, setSure] = useState(false);
  const me = table.me!;
  const offered = table.state?.offer === other(me);
  useEffect(() => setSure(false), [table.state?.moves.length, offered]);
  useEffect(() => {
    if (!sure) return undefined;
    const timer = setTimeout(() => setSure(false), SURE_FOR);
    return () => clearTimeout(timer);
  }, [sure]);
  const meaning = sure ? "resign" : offered ? `offer ${table.state!.moves.length}` : "plain";
  const guarded = {
    back: useGuarded(meaning, () => table.takeBack()),
    draw: useGuarded(meaning, () => table.offerDraw()),
    accept: useGuarded(meaning, () => table.answerDraw(true)),
    decline: useGuarded(meaning, () => table.answerDraw(false)),
    mute: useGuarded(meaning, () => {
      table.answerDraw(false);
      table.muteOffers();
    }),
    ask: useGuarded(meaning, () => setSure(true)),
    resign: useGuarded(meaning, () => {
      setSure(false);
      table.resign();
    }),
    keep: useGuarded(meaning, () => setSure(false)),
  };
  if (sure) {
    return (
      <div class="secondary" role="group" aria-label="Resign?">
        <span class="question">Resign?</span>
        <button type="button" class="danger" onClick={guarded.resign}>Yes, resign</button>
        <button type="button" onClick={guarded.keep}>No</button>
      </div>
    );
  }
  if (offered) {
    return (
      <div class="secondary" role="group" aria-label="A draw is offered">
        <span class="question">Draw?</span>
        <button type="button" class="good" onClick={guarded.accept} aria-keyshortcuts="y">Accept</button>
        <button type="button" onClick={guarded.decline} aria-keyshortcuts="n">Decline</button>
        <button type="button" onClick={guarded.mute} title="Decline, and take no more offers in this game">Mute</button>
      </div>
    );
  }
  const open = table.state?.offer === me;
  return (
    <div class="secondary" role="group" aria-label="More">
      <button type="button" disabled={!table.canTakeBack} onClick={guarded.back} aria-keyshortcuts="u" title="Only an illegal move, before the press">
        Take back
      </button>
      <button type="button" disabled={!table.live || open} onClick={guarded.draw} aria-keyshortcuts="d">
        {open ? "Draw offered" : "Offer draw"}
      </button>
      <button type="button" disabled={!table.live} onClick={guarded.ask}>Resign</button>
      <SoundButton />
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
