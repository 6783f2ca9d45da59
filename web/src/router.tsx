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

export function usePath(): string {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const update = () => setPath(location.pathname);
    moved.add(update);
    addEventListener("popstate", update);
    return () => {
      moved.delete(update);
      removeEventListener("popstate", update);
    };
  }, []);
  return path;
}

interface AnchorProps { href: string; class?: string; "aria-label"?: string; children: ComponentChildren }

export function A({ href, children, ...rest }: AnchorProps) {
  const go = (e: MouseEvent) => {
    if (e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    e.preventDefault();
    navigate(href);
  };
  return <a {...rest} href={href} onClick={go}>{children}</a>;
}
