import { useEffect, useRef, useState } from "preact/hooks";
import { setSound, soundOn } from "../sound";
import { bookAddress, bookName, countWords, termsWords } from "../terms";
import type { TableModel } from "./model";

/** What is seldom wanted: the arbiter, losing chances, sound, the rules of this game. It opens above the buttons. */
export function Menu({ table }: { table: TableModel }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const outside = (e: PointerEvent) => !box.current?.contains(e.target as Node) && setOpen(false);
    const leave = (e: KeyboardEvent) => e.key === "Escape" && setOpen(false);
    document.addEventListener("pointerdown", outside);
    document.addEventListener("keydown", leave);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("keydown", leave);
    };
  }, [open]);
  const then = (action: () => void) => () => {
    setOpen(false);
    action();
  };
  const s = table.state!;
  return (
    <div class="menubox" ref={box}>
      <button type="button" class="icon" aria-label="More" aria-expanded={open} title="More" onClick={() => setOpen(!open)}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path class="fill" d="M4 10h4v4H4zM10 10h4v4h-4zM16 10h4v4h-4z" /></svg>
      </button>
      {open && (
        <div class="menu" role="group" aria-label="More">
          <p>{termsWords(s)}, {countWords(s)}</p>
          <button type="button" disabled={!table.live} onClick={then(() => table.callArbiter())}>
            Call the arbiter<small>clocks stop only if one is on duty; else it is written down</small>
          </button>
          {table.knows("ilc") && (
            <button type="button" disabled={!table.live} onClick={then(() => table.claim("ilc"))}>
              Claim: no losing chances<small>on your move, under two minutes, your flag up</small>
            </button>
          )}
          <SoundItem />
          <a href={bookAddress(s.rules)} target="_blank" rel="noopener">The {bookName(s.rules)} rules</a>
        </div>
      )}
    </div>
  );
}

function SoundItem() {
  const [on, setOn] = useState(soundOn());
  const toggle = () => {
    setSound(!on);
    setOn(!on);
  };
  return <button type="button" aria-pressed={on} onClick={toggle}>Sound: {on ? "on" : "off"}</button>;
}
