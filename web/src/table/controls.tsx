import { useEffect } from "preact/hooks";
import { useSwapGuard } from "../hooks";
import { other } from "../wire";
import { riskWords } from "../words";
import { Menu } from "./menu";
import type { Question, TableModel } from "./model";

/** The buttons of a player, in fixed places: whatever can be done now or not, nothing moves. */
export function Controls({ table }: { table: TableModel }) {
  return (
    <div class="controls">
      <Claims table={table} />
      <Secondary table={table} />
      <PressButton table={table} />
    </div>
  );
}

function Claims({ table }: { table: TableModel }) {
  const claim = table.flagClaim;
  const label = claim === "both_flags" ? "Both flags" : claim === "draw_8f" ? "No material" : "Flag fell";
  const guard = useSwapGuard(claim ?? "");
  return (
    <div class="claims" role="group" aria-label="Claims">
      {table.knows("illegal") && (
        <button type="button" class="claim" disabled={!table.canClaimIllegal} onClick={() => table.claim("illegal")} aria-keyshortcuts="i">
          <small>Claim</small> Illegal move
        </button>
      )}
      {table.knows("time") && (
        <button type="button" class="claim" disabled={!table.live || !claim} onClick={guard(() => table.claim(claim))} aria-keyshortcuts="f">
          <small>Claim</small> {label}
        </button>
      )}
      <button type="button" class="claim" disabled={!table.live} onClick={() => table.ask("draw")} aria-keyshortcuts="c">
        <small>Claim</small> Draw
      </button>
    </div>
  );
}

function PressButton({ table }: { table: TableModel }) {
  const can = table.canPress || Boolean(table.promotion && !table.promotion.premove);
  const fast = table.state?.mode === "fast";
  const now = (e: PointerEvent) => {
    if (e.button !== 0) return;
    e.preventDefault();
    table.press();
  };
  if (fast) return <p class="press fast">Dropping a man presses the clock</p>;
  return (
    <button
      type="button" class={`press${can ? " due" : ""}`} disabled={!can} aria-keyshortcuts="Space"
      onPointerDown={now} onClick={(e) => e.detail === 0 && table.press()}
    >
      Press clock
    </button>
  );
}

const SURE_FOR = 6000;

/** The row that is a question at times: resign for certain, claim a draw for certain, accept a draw. */
function Secondary({ table }: { table: TableModel }) {
  const question = table.question;
  const offered = table.state?.offer === other(table.me!);
  useEffect(() => {
    if (!question) return undefined;
    const timer = setTimeout(() => table.question === question && table.ask(undefined), SURE_FOR);
    return () => clearTimeout(timer);
  }, [question, table]);
  const guard = useSwapGuard(question ?? (offered ? `offer ${table.state?.moves.length}` : "plain"));
  if (question) return <Sure table={table} question={question} guard={guard} />;
  if (offered) return <Offer table={table} guard={guard} />;
  const open = table.state?.offer === table.me;
  return (
    <div class="secondary" role="group" aria-label="More">
      <button
        type="button" disabled={!table.canTakeBack} onClick={guard(() => table.takeBack())} aria-keyshortcuts="u"
        title="Only an illegal move, before the press"
      >
        Take back
      </button>
      <button type="button" disabled={!table.canAgree || open} onClick={guard(() => table.offerDraw())} aria-keyshortcuts="d">
        {open ? "Draw offered" : "Offer draw"}
      </button>
      <button type="button" disabled={!table.canResign} onClick={guard(() => table.ask("resign"))}>Resign</button>
      <Menu table={table} />
    </div>
  );
}

const QUESTIONS: Record<Question, [ask: string, yes: string]> = {
  resign: ["Resign?", "Yes, resign"], draw: ["Claim a draw?", "Yes, claim"], concede: ["Concede?", "Yes, concede"],
};

type Guard = (action: () => void) => () => void;

export function Sure({ table, question, guard }: { table: TableModel; question: Question; guard: Guard }) {
  const [ask, yes] = QUESTIONS[question];
  const risk = question === "draw" ? riskWords(table.state!.risk) : "";
  return (
    <div class="secondary" role="group" aria-label={ask}>
      <span class="question">{ask}{risk && <small>{risk}</small>}</span>
      <button type="button" class={question === "draw" ? "good" : "danger"} onClick={guard(() => table.confirm())}>{yes}</button>
      <button type="button" onClick={guard(() => table.ask(undefined))}>No</button>
    </div>
  );
}

function Offer({ table, guard }: { table: TableModel; guard: Guard }) {
  const mute = () => {
    table.answerDraw(false);
    table.muteOffers();
  };
  return (
    <div class="secondary" role="group" aria-label="A draw is offered">
      <span class="question">Draw?</span>
      <button type="button" class="good" onClick={guard(() => table.answerDraw(true))} aria-keyshortcuts="y">Accept</button>
      <button type="button" onClick={guard(() => table.answerDraw(false))} aria-keyshortcuts="n">Decline</button>
      <button type="button" onClick={guard(mute)} title="Decline, and take no more offers in this game">Mute</button>
    </div>
  );
}
