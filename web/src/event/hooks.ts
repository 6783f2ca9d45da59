// Bridges between an event's model and Preact.
import { useEffect, useReducer, useState } from "preact/hooks";
import type { Hall } from "./hall";
import type { EventModel } from "./model";

/** Attends an event while the caller is shown, and renders again with every change. Undefined until then. */
export function useEvent(hall: Hall, event: string | undefined, key = ""): EventModel | undefined {
  const [model, setModel] = useState<EventModel | undefined>();
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    if (!event) return undefined;
    const mine = hall.attend(event, key);
    const stop = mine.watch(() => again(undefined));
    setModel(mine);
    return () => {
      stop();
      hall.release(mine);
      setModel(undefined);
    };
  }, [hall, event, key]);
  return model?.event === event ? model : undefined;
}

/** The server's civil time, anew every second while `on`. */
export function useNow(model: EventModel, on = true): number {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    if (!on) return undefined;
    const timer = setInterval(() => again(undefined), 1000);
    return () => clearInterval(timer);
  }, [on]);
  return model.now();
}
