// The event whose link led here: it goes with the guests and sockets that are made, and lasts as long as the tab.

export interface Through { event: string; key: string }

const KEY = "flagfall.event";

export function remembered(): Through | undefined {
  try {
    const through = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Through | null;
    return typeof through?.event === "string" && typeof through.key === "string" ? { event: through.event, key: through.key } : undefined;
  } catch {
    return undefined; // storage may be forbidden
  }
}

export function remember(through: Through): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(through));
  } catch {
    // then a page that is loaded again has to come by the link again
  }
}
