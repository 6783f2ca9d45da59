// Which of the events are said in the status line, and how.
import { turnOf } from "../gamelog";
import {
  backWords, delayWords, deniedWords, demoEndWords, disputeWords, faultWords, pauseWords, restoredWords, rulingWords,
} from "../words";
import type { Color, EventsFrame, GameState } from "../wire";

export interface Said { text: string; tone: "info" | "bad"; rule?: string | undefined }

/** What to say of event `i` of a frame; `before` is the table before the frame, `busy` that something is being said. */
export function noticeOf(frame: EventsFrame, i: number, before: GameState, me: Color | undefined, busy: boolean): Said | undefined {
  const e = frame.e[i]!;
  const info = (text: string): Said => ({ text, tone: "info", rule: e.rule });
  const bad = (text: string): Said => ({ text, tone: "bad", rule: e.rule });
  switch (e.k) {
    case "denied": return bad(deniedWords(e, me, frame.clk));
    case "restored": {
      const m = before.moves[e.ply ?? 0]?.m ?? frame.e.slice(0, i).find((x) => x.k === "move")?.m ?? before.pending;
      return bad(restoredWords(e, m, me, frame.clk));
    }
    case "fault": return bad(faultWords(e, me, frame.e[i - 1]?.k !== "press", frame.clk));
    case "delay": return info(delayWords(e, me, frame.clk));
    case "dispute": return info(disputeWords(e, me));
    case "ruling": return bad(rulingWords(e, me, frame.clk));
    case "demoend": return info(demoEndWords(e));
    case "pause": return info(pauseWords(e, turnOf(before)));
    case "back": return info(backWords(e, me, frame.e.some((x) => x.k === "unqueued")));
    case "decline": return me && before.offer === me ? info("Your draw offer was not accepted.") : undefined;
    case "muted": return info("No more draw offers will reach you in this game.");
    case "resume": return busy || frame.e.length > 1 ? undefined : info("The game goes on.");
    default: return undefined;
  }
}
