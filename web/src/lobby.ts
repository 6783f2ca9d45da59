// Looking for a game: one seek or one invitation at a time, made again after a lost connection.
import type { Link } from "./link";
import { type ColorWish, type Command, commandId, type Invitation, type Mode, type ServerFrame } from "./wire";

export type Wish =
  | { t: "seek"; base: number; mode: Mode }
  | { t: "invite"; base: number; mode: Mode; color: ColorWish }
  | { t: "accept"; invite: string };

export class LobbyModel {
  seeking: { base: number; mode: Mode } | undefined;
  invited: Invitation | undefined;
  message: string | undefined;
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
    this.message = undefined;
    if (this.link.status === "open") this.send();
    else this.link.start();
    this.changed();
  }

  cancel(): void {
    this.wish = this.seeking = this.invited = undefined;
    this.link.send({ t: "cancel", id: commandId() });
    this.changed();
  }

  private send(): void {
    if (!this.wish) return;
    this.lastId = commandId();
    this.link.send({ ...this.wish, id: this.lastId } as Command);
  }

  private hear(frame: ServerFrame): void {
    switch (frame.t) {
      case "hello":
        if (frame.game) this.wish = this.seeking = this.invited = undefined;
        else if (this.wish?.t === "seek" || this.asking) this.send();
        break;
      case "seeking":
        this.seeking = { base: frame.base, mode: frame.mode };
        this.wish = { t: "seek", ...this.seeking };
        break;
      case "invited":
        this.invited = frame;
        break;
      case "idle":
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
