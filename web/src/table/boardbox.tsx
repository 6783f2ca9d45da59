import { useEffect, useRef } from "preact/hooks";
import { type Board, type BoardActions, type BoardView, mountBoard } from "../board";
import { fileOf, type Kind } from "../placement";
import { KIND_NAMES } from "../reader";
import type { Color } from "../wire";

interface Props {
  view: BoardView;
  actions: BoardActions;
  picker?: { to: string; color: Color } | undefined;
  promote?: (kind: Kind | undefined) => void;
}

/** The board and, over it, the choice of a piece for a pawn on the last rank. */
export function BoardBox({ view, actions, picker, promote }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const board = useRef<Board | undefined>(undefined);
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    board.current = mountBoard(element.current!, {
      drop: (from, to) => latest.current.drop(from, to),
      premove: (from, to) => latest.current.premove(from, to),
      cancelPremove: () => latest.current.cancelPremove(),
    });
    return () => board.current?.destroy();
  }, []);
  useEffect(() => board.current?.show(view));
  return (
    <div class="boardbox">
      <div ref={element} class="cg-wrap" role="img" aria-label="Chess board; type moves in the field below, or ask with p and s" />
      {picker && promote && <Picker {...picker} bottom={view.bottom} promote={promote} />}
    </div>
  );
}

const CHOICES: Kind[] = ["q", "n", "r", "b"];

function Picker({ to, color, bottom, promote }: { to: string; color: Color; bottom: Color; promote: (k: Kind | undefined) => void }) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus({ preventScroll: true }), []);
  const file = bottom === "w" ? fileOf(to) : 7 - fileOf(to);
  const keys = (e: KeyboardEvent) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    promote(undefined);
  };
  return (
    <div class={`picker ${color === bottom ? "top" : "bottom"}`} role="dialog" aria-label="Choose a piece" onKeyDown={keys}>
      <button type="button" class="veil" aria-label="Put the pawn back" onClick={() => promote(undefined)} />
      <div class="choices" style={{ left: `${Math.min(file, 7) * 12.5}%` }}>
        {CHOICES.map((kind, i) => (
          <button type="button" key={kind} ref={i === 0 ? first : undefined} aria-label={KIND_NAMES[kind]} onClick={() => promote(kind)}>
            <span class="cg-wrap"><piece class={`${color === "w" ? "white" : "black"} ${KIND_NAMES[kind]}`} /></span>
          </button>
        ))}
      </div>
    </div>
  );
}
