// The arbiter's desk, the projector and the printed page of an event: files of their own, fetched when they are shown.
import type { ComponentChild } from "preact";
import { lazy } from "../lazy";
import type { Link } from "../link";

const Desk = lazy(() => import("./desk").then((m) => m.DeskPage));
const Screen = lazy(() => import("./screen").then((m) => m.ScreenPage));
const Print = lazy(() => import("./print").then((m) => m.PrintPage));

/** The page of /e/NAME/desk, /screen or /print; undefined for any other address. */
export function deskRoute(path: string, query: string, link: Link): ComponentChild | undefined {
  const [, kind, id, rest, more] = path.split("/");
  if (kind !== "e" || !id || more) return undefined;
  const event = decodeURIComponent(id);
  const key = new URLSearchParams(query).get("key") ?? "";
  switch (rest) {
    case "desk": return <Desk key={id} link={link} event={event} />;
    case "screen": return <Screen key={`${id} ${key}`} event={event} screen={key} />;
    case "print": return <Print key={id} event={event} eventKey={key} />;
    default: return undefined;
  }
}
