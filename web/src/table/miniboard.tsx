import type { HTMLAttributes } from "preact";
import { fileOf, parsePlacement, rankOf } from "../placement";
import { KIND_NAMES } from "../reader";

/** A small picture of a position, White below. */
export function MiniBoard({ board }: { board: string }) {
  return (
    <span class="cg-wrap mini" aria-hidden="true">
      <span class="squares">
        {[...parsePlacement(board).men].map(([square, man]) => (
          <piece
            key={square}
            class={`${man.color === "w" ? "white" : "black"} ${KIND_NAMES[man.kind]}`}
            style={{ left: `${fileOf(square) * 12.5}%`, top: `${(7 - rankOf(square)) * 12.5}%` }}
          />
        ))}
      </span>
    </span>
  );
}

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements { piece: HTMLAttributes<HTMLElement> }
  }
}
