// Commands that were sent and not yet answered. Only moves and presses outlive a connection, and only once:
// a claim belongs to the moment it was made in.
import type { Command } from "./wire";

type Tracked = Extract<Command, { id: string }>;

interface Entry { command: Tracked; resent: boolean }

export class Outbox {
  private entries: Entry[] = [];

  add(command: Tracked): void {
    this.entries.push({ command, resent: false });
  }

  /** Forgets an answered command; says which it was. */
  settle(id: string | undefined): Tracked | undefined {
    const i = id === undefined ? -1 : this.entries.findIndex((e) => e.command.id === id);
    return i < 0 ? undefined : this.entries.splice(i, 1)[0]?.command;
  }

  /** After a reconnect: the moves and presses of that ply which are to be sent again; everything else is forgotten. */
  resend(ply: number): Tracked[] {
    this.entries = this.entries.filter(({ command, resent }) => {
      if (resent) return false;
      return (command.t === "move" || command.t === "press") && command.ply === ply;
    });
    for (const e of this.entries) e.resent = true;
    return this.entries.map((e) => e.command);
  }

  find(t: Tracked["t"]): Tracked | undefined {
    return this.entries.find((e) => e.command.t === t)?.command;
  }

  clear(): void {
    this.entries = [];
  }
}
