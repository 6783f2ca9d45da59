// The only file that knows chessground.
import type { Api } from "@lichess-org/chessground/api";
import { Chessground } from "@lichess-org/chessground";
import type { Config } from "@lichess-org/chessground/config";
import type { Key } from "@lichess-org/chessground/types";
import { destinations, type Placement, placementField, splitMove } from "./placement";
import { type Color, other } from "./wire";

export interface BoardView {
  placement: Placement;
  bottom: Color;
  last: string | undefined; // the move to mark
  hand: Color | undefined; // whose men may be picked up
  premoves: boolean; // picking them up only chooses a premove
  premove: string | undefined;
  queued: string | undefined; // a reply that waits for the opponent's press
  arrow?: string | undefined; // in replays
}

export interface BoardActions {
  drop(from: string, to: string): void;
  premove(from: string, to: string): void;
  cancelPremove(): void;
}

export interface Board {
  show(view: BoardView): void;
  destroy(): void;
}

const long = (c: Color): "white" | "black" => (c === "w" ? "white" : "black");

export function mountBoard(element: HTMLElement, actions: BoardActions): Board {
  let view: BoardView | undefined;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const ground = Chessground(element, {
    coordinates: true,
    autoCastle: false,
    disableContextMenu: true,
    blockTouchScroll: true,
    drawable: { enabled: false, visible: false },
    draggable: { showGhost: true, distance: 6 },
    highlight: { lastMove: true, check: false },
    movable: { free: false, showDests: false, events: { after: (from, to) => actions.drop(from, to) } },
    premovable: {
      showDests: false,
      events: {
        set: (from, to) => {
          // Ours to keep: chessground forgets a premove as soon as the next man is picked up.
          ground.state.premovable.current = undefined;
          actions.premove(from, to);
        },
      },
    },
    events: {
      select: (key) => {
        const man = view?.placement.men.get(key);
        if (view?.premove && man?.color !== view.hand && !ground.state.selected) actions.cancelPremove();
      },
    },
  });
  const release = tolerateSecondFinger(element, ground);

  return {
    show(next) {
      view = next;
      const field = placementField(next.placement);
      const dests = next.hand ? (destinations(next.placement, next.hand) as Map<Key, Key[]>) : new Map<Key, Key[]>();
      const config: Config = {
        orientation: long(next.bottom),
        turnColor: next.hand ? long(next.premoves ? other(next.hand) : next.hand) : "white",
        lastMove: next.last ? squaresOf(next.last) : undefined,
        movable: { color: next.hand && long(next.hand), dests },
        premovable: { enabled: next.premoves, customDests: dests },
        highlight: { custom: marks(next) },
        animation: { enabled: !still.matches, duration: 120 },
      };
      if (field !== ground.getFen()) config.fen = field;
      if (!next.hand) ground.state.selected = undefined;
      ground.set(config);
    },
    destroy() {
      release();
      ground.destroy();
    },
  };
}

const squaresOf = (m: string): Key[] => [splitMove(m).from as Key, splitMove(m).to as Key];

function marks(v: BoardView): Map<Key, string> {
  const map = new Map<Key, string>();
  if (v.premove) for (const s of squaresOf(v.premove)) map.set(s, "premove");
  if (v.queued) for (const s of squaresOf(v.queued)) map.set(s, "queued");
  return map;
}

/** A second finger on the glass neither drops the man in hand nor blocks a tap. */
function tolerateSecondFinger(element: HTMLElement, ground: Api): () => void {
  let finger: number | undefined;
  const swallow = (e: TouchEvent) => {
    e.stopImmediatePropagation();
    if (e.cancelable) e.preventDefault();
  };
  const start = (e: TouchEvent) => {
    const touch = e.changedTouches[0];
    if (!touch || e.touches.length < 2) {
      finger = touch?.identifier;
      return;
    }
    swallow(e);
    if (ground.state.draggable.current) return;
    const key = ground.getKeyAtDomPos([touch.clientX, touch.clientY]);
    if (key) ground.selectSquare(key);
  };
  const move = (e: TouchEvent) => {
    const current = ground.state.draggable.current;
    const touch = [...e.touches].find((t) => t.identifier === finger);
    if (current && touch && e.touches.length > 1) current.pos = [touch.clientX, touch.clientY];
  };
  const end = (e: TouchEvent) => {
    if (!ground.state.draggable.current) return;
    const lifted = [...e.changedTouches].find((t) => t.identifier === finger);
    if (lifted && e.touches.length === 0) return;
    e.stopImmediatePropagation();
    // Chessground would take the place of the finger that stays.
    if (lifted) document.dispatchEvent(new MouseEvent("mouseup", { clientX: lifted.clientX, clientY: lifted.clientY }));
  };
  element.addEventListener("touchstart", start, { capture: true, passive: false });
  document.addEventListener("touchmove", move, { capture: true, passive: true });
  document.addEventListener("touchend", end, { capture: true });
  return () => {
    element.removeEventListener("touchstart", start, { capture: true });
    document.removeEventListener("touchmove", move, { capture: true });
    document.removeEventListener("touchend", end, { capture: true });
  };
}
