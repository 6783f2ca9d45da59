import { useEffect, useState } from "preact/hooks";
import { problemWords } from "../api";
import { chat } from "../event/api";
import type { ChatLine } from "../event/types";
import { Trouble, useDoing } from "./form";
import { Hushed } from "./lists";
import type { DeskModel } from "./model";
import { daytime } from "./words";

const EACH = 2000;

/** What spectators write, with the means to stop it. */
export function Moderation({ model }: { model: DeskModel }) {
  const [lines, setLines] = useState<ChatLine[] | undefined>();
  const [trouble, setTrouble] = useState("");
  const doing = useDoing(model);
  const turn = model.desk!.acts[0]?.n ?? 0;
  useEffect(() => {
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () =>
      // all of it each time: lines may have been taken out; `turn` asks at once after an act
      chat(model.event, 0).then(
        (c) => {
          if (gone) return;
          setLines(c.chat);
          setTrouble("");
        },
        (e) => !gone && setTrouble(problemWords(e)),
      ).finally(() => {
        if (!gone && turn >= 0) timer = setTimeout(ask, EACH);
      });
    void ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [model, turn]);
  return (
    <>
      <Hushed model={model} people={model.desk!.hushed ?? []} />
      <Trouble text={trouble || doing.trouble} />
      {lines?.length === 0 && <p class="quiet">Nobody has written anything.</p>}
      <ol class="lines">
        {[...(lines ?? [])].reverse().map((l) => (
          <li key={l.n}>
            <time>{daytime(l.at)}</time> <b>{l.who.name}</b> {l.text}
            <span class="acts">
              <button type="button" class="plain" disabled={doing.busy} onClick={() => doing.run({ do: "unsay", n: l.n })}>Take it out</button>
              <button type="button" class="plain" disabled={doing.busy} onClick={() => doing.run({ do: "hush", who: l.who.id, on: true })}>No more from {l.who.name}</button>
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
