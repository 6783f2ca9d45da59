import { useEffect, useRef } from "preact/hooks";
import { formatClock } from "../clock";
import { Who } from "../people/name";
import { type Color, colorName, type Person } from "../wire";

interface Props {
  side: Color;
  name: string;
  person?: Person; // who has a profile, to which his name leads
  aside?: boolean; // beside a game that is being played
  mine: boolean;
  present: boolean | undefined; // undefined: it does not matter (replays, practice)
  running: boolean;
  flagged: boolean;
  left: () => number; // remaining ms now
  delay?: () => number; // ms of the delay that run first
}

/** One player's name, presence and clock. The digits move by themselves between two frames of the server's. */
export function ClockFace(p: Props) {
  const digits = useRef<HTMLSpanElement>(null);
  const delay = useRef<HTMLSpanElement>(null);
  const latest = useRef(p);
  latest.current = p;
  useEffect(() => {
    let frame = 0;
    let shown = "";
    let waited = -1;
    const draw = () => {
      const { left, flagged, running } = latest.current;
      const text = formatClock(left(), flagged);
      const wait = Math.ceil((latest.current.delay?.() ?? 0) / 1000);
      if (delay.current && wait !== waited) {
        delay.current.textContent = wait > 0 ? `delay ${wait}` : "";
        waited = wait;
      }
      if (digits.current && text !== shown) {
        digits.current.textContent = text;
        shown = text;
      }
      if (running) frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  });
  const state = `${p.running ? " running" : ""}${p.flagged ? " flagged" : ""}`;
  return (
    <div class={`player ${p.side === "w" ? "white" : "black"}${state}`} role="group" aria-label={`${colorName(p.side)}: ${p.name}`}>
      <span class="disc" aria-hidden="true" />
      <span class="name">
        {p.person ? <Who person={p.person} aside={p.aside ?? false} /> : p.name}
        {p.mine && <small> you</small>}
      </span>
      {p.present !== undefined && (
        <span class={`presence ${p.present ? "here" : "away"}`}><span>{p.present ? "here" : "away"}</span></span>
      )}
      <span class="clock">
        {p.flagged && <span class="flag"><FallenFlag /> flag</span>}
        {p.running && !p.flagged && <span class="tick" title="This clock runs"><span class="sr">clock runs </span></span>}
        <span ref={delay} class="delay" />
        <span ref={digits} class="digits" />
      </span>
    </div>
  );
}

function FallenFlag() {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" class="fallen">
      <path d="M3 1v14" />
      <path class="cloth" d="M3.500 7.500 13 11l-3 4-6.500-3.500z" />
    </svg>
  );
}
