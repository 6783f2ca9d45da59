// Looking for a game: one seek, invitation or challenge at a time, made again after a lost connection; and what others offer.
import { invitation, Problem } from "./api";
import type { Link } from "./link";
import { type Challenge, type ColorWish, type Command, commandId, type Invitation, type Mode, type OpenSeek, type Person, type Range, type Seeking, type ServerFrame, type Terms } from "./wire";

export type Wish =
  | ({ t: "seek"; base: number; mode: Mode } & Partial<Terms> & Range)
  | ({ t: "invite"; base: number; mode: Mode; color: ColorWish; casual?: boolean; to?: string } & Partial<Terms>)
  | { t: "take"; seek: string }
  | { t: "accept"; invite: string };

/** The same seek once more, with exactly the fields of the command. */
function again(s: Seeking): Wish {
  return {
    t: "seek", base: s.base, mode: s.mode, rules: s.rules, ...(s.timing && { timing: s.timing, each: s.each ?? 0 }),
    ...(s.min && { min: s.min }), ...(s.max && { max: s.max }), ...(s.casual && { casual: true }),
  };
}

export class LobbyModel {
  seeking: (Seeking & { since: number }) | undefined; // since: performance.now()
  seeks: OpenSeek[] | undefined; // of others, as they were when asked for
  challenges: Challenge[] = []; // that wait for this person
  blocks: Person[] | undefined; // whom this person blocks
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

  /** Asks what others offer. */
  refresh(): void {
    this.link.send({ t: "list", id: commandId() });
  }

  decline(c: Challenge): void {
    this.link.send({ t: "decline", id: commandId(), invite: c.invite });
    this.drop(c.invite);
    this.changed();
  }

  /** From now on neither is paired with the other or challenges him. */
  block(who: string): void {
    this.link.send({ t: "block", id: commandId(), who });
    this.challenges = this.challenges.filter((c) => c.by.id !== who);
    this.seeks = this.seeks?.filter((s) => s.by.id !== who);
    this.readBlocks();
    this.changed();
  }

  unblock(who: string): void {
    this.link.send({ t: "unblock", id: commandId(), who });
    this.readBlocks();
  }

  /** Asks whom this person blocks. */
  readBlocks(): void {
    this.link.send({ t: "blocks", id: commandId() });
  }

  private drop(invite: string): void {
    this.challenges = this.challenges.filter((c) => c.invite !== invite);
  }

  private uninvited(invite: string, why: string): void {
    this.drop(invite);
    if (this.invited?.invite !== invite) return;
    const name = this.invited.to ?? "Your friend";
    this.wish = this.invited = undefined;
    this.mine = false;
    this.message = why === "declined" ? `${name} has declined.` : why === "unanswered" ? `${name} has not answered.` : undefined;
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
        this.challenges = []; // the server tells those that still wait
        if (frame.game) this.wish = this.seeking = this.invited = undefined;
        else if (this.mine && (this.wish?.t === "seek" || this.asking)) this.send();
        else if (this.invited) this.check(this.invited.invite);
        else if (!this.mine) this.seeking = undefined;
        break;
      case "seeking":
        this.seeking = { ...frame, since: performance.now() - (frame.reach?.waited ?? 0) };
        this.wish = again(frame);
        break;
      case "seeks":
        this.seeks = frame.seeks;
        break;
      case "blocks":
        this.blocks = frame.people;
        break;
      case "challenge":
        this.drop(frame.invite);
        this.challenges = [...this.challenges, frame];
        break;
      case "uninvited":
        this.uninvited(frame.invite, frame.why);
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
