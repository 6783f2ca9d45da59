import { useEffect, useRef } from "preact/hooks";
import { formatClock } from "../clock";
import { pairs, type ScoreLine } from "./score";

interface Props {
  lines: ScoreLine[];
  at?: number | undefined; // the index shown on the board, in replays
  go?: ((index: number) => void) | undefined;
}

/** The moves with the times they left on the clock. */
export function Moves({ lines, at, go }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const current = at ?? lines.length - 1;
  useEffect(() => {
    const box = list.current;
    const here = box?.querySelector<HTMLElement>(".current");
    if (box && here) box.scrollTop = here.offsetTop - box.clientHeight / 2;
  }, [current, lines.length]);
  const cell = (i: number | undefined) => {
    const line = i === undefined ? undefined : lines[i];
    if (i === undefined || !line) return <td />;
    const body = (
      <>
        <span class="move">{line.text}{line.illegal && <span class="illegal" title="illegal"> illegal</span>}</span>
        <span class="time">{line.ms === undefined ? "" : formatClock(line.ms, line.ms <= 0)}</span>
      </>
    );
    const kind = i === current ? "current" : "";
    return <td class={kind}>{go ? <button type="button" onClick={() => go(i)}>{body}</button> : <span class="still">{body}</span>}</td>;
  };
  return (
    <div class="moves" ref={list}>
      {lines.length === 0 ? <p class="quiet">No moves yet.</p> : (
        <table>
          <caption><span class="sr">Moves and remaining times</span></caption>
          <colgroup><col class="number" /><col /><col /></colgroup>
          <tbody>
            {pairs(lines).map((row) => <tr key={row.number}><th scope="row">{row.number}.</th>{cell(row.white)}{cell(row.black)}</tr>)}
          </tbody>
        </table>
      )}
    </div>
  );
}
