import { useEffect } from "preact/hooks";
import { isTyping } from "../hooks";
import type { TableModel } from "./model";

export const KEYS: [string, string][] = [
  ["Space", "press the clock"], ["i", "claim an illegal move"], ["f", "claim a flag"], ["c", "claim a draw; again to confirm"], ["u", "take back"],
  ["d", "offer a draw"], ["y / n", "accept / decline a draw"], ["m", "move field"], ["Esc", "leave it; drop a premove, a question"],
];

/** The keyboard of a table: never while typing, never by a key that is held down. */
export function useTableKeys(table: TableModel, field: () => HTMLInputElement | null): void {
  useEffect(() => {
    const down = (e: KeyboardEvent) => {
      if (isTyping(e) || e.ctrlKey || e.metaKey || e.altKey) return;
      if (e.key === " ") e.preventDefault(); // it presses the clock, not the button that has the focus, and scrolls nothing
      if (e.repeat) return;
      switch (e.key) {
        case " ": return table.press();
        case "i": return table.claim("illegal");
        case "f": return table.claim(table.flagClaim);
        case "c": return table.claimDraw();
        case "u": return table.takeBack();
        case "d": return table.offerDraw();
        case "y": return table.question ? table.confirm() : table.answerDraw(true);
        case "n": return table.question ? table.ask(undefined) : table.answerDraw(false);
        case "Escape":
          if (table.question) return table.ask(undefined);
          if (table.side.promotion) return table.sidePromote(undefined);
          return table.promotion ? table.promote(undefined) : table.cancelPremove();
        case "m":
          e.preventDefault();
          field()?.focus();
      }
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
  }, [table, field]);
}
