// The pages of events and clubs. Each is a file of its own, which is fetched when it is shown.
import type { ComponentChild } from "preact";
import { lazy } from "../lazy";
import type { Link } from "../link";
import { Lost } from "./lost";

const Events = lazy(() => import("./events").then((m) => m.EventsPage));
const NewEvent = lazy(() => import("./newevent").then((m) => m.NewEventPage));
const Event = lazy(() => import("./event").then((m) => m.EventPage));
const Manage = lazy(() => import("./manage").then((m) => m.ManagePage));
const Desk = lazy(() => import("./desk").then((m) => m.DeskPage));
const Screen = lazy(() => import("./screen").then((m) => m.ScreenPage));
const Print = lazy(() => import("./print").then((m) => m.PrintPage));
const Clubs = lazy(() => import("./clubs").then((m) => m.ClubsPage));
const Club = lazy(() => import("./clubs").then((m) => m.ClubPage));

/** The page of an address below /events, /e, /clubs and /c; undefined for any other. */
export function eventRoute(path: string, link: Link): ComponentChild | undefined {
  const [, kind, id, rest, more] = path.split("/");
  if (path === "/events") return <Events link={link} />;
  if (path === "/events/new") return <NewEvent />;
  if (path === "/clubs") return <Clubs />;
  if (kind === "c" && id && !rest) return <Club key={id} club={decodeURIComponent(id)} />;
  if (kind !== "e" || !id || more) return undefined;
  const event = decodeURIComponent(id);
  const given = new URLSearchParams(location.search).get("key") ?? "";
  switch (rest) {
    case undefined: case "": return <Event key={id} link={link} event={event} />;
    case "manage": return <Manage key={id} link={link} event={event} />;
    case "desk": return <Desk key={id} link={link} event={event} />;
    case "screen": return <Screen key={id} event={event} screen={given} />;
    case "print": return <Print key={id} event={event} eventKey={given} />;
    default: return <Lost title="There is nothing here" text="The address may be mistyped." />;
  }
}
