// Answers of the server for a page: what is asked for, what is still loading, what went wrong.
import { useCallback, useEffect, useState } from "preact/hooks";
import { Problem, request } from "../api";
import type { Page } from "../history";

export const asProblem = (e: unknown): Problem =>
  e instanceof Problem ? e : new Problem(0, "", "The server cannot be reached. Try again in a moment.");

export interface Answer<T> {
  value: T | undefined; // of the address asked last, or while that one loads of the one before
  problem: Problem | undefined;
  loading: boolean;
  again: () => void;
}

/** The answer of an address; undefined asks nothing. */
export function useAnswer<T>(address: string | undefined): Answer<T> {
  const [state, setState] = useState<{ address?: string | undefined; value?: T; problem?: Problem }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (address === undefined) return undefined;
    let gone = false;
    request<T>(address).then(
      (value) => !gone && setState({ address, value }),
      (e) => !gone && setState({ address, problem: asProblem(e) }),
    );
    return () => {
      gone = true;
    };
  }, [address, turn]);
  const again = useCallback(() => {
    setState({});
    setTurn((n) => n + 1);
  }, []);
  const loading = address !== undefined && state.address !== address;
  return { value: state.value, problem: loading ? undefined : state.problem, loading, again };
}

export interface Pages<L> { lines: L[] | undefined; more: boolean; loading: boolean; problem: Problem | undefined; older: () => void }

/** A list that grows by a page at a time; `address` has a query already, `name` is where the lines stand in the answer. */
export function usePages<L>(address: string | undefined, name: string): Pages<L> {
  const [state, setState] = useState<{ address?: string | undefined; lines?: L[]; next?: string | undefined; problem?: Problem | undefined }>({});
  const [asked, setAsked] = useState<{ address: string | undefined; after?: string | undefined; turn: number }>({ address, turn: 0 });
  const here = asked.address === address ? asked : { address, turn: 0 };
  const { after, turn } = here;
  useEffect(() => {
    if (address === undefined) return undefined;
    let gone = false;
    request<Page & Record<string, L[]>>(after ? `${address}&after=${encodeURIComponent(after)}` : address).then(
      (page) => !gone && setState((s) => ({ address, lines: [...(after && s.address === address ? s.lines ?? [] : []), ...page[name]!], next: page.next })),
      (e) => !gone && setState((s) => ({ ...(s.address === address ? s : {}), address, problem: asProblem(e) })),
    );
    return () => {
      gone = true;
    };
  }, [address, after, turn, name]);
  const mine = state.address === address ? state : {};
  const loading = address !== undefined && !mine.problem && (!mine.lines || (after !== undefined && after === mine.next));
  const older = () => {
    setState((s) => ({ ...s, problem: undefined }));
    setAsked({ address, after: mine.next, turn: turn + 1 });
  };
  return { lines: mine.lines, more: mine.next !== undefined, loading, problem: mine.problem, older };
}
