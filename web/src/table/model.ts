// One table as this page has it: what comes of the server's frames, and what the player does.
import { mayRelease, nextPly, ownPending, receive } from "../gamelog";
import type { Link } from "../link";
import { isPromotion, type Kind } from "../placement";
import { reviewPremove, setPremove } from "../premove";
import { SWAP_GUARD } from "../hooks";
import { play } from "../sound";
import { SERVER_WAS_AWAY, refusalWords } from "../words";
import { type ClaimKind, type Command, commandId, type EventsFrame, type GameState, other, type ServerFrame } from "../wire";
import { SideBoard } from "./demo";
import { noticeOf } from "./notice";
import { Sight } from "./sight";

export interface Notice { text: string; tone: "info" | "bad"; rule?: string | undefined; serial: number }

/** What is asked once more before it is done. */
export type Question = "resign" | "draw" | "concede";

export class TableModel extends Sight {
  notice: Notice | undefined;
  problem: string | undefined; // the table cannot be shown at all
  askedRematch: { me: boolean; them: boolean } = { me: false, them: false };
  awaySince: number | undefined; // when the opponent was first seen to be away while on move
  question: Question | undefined;
  readonly side = new SideBoard((c) => this.give(c));
  private asked = 0; // when the question was put
  private about = "";
  private serial = 0;
  private watchers = new Set<() => void>();
  private leave: (() => void)[] = [];
  private rejoining = false;
  private resyncing = false;
  private since = 0; // what the last join asked for

  constructor(link: Link, readonly game: string) {
    super(link);
  }

  open(): () => void {
    this.leave = [
      this.link.listen((frame, at) => this.hear(frame, at)),
      this.link.watch(() => this.changed()),
    ];
    const seen = () => this.here();
    document.addEventListener("visibilitychange", seen);
    this.leave.push(() => document.removeEventListener("visibilitychange", seen));
    if (this.link.heldSince !== undefined) this.hold.begin(this.link.heldSince);
    if (this.link.status === "open") this.join();
    else this.link.start();
    return () => {
      this.link.send({ t: "leave" });
      for (const f of this.leave) f();
      this.watchers.clear();
    };
  }

  watch(f: () => void): () => void {
    this.watchers.add(f);
    return () => this.watchers.delete(f);
  }

  changed(): void {
    for (const f of this.watchers) f();
  }

  // --- frames -----------------------------------------------------------------------------------------------------

  private join(since = this.state?.n ?? 0): void {
    this.link.send({ t: "join", id: commandId(), game: this.game, since });
    this.since = since;
    this.here();
    this.rejoining = true;
  }

  private resync(): void {
    if (this.resyncing || !this.state) return; // a snapshot is on its way
    this.resyncing = true;
    this.join(0);
  }

  private here(): void {
    this.link.send({ t: "here", visible: document.visibilityState === "visible" });
  }

  private hear(frame: ServerFrame, at: number): void {
    switch (frame.t) {
      case "hold":
        if (frame.on) this.hold.begin(at);
        else this.goOn(at);
        break;
      case "hello":
        this.goOn(at); // a hold that lasts is told again
        this.resyncing = false;
        this.join();
        return;
      case "state":
        if (frame.game !== this.game) return;
        this.take(frame, at);
        this.joined();
        break;
      case "joined":
        if (frame.game !== this.game) return;
        this.joined();
        break;
      case "done":
        this.counted(frame.id);
        break;
      case "ev":
        this.events(frame, at);
        break;
      case "err":
        this.refused(frame.id, frame.code, frame.msg);
        break;
      case "rematch":
        if (frame.game !== this.game) return;
        if (frame.by === this.me) this.askedRematch.me = true;
        else this.askedRematch.them = true;
        break;
      default:
        return;
    }
    this.changed();
  }

  private goOn(at: number): void {
    const stood = this.hold.end(at, this.arrival);
    this.arrival += stood;
    this.side.stood(stood);
  }

  private take(s: GameState, at: number): void {
    const before = this.state;
    const over = s.phase === "over" && before && before.phase !== "over";
    if (before && !over && this.since > 0 && s.moves.length <= before.moves.length + 2) {
      // Only a server that was started anew has forgotten what it said last; its pause came before we were back.
      this.tell(SERVER_WAS_AWAY);
    }
    this.state = s;
    this.arrival = at;
    this.problem = undefined;
    this.resyncing = false;
    this.forgetPlaced();
    if (over) play("verdict");
    if (s.phase === "over") this.freeSeat();
    this.review();
  }

  /** A snapshot or an event of the server's replaces what was put down here, unless it is still on its way. */
  private forgetPlaced(): void {
    const s = this.state!;
    const p = this.placed;
    if (!p) return;
    const known = s.moves[p.ply]?.m ?? (this.me && ownPending(s, this.me));
    if (known || !this.me || nextPly(s, this.me) !== p.ply || s.phase === "over") {
      this.outbox.settle(p.id);
      this.placed = undefined;
    }
  }

  private events(frame: EventsFrame, at: number): void {
    const before = this.state;
    const step = receive(before, frame);
    if (step.kind === "gap") {
      this.resync();
      return;
    }
    const command = this.outbox.settle(frame.id);
    if (command && this.placed?.id === command.id) this.placed = undefined;
    if (step.kind === "seen") return;
    this.state = step.state;
    this.arrival = at;
    if (this.placed) this.forgetPlaced();
    frame.e.forEach((e, i) => {
      if (e.k === "press") play("press");
      else if (e.k === "move" && e.by !== this.me) play("move");
      else if (e.k === "end") this.ended();
      const said = noticeOf(frame, i, before!, this.me, Boolean(this.notice));
      if (said) this.tell(said.text, said.tone, said.rule);
    });
    this.review();
  }

  private ended(): void {
    play("verdict");
    this.placed = this.promotion = this.premove = undefined;
    this.outbox.clear();
    this.freeSeat();
  }

  private freeSeat(): void {
    if (this.link.seat === this.game) this.link.seat = undefined;
  }

  /** After every change: is the picker, the premove, the absence still true? */
  private review(): void {
    const s = this.state!;
    const me = this.me;
    this.side.take(s.demo, this.arrival, s.phase === "demo");
    const about = `${s.moves.length} ${s.phase} ${s.offer ?? ""}`; // a question is about one moment of the game
    if (about !== this.about) this.question = undefined;
    this.about = about;
    if (!me || s.phase === "over") {
      this.promotion = this.premove = undefined;
      return;
    }
    const shown = this.shown;
    const ply = nextPly(s, me);
    const open = this.promotion;
    if (open) {
      const possible = isPromotion(shown, me, open.from, open.to) && shown.men.get(open.to)?.color !== me;
      if (open.ply !== ply || !possible || (!open.premove && !mayRelease(s, me))) this.promotion = undefined;
    }
    const fate = reviewPremove(this.premove, shown, me, ply, this.canRelease);
    this.premove = fate.keep;
    if (fate.play) this.release(fate.play);
    const foe = other(me);
    const gone = !s.here.includes(foe) && s.clk.run === foe;
    this.awaySince = gone ? this.awaySince ?? performance.now() : undefined;
  }

  private refused(id: string | undefined, code: string, msg: string): void {
    const command = this.outbox.settle(id);
    if (code === "unknown_game") {
      this.problem = msg;
      return;
    }
    if (!command) return;
    this.side.refused(command.id);
    if (this.placed?.id === command.id) {
      this.placed = undefined;
      if (code === "stale_ply") this.resync();
    }
    if (command.t === "press" && (code === "no_move" || code === "stale_ply")) return; // the move's own refusal said it
    play("refused");
    this.tell(refusalWords(code, msg, command.t), "bad");
  }

  /** Everything that was missed is here: what was not answered is sent once more. */
  private joined(): void {
    if (!this.rejoining) return;
    this.rejoining = false;
    this.side.forget();
    const s = this.state;
    const me = this.me;
    if (!s || !me) return;
    for (const c of this.outbox.resend(nextPly(s, me))) this.link.send(c as Command);
    if (this.placed && !this.outbox.find("move")) this.placed = undefined;
  }

  /** The command was counted before, or changed nothing. */
  private counted(id: string): void {
    const command = this.outbox.settle(id);
    if (command && this.placed?.id === id) this.placed = undefined;
    this.side.refused(id);
  }

  tell(text: string, tone: Notice["tone"] = "info", rule?: string): void {
    this.notice = { text, tone, rule, serial: ++this.serial };
  }

  // --- what the player does ---------------------------------------------------------------------------------------

  /** A man was put down. */
  drop(from: string, to: string): void {
    const me = this.me;
    if (me && this.canRelease) {
      if (isPromotion(this.shown, me, from, to)) {
        this.promotion = { from, to, ply: nextPly(this.state!, me), premove: false };
      } else this.release(from + to);
    }
    this.changed();
  }

  choosePremove(from: string, to: string): void {
    const me = this.me;
    if (me && this.canPremove) {
      const ply = nextPly(this.state!, me);
      if (isPromotion(this.shown, me, from, to)) this.promotion = { from, to, ply, premove: true };
      else this.premove = setPremove(this.shown, me, from + to, ply);
    }
    this.changed();
  }

  cancelPremove(): void {
    this.premove = undefined;
    this.changed();
  }

  promote(kind: Kind | undefined): void {
    const open = this.promotion;
    this.promotion = undefined;
    if (open && kind && this.me) {
      const m = open.from + open.to + kind;
      if (open.premove) this.premove = setPremove(this.shown, this.me, m, open.ply);
      else this.release(m);
    }
    this.changed();
  }

  private release(m: string): void {
    const s = this.state!;
    const ply = nextPly(s, this.me!);
    const command = { t: "move", id: commandId(), m, ply, press: s.mode === "fast" } as const;
    if (!this.give(command)) return;
    this.placed = { m, ply, id: command.id };
    play("move");
  }

  sideDrop(from: string, to: string): void {
    if (this.me && this.stands) this.side.drop(this.me, from, to);
    this.changed();
  }

  sidePromote(kind: Kind | undefined): void {
    this.side.promote(kind);
    this.changed();
  }

  /** A move that was typed: both squares are known. */
  typedMove(m: string): void {
    if (this.demo) {
      if (this.side.mayMove(this.me)) this.side.move(m);
      else this.tell("It is not your move on the side board.", "bad");
    } else if (this.canRelease) this.release(m);
    else if (this.waiting) this.tell("Your move stands on the board: press the clock, or take it back.", "bad");
    else this.tell("It is not your move.", "bad");
    this.changed();
  }

  press(): void {
    if (this.promotion && !this.promotion.premove) this.promote("q");
    const w = this.waiting;
    if (!this.canPress || !w) return;
    this.give({ t: "press", id: commandId(), ply: this.placed?.ply ?? this.state!.moves.length + (w.queued ? 1 : 0) });
    this.changed();
  }

  takeBack(): void {
    if (this.canTakeBack) this.give({ t: "retract", id: commandId(), ply: this.state!.moves.length });
    this.changed();
  }

  claim(claim: ClaimKind | undefined): void {
    if (!claim || !this.knows(claim) || (claim === "illegal" ? !this.canClaimIllegal : !this.live)) return;
    if (!this.outbox.find("claim")) this.give({ t: "claim", id: commandId(), claim });
    this.changed();
  }

  /** Puts a question, or takes it back. */
  ask(question: Question | undefined): void {
    const may = question === "draw" ? this.live && this.knows("draw") : question === "concede" ? this.demo : this.canResign;
    this.question = may ? question : undefined;
    this.asked = performance.now();
    this.changed();
  }

  /** Does what was asked; a second touch that comes too soon was meant for what stood there before. */
  confirm(): void {
    const question = this.question;
    if (!question || performance.now() - this.asked < SWAP_GUARD) return;
    this.question = undefined;
    if (question === "draw") this.claim("draw");
    else if (question === "concede") this.side.concede();
    else if (this.canResign) this.give({ t: "resign", id: commandId() });
    this.changed();
  }

  /** The key for a draw claim: it asks, and pressed again it claims. */
  claimDraw(): void {
    if (this.question === "draw") this.confirm();
    else this.ask("draw");
  }

  callArbiter(): void {
    if (this.live) this.give({ t: "dispute", id: commandId() });
    this.changed();
  }

  offerDraw(): void {
    if (this.canAgree && !this.state!.offer && this.give({ t: "offer", id: commandId() })) this.tell("You offered a draw.");
    this.changed();
  }

  answerDraw(accept: boolean): void {
    if (this.canAgree && this.state!.offer === other(this.me!)) this.give({ t: "answer", id: commandId(), accept });
    this.changed();
  }

  muteOffers(): void {
    if (this.live) this.give({ t: "mute", id: commandId() });
    this.changed();
  }

  rematch(): void {
    const command = { t: "rematch", id: commandId(), game: this.game } as const;
    if (this.link.send(command)) {
      this.outbox.add(command);
      this.askedRematch.me = true;
    }
    this.changed();
  }

  private give(command: Extract<Command, { id: string }>): boolean {
    if (!this.link.send(command)) {
      this.tell("No connection: nothing was sent.", "bad");
      return false;
    }
    this.outbox.add(command);
    return true;
  }
}
