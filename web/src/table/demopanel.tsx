import { useEffect } from "preact/hooks";
import { useSwapGuard } from "../hooks";
import type { GameState } from "../wire";
import { demoWords } from "../words";
import { Sure } from "./controls";
import type { TableModel } from "./model";
import { Ruled } from "./ruled";

const SURE_FOR = 6000;

/** Beside the side board: who has to show what, and the ways out of it. */
export function DemoPanel({ table, s }: { table: TableModel; s: GameState }) {
  const demo = table.side.demo!;
  const question = table.question;
  const guard = useSwapGuard(question ?? "plain");
  useEffect(() => {
    if (!question) return undefined;
    const timer = setTimeout(() => table.question === question && table.ask(undefined), SURE_FOR);
    return () => clearTimeout(timer);
  }, [question, table]);
  const shows = demo.by === table.me;
  return (
    <div class="controls demo">
      <section class="demotext" aria-label="A win is being shown">
        <h2>Side board</h2>
        <p><Ruled text={demoWords(demo.by, table.me)} rule={demo.rule} rules={s.rules} aside /></p>
        <p class="quiet">The game itself and its clocks stand still meanwhile.</p>
      </section>
      {question ? <Sure table={table} question={question} guard={guard} /> : (
        <div class="secondary" role="group" aria-label="Side board">
          <button type="button" onClick={guard(() => table.ask("concede"))} disabled={!table.stands}>
            {shows ? "I cannot show it" : "I believe the win"}
          </button>
          <button type="button" onClick={guard(() => table.ask("resign"))} disabled={!table.canResign}>Resign</button>
        </div>
      )}
    </div>
  );
}
