// Pages by address, without reloading.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

const moved = new Set<() => void>();

export function navigate(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  scrollTo(0, 0);
  for (const f of moved) f();
}

/** Replaces the part of the address behind the question mark, and stays where one is on the page. */
export function setQuery(query: string): void {
  history.replaceState(null, "", location.pathname + query);
  for (const f of moved) f();
}

const pathNow = (): string => location.pathname;
const queryNow = (): string => location.search;

export const usePath = (): string => useAddress(pathNow);

/** The part behind the question mark, with it. */
export const useQuery = (): string => useAddress(queryNow);

function useAddress(part: () => string): string {
  const [address, setAddress] = useState(part);
  useEffect(() => {
    const update = () => setAddress(part());
    update();
    moved.add(update);
    addEventListener("popstate", update);
    return () => {
      moved.delete(update);
      removeEventListener("popstate", update);
    };
  }, [part]);
  return address;
}

interface AnchorProps {
  href: string;
  class?: string;
  "aria-label"?: string;
  "aria-current"?: "page" | undefined;
  children: ComponentChildren;
}

export function A({ href, children, ...rest }: AnchorProps) {
  const go = (e: MouseEvent) => {
    if (e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    e.preventDefault();
    navigate(href);
  };
  return <a {...rest} href={href} onClick={go}>{children}</a>;
}
