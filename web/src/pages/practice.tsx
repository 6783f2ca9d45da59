import { useEffect, useReducer } from "preact/hooks";
import { isFlagged, remaining } from "../clock";
import { isTyping, useTitle } from "../hooks";
import { type Act, begin, type Exercise, OPPONENT_SECONDS, type Stage, step } from "../practice";
import { A } from "../router";
import { play } from "../sound";
import { BoardBox } from "../table/boardbox";
import { ClockFace } from "../table/clockface";
import { Ruled } from "../table/ruled";
import { Header } from "./lost";

const KEY = "flagfall.practised";

export function practised(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function remember(): void {
  try {
    localStorage.setItem(KEY, "yes");
  } catch {
    // Without storage the offer simply comes again.
  }
}

interface Timed { x: Exercise; since: number }

const WORDS: Record<Stage, { title: string; text: string; rule?: string }> = {
  place: { title: "1. Place a man", text: "You are White, and your clock is running. Move any of your men: drag it, or tap it and then its square." },
  press: { title: "2. Press the clock", text: "Your move stands on the board, but your clock still runs! Press it: the big button, or the space bar." },
  watch: { title: "Your opponent thinks…", text: "Now the other clock runs. Watch the next move." },
  claim: {
    title: "3. Claim the illegal move",
    text: "The rook jumped over its own pawn, and the clock was pressed. Nobody will say a word: it is yours to claim, and only before you move.",
  },
  missed: { title: "Too late!", text: "You moved on, so the illegal move stands for ever. That is the rule: unnoticed, it counts. Try once more." },
  claimed: { title: "You win", text: "White claimed an illegal move. A first wrong claim is free; each further one gives your opponent a minute.", rule: "WBCA 7d" },
  wait: { title: "4. Watch the flag", text: "Another game, and your opponent is short of time. Nobody calls the flag either. Keep an eye on the upper clock…" },
  flag: { title: "Claim the flag", text: "It is down. Claim it while your own is up: if both fall, it is a draw." },
  done: { title: "You are ready", text: "Black's flag fell and White claimed it. That is all there is to it.", rule: "WBCA 7c" },
};

export function PracticePage() {
  useTitle("One-minute practice · Flagfall");
  const [{ x, since }, act] = useReducer(
    (t: Timed, a: Act): Timed => {
      const now = performance.now();
      const next = step(t.x, a, remaining(t.x.clk, "w", t.since, now));
      return next === t.x ? t : { x: next, since: now };
    },
    undefined, () => ({ x: begin(), since: performance.now() }),
  );
  const stage = x.stage;
  useEffect(() => script(stage, act), [stage]);
  useKeys(act);
  const words = WORDS[stage];
  const left = (side: "w" | "b") => () => Math.max(remaining(x.clk, side, since, performance.now()), 1);
  const face = (side: "w" | "b", name: string) => (
    <ClockFace
      side={side} name={name} mine={false} present={undefined} running={x.clk.run === side}
      flagged={isFlagged(x.clk, side)} left={isFlagged(x.clk, side) ? () => 0 : left(side)}
    />
  );
  return (
    <div class="tablepage practice playing">
      <Header><span class="terms">One-minute practice</span></Header>
      <main id="main" tabIndex={-1} class="table">
        <h1 class="sr">One-minute practice</h1>
        <div class="area-top">{face("b", "Practice opponent")}</div>
        <div class="area-board">
          <BoardBox
            view={{
              placement: x.board, bottom: "w", last: x.last, hand: stage === "place" || stage === "claim" ? "w" : undefined,
              premoves: false, premove: undefined, queued: undefined,
            }}
            actions={{ drop: (from, to) => act({ a: "drop", m: from + to }), premove: () => undefined, cancelPremove: () => undefined }}
          />
        </div>
        <div class="area-bottom">{face("w", "You")}</div>
        <section class="area-lesson" aria-live="polite">
          <h2>{words.title}</h2>
          <p><Ruled text={words.text} rule={words.rule} rules="wbca" aside /></p>
          {(stage === "missed" || stage === "claimed") && (
            <button type="button" class="button primary" onClick={() => act({ a: "next" })}>{stage === "missed" ? "Once more" : "Go on"}</button>
          )}
          {stage === "done" && <A href="/" class="button primary">Play a real game</A>}
        </section>
        <div class="area-controls"><Buttons stage={stage} act={act} /></div>
      </main>
    </div>
  );
}

function Buttons({ stage, act }: { stage: Stage; act: (a: Act) => void }) {
  const due = stage === "press";
  const claim = (wanted: Stage, a: Act, name: string) => (
    <button type="button" class={`claim${stage === wanted ? " lesson" : ""}`} disabled={stage !== wanted} onClick={() => act(a)}>
      <small>Claim</small> {name}
    </button>
  );
  return (
    <div class="controls">
      <div class="claims" role="group" aria-label="Claims">
        {claim("claim", { a: "illegal" }, "Illegal move")}
        {claim("flag", { a: "flag" }, "Flag fell")}
      </div>
      <button
        type="button" class={`press${due ? " due" : ""}`} disabled={!due}
        onPointerDown={(e) => e.button === 0 && act({ a: "press" })} onClick={(e) => e.detail === 0 && act({ a: "press" })}
      >
        Press clock
      </button>
    </div>
  );
}

/** What happens by itself in a stage. */
function script(stage: Stage, act: (a: Act) => void): (() => void) | undefined {
  if (stage === "press" || stage === "claim") play("move");
  if (stage === "watch") play("press");
  if (stage === "claimed" || stage === "done") play("verdict");
  if (stage === "done") remember();
  const after = (ms: number, a: Act) => {
    const timer = setTimeout(() => act(a), ms);
    return () => clearTimeout(timer);
  };
  if (stage === "watch") return after(2400, { a: "opponent" });
  if (stage === "wait") return after(OPPONENT_SECONDS * 1000, { a: "fall" });
  return undefined;
}

function useKeys(act: (a: Act) => void): void {
  useEffect(() => {
    const down = (e: KeyboardEvent) => {
      if (isTyping(e) || e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === " ") e.preventDefault();
      if (e.repeat) return;
      if (e.key === " ") act({ a: "press" });
      if (e.key === "i") act({ a: "illegal" });
      if (e.key === "f") act({ a: "flag" });
    };
    const up = (e: KeyboardEvent) => {
      if (e.key === " " && !isTyping(e)) e.preventDefault();
    };
    document.addEventListener("keydown", down);
    document.addEventListener("keyup", up);
    return () => {
      document.removeEventListener("keydown", down);
      document.removeEventListener("keyup", up);
    };
  }, []);
}
