import { useEffect } from "preact/hooks";
import { isTyping } from "../hooks";
import type { EventModel } from "./model";

/** "r" says that one is ready, as the button does. */
export function useReadyKey(model: EventModel | undefined): void {
  useEffect(() => {
    if (!model) return undefined;
    const down = (e: KeyboardEvent) => {
      if (e.key !== "r" || e.repeat || isTyping(e) || e.ctrlKey || e.metaKey || e.altKey) return;
      if (model.rests && !model.busy) void model.act({ do: "ready" });
    };
    document.addEventListener("keydown", down);
    return () => document.removeEventListener("keydown", down);
  }, [model]);
}
