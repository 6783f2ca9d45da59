// The event that this page attends: one at most, and the same one while people go from its page to a table and back.
import type { Link } from "../link";
import { remember } from "../through";
import { EventModel } from "./model";

/** After the last page of an event is left. Tables say only after a moment to which event they belong. */
const LINGER = 3000;

export class Hall {
  private model: EventModel | undefined;
  private close: (() => void) | undefined;
  private users = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private link: Link) {}

  /** The model of an event, which is attended until everybody who asked has released it. `key`: of the address, if there is one. */
  attend(event: string, key = ""): EventModel {
    clearTimeout(this.timer);
    const known = key || (this.link.through?.event === event ? this.link.through.key : "");
    if (this.model?.event !== event || this.model.key !== known) {
      this.end();
      if (known) {
        this.link.through = { event, key: known };
        remember(this.link.through);
      }
      this.model = new EventModel(this.link, event, known);
      this.close = this.model.open();
    }
    if (this.users === 0) this.model.trouble = ""; // of a page that was left
    this.users++;
    return this.model;
  }

  release(model: EventModel): void {
    if (model !== this.model || --this.users > 0) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), LINGER);
  }

  /** Something else is attended from now on, as the desk: this page's own attendance is over. */
  end(): void {
    clearTimeout(this.timer);
    this.close?.();
    this.model = this.close = undefined;
    this.users = 0;
  }
}

let hall: Hall | undefined;

/** The one of this page. */
export function hallOf(link: Link): Hall {
  hall ??= new Hall(link);
  return hall;
}
