import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { announceMove, BLIND_HELP, blindCommand } from "../blind";
import { readMove } from "../reader";
import { bookAddress, bookName, countWords, termsWords } from "../terms";
import { riskWords, standingWords } from "../words";
import { KEYS } from "./keys";
import type { TableModel } from "./model";

/** The field for typed moves and the commands of blind play, with what it answers. */
export function Entry({ table, field }: { table: TableModel; field: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState("");
  const [choice, setChoice] = useState<string[]>([]);
  const [answer, setAnswer] = useState("");
  const clear = () => {
    setText("");
    setChoice([]);
  };
  const play = (m: string) => {
    clear();
    setAnswer("");
    table.typedMove(m);
  };
  const enter = (e: Event) => {
    e.preventDefault();
    if (!text.trim()) return table.press();
    const s = table.state;
    const me = table.me;
    if (!s || !me) return;
    const shown = table.demo ? table.side.shown : table.shown;
    const said = blindCommand(text, { ...s, clk: table.clk }, shown, table.arrival, performance.now());
    if (said) {
      clear();
      if (said.kind === "say") setAnswer(said.text);
      else setAnswer(carryOut(table, said.what));
      return;
    }
    const read = readMove(text, shown, me);
    if (read.kind === "move") play(read.m);
    else if (read.kind === "ambiguous") {
      setChoice(read.moves);
      setAnswer(`Which one? ${read.moves.join(" or ")}`);
    } else {
      setAnswer(read.why);
      field.current?.select(); // what is typed next replaces it
    }
  };
  const keyDown = (e: KeyboardEvent) => {
    if (e.key === "Escape") field.current?.blur();
    if (e.key !== " " || text) return;
    e.preventDefault(); // no move begins with a space: it presses the clock here too
    if (!e.repeat) table.press();
  };
  return (
    <section class="typed" aria-label="Typed moves">
      <form onSubmit={enter}>
        <label>
          <span class="sr">Move or command</span>
          <input
            ref={field} value={text} placeholder="Type a move: e2e4, Nf3" autocomplete="off" autocapitalize="off" spellcheck={false}
            onInput={(e) => setText(e.currentTarget.value)} onKeyDown={keyDown}
          />
        </label>
        <button type="submit" class="button">{text.trim() || table.state?.mode === "fast" ? "Move" : "Press"}</button>
      </form>
      {choice.length > 0 && (
        <p class="choice">{choice.map((m) => <button type="button" class="button" key={m} onClick={() => play(m)}>{m}</button>)}</p>
      )}
      {answer && <p class="answer">{answer}</p>}
      <Speaker lines={[answer, table.notice?.text ?? "", ...(table.state ? [announceMove(table.state), standingWords(table.state, table.me)] : ["", ""])]} />
    </section>
  );
}

function carryOut(table: TableModel, what: string): string {
  switch (what) {
    case "press": table.press(); return "";
    case "illegal": table.claim("illegal"); return "";
    case "flag": table.claim(table.flagClaim); return "";
    case "draw": table.offerDraw(); return "";
    case "claim draw":
      table.claimDraw();
      return table.question === "draw" ? `Claim a draw? ${riskWords(table.state!.risk)} Type claim draw once more.` : "";
    case "arbiter": table.callArbiter(); return "";
    case "losing": table.claim("ilc"); return "";
    case "concede": table.ask("concede"); return table.demo ? "To concede use the button; it asks once more." : "";
    case "back": table.takeBack(); return "";
    case "resign": return "To resign use the button; it asks once more.";
    default: return BLIND_HELP;
  }
}

export function Help({ table }: { table: TableModel }) {
  const s = table.state!;
  return (
    <details class="help">
      <summary>Keys, commands and terms</summary>
      <p>
        {termsWords(s)}, {countWords(s)}. <a href={bookAddress(s.rules)} target="_blank" rel="noopener">The {bookName(s.rules)} rules</a>
      </p>
      <dl>{KEYS.map(([key, what]) => <><dt><kbd>{key}</kbd></dt><dd>{what}</dd></>)}</dl>
      <p>{BLIND_HELP}</p>
      <p><a href="/rules" target="_blank" rel="noopener">The rules</a> (in a window of their own; the game goes on here)</p>
    </details>
  );
}

/** A polite live region that speaks at most once a second, the newest of each kind. */
export function Speaker({ lines }: { lines: string[] }) {
  const [spoken, setSpoken] = useState("");
  const last = useRef<string[]>([]);
  const due = useRef<string[]>([]);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => {
    const fresh = lines.filter((line, i) => line && line !== last.current[i]);
    last.current = lines;
    if (fresh.length === 0) return;
    due.current.push(...fresh);
    if (timer.current !== undefined) return;
    const speak = () => {
      timer.current = undefined;
      if (due.current.length === 0) return;
      setSpoken(due.current.join(" "));
      due.current = [];
      timer.current = setTimeout(speak, 1000) as unknown as number;
    };
    speak();
  }, lines);
  useEffect(() => () => clearTimeout(timer.current), []);
  return <p class="sr" aria-live="polite">{spoken}</p>;
}
