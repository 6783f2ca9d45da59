// Small bridges between the models and Preact.
import { useCallback, useEffect, useReducer, useRef } from "preact/hooks";

interface Watched { watch(f: () => void): () => void }

/** Renders again whenever the model says that it has changed. */
export function useModel<T extends Watched>(model: T): T {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const stop = model.watch(() => again(undefined));
    again(undefined); // it may have changed between the first rendering and now
    return stop;
  }, [model]);
  return model;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Tells whether the component is still there: for answers that may come after it. */
export function useAlive(): () => boolean {
  const alive = useRef(true);
  useEffect(() => () => {
    alive.current = false;
  }, []);
  return useCallback(() => alive.current, []);
}

export const SWAP_GUARD = 300;

/**
 * Guards buttons whose meaning changes: clicks within 300 ms after `meaning` has changed are ignored, since they were
 * aimed at what stood there before.
 */
export function useSwapGuard(meaning: string): (action: () => void) => () => void {
  const since = useRef({ meaning, at: Number.NEGATIVE_INFINITY });
  if (since.current.meaning !== meaning) since.current = { meaning, at: performance.now() };
  return (action) => () => {
    if (performance.now() - since.current.at >= SWAP_GUARD) action();
  };
}

export const isTyping = (e: Event): boolean => {
  const el = e.target as HTMLElement | null;
  return Boolean(el?.closest?.("input, textarea, select, [contenteditable]"));
};
