// Texts that change by themselves: one timer for all of them, and no rendering.
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatClock, isFlagged, remaining } from "../clock";
import { type Clocks, type Color, colorName } from "../wire";

const EACH = 100;

const ticking = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  for (const f of ticking) f();
}

function join(f: () => void): () => void {
  ticking.add(f);
  timer ??= setInterval(tick, EACH);
  return () => {
    ticking.delete(f);
    if (ticking.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Shows what `text` gives, as it is at any time. */
export function LiveText({ text, class: name }: { text: () => string; class?: string }) {
  const box = useRef<HTMLSpanElement>(null);
  const latest = useRef(text);
  latest.current = text;
  const draw = useRef(() => {
    const node = box.current;
    const now = latest.current();
    if (!node || node.textContent === now) return;
    if (node.firstChild) node.firstChild.nodeValue = now;
    else node.textContent = now;
  });
  useLayoutEffect(() => draw.current());
  useLayoutEffect(() => join(draw.current), []);
  return <span ref={box} class={name} />;
}

/** A clock that runs between two answers of the server; `at` is when (performance.now()) it was as `clk` says. */
export function LiveClock({ clk, side, at }: { clk: Clocks; side: Color; at: number }) {
  const flagged = isFlagged(clk, side);
  const state = `${clk.run === side ? " running" : ""}${flagged ? " flagged" : ""}`;
  return (
    <span class={`liveclock${state}`} title={`${colorName(side)}'s clock${clk.run === side ? " runs" : ""}${flagged ? ", the flag is down" : ""}`}>
      {flagged && <span class="down">flag </span>}
      <LiveText text={() => formatClock(remaining(clk, side, at, performance.now()), flagged)} />
    </span>
  );
}
