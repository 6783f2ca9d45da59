// What other pages show of events: each part is fetched where there is an event.
import { lazyPart } from "../lazy";

export const FrontEvents = lazyPart(() => import("./list").then((m) => m.FrontEvents));
export const Strip = lazyPart(() => import("./strip").then((m) => m.Strip), <div class="strip" />);
export const Between = lazyPart(() => import("./strip").then((m) => m.Between));
