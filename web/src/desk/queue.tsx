import { useState } from "preact/hooks";
import type { Waiting } from "../event/types";
import { countdown } from "../event/words";
import { colorName } from "../wire";
import { ReasonForm } from "./form";
import { LiveText } from "./live";
import { type DeskModel, inOrder } from "./model";
import { daytime, versus, waitingWords } from "./words";

/** What waits for a ruling. */
export function Queue({ model, open }: { model: DeskModel; open: (game: string) => void }) {
  const queue = inOrder(model.desk!.queue);
  return (
    <section class="queue" aria-labelledby="queue-title">
      <h2 id="queue-title">Waiting for a ruling{queue.length > 0 && <span class="count">{queue.length}</span>}</h2>
      {queue.length === 0 && <p class="quiet">Nothing. Disputes, demonstrations, wrong claims and reports come here, with a sound.</p>}
      <ul aria-live="polite" aria-relevant="additions">
        {queue.map((w) => <Line key={w.id} model={model} w={w} open={open} />)}
      </ul>
    </section>
  );
}

function Line({ model, w, open }: { model: DeskModel; w: Waiting; open: (game: string) => void }) {
  const own = model.own(w);
  const side = w.by === "w" || w.by === "b" ? ` (${colorName(w.by)})` : "";
  return (
    <li class={w.stops ? "stops" : ""}>
      <p>
        <b>{waitingWords(w)}</b>{side}
        {w.stops && <span class="tag">clocks stand</span>}
        {w.until !== undefined && <span class="tag">{"play goes on in "}<LiveText text={() => countdown(w.until! - model.civil())} /></span>}
      </p>
      <p class="quiet">{versus(w)} · {daytime(w.at)}</p>
      {w.text && <blockquote>{w.text}</blockquote>}
      {own
        ? <p class="quiet">Your own game: another arbiter rules on it.</p>
        : (
          <div class="row">
            <button type="button" class="button primary" onClick={() => open(w.game)}>Open the game</button>
            {w.kind !== "demo" && model.mayRule && !w.stops && <Settle model={model} id={w.id} />}
          </div>
        )}
    </li>
  );
}

/** Closes what asks for nothing, or has been answered. */
export function Settle({ model, id }: { model: DeskModel; id: string }) {
  const [asked, setAsked] = useState(false);
  if (!asked) return <button type="button" class="button" onClick={() => setAsked(true)}>Close it</button>;
  return (
    <ReasonForm model={model} action="Close it" label="What you found" reasons={["Nothing to rule on", "Talked to both players"]}
      what={(why) => ({ do: "settle", report: id, why })} close={() => setAsked(false)} />
  );
}
