// Looking for a game: one seek or one invitation at a time, made again after a lost connection.
import { invitation, Problem } from "./api";
import type { Link } from "./link";
import { type ColorWish, type Command, commandId, type Invitation, type Mode, type ServerFrame, type Terms } from "./wire";

export type Wish =
  | ({ t: "seek"; base: number; mode: Mode } & Partial<Terms>)
  | ({ t: "invite"; base: number; mode: Mode; color: ColorWish } & Partial<Terms>)
  | { t: "accept"; invite: string };

export class LobbyModel {
  seeking: ({ base: number; mode: Mode } & Terms) | undefined;
  invited: Invitation | undefined;
  message: string | undefined;
  mine = false; // this page asked, and not another tab of the same person
  private wish: Wish | undefined; // asked for and not yet confirmed, or to be asked again
  private lastId = "";
  private watchers = new Set<() => void>();

  constructor(readonly link: Link) {
    link.listen((frame) => this.hear(frame));
    link.watch(() => this.changed());
  }

  watch(f: () => void): () => void {
    this.watchers.add(f);
    return () => this.watchers.delete(f);
  }

  get asking(): boolean {
    return this.wish !== undefined && !this.seeking && !this.invited;
  }

  ask(wish: Wish): void {
    this.wish = wish;
    this.mine = true;
    this.message = undefined;
    if (this.link.status === "open") this.send();
    else this.link.start();
    this.changed();
  }

  cancel(): void {
    this.mine = false;
    this.wish = this.seeking = this.invited = undefined;
    this.link.send({ t: "cancel", id: commandId() });
    this.changed();
  }

  private send(): void {
    if (!this.wish) return;
    this.lastId = commandId();
    this.link.send({ ...this.wish, id: this.lastId } as Command);
  }

  /** After a lost connection: is the invitation still there? */
  private check(invite: string): void {
    invitation(invite).catch((e) => {
      if (!(e instanceof Problem) || e.status !== 404 || this.invited?.invite !== invite) return;
      this.wish = this.invited = undefined;
      this.message = "You were away, so the invitation was taken back. Make a new one.";
      this.changed();
    });
  }

  private hear(frame: ServerFrame): void {
    switch (frame.t) {
      case "hello":
        if (frame.game) this.wish = this.seeking = this.invited = undefined;
        else if (this.mine && (this.wish?.t === "seek" || this.asking)) this.send();
        else if (this.invited) this.check(this.invited.invite);
        else if (!this.mine) this.seeking = undefined;
        break;
      case "seeking":
        this.seeking = { base: frame.base, mode: frame.mode, rules: frame.rules, ...(frame.timing && { timing: frame.timing, each: frame.each ?? 0 }) };
        this.wish = { t: "seek", ...this.seeking };
        break;
      case "invited":
        this.invited = frame;
        break;
      case "idle":
        if (frame.why !== "seated") this.mine = false;
        if (frame.why === "gone" && (this.seeking || this.invited)) this.message = "You were away, so it was taken back.";
        this.wish = this.seeking = this.invited = undefined;
        break;
      case "paired":
        this.wish = this.seeking = this.invited = this.message = undefined;
        this.link.seat = frame.game;
        break;
      case "err":
        if (frame.id !== this.lastId) return;
        this.wish = undefined;
        this.message = frame.msg;
        break;
      default:
        return;
    }
    this.changed();
  }

  private changed(): void {
    for (const f of this.watchers) f();
  }
}
