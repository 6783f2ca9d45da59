import type { DeskGame } from "../event/types";
import { LiveClock } from "./live";
import type { DeskModel } from "./model";
import { byNeed, oddity, versus } from "./words";

const SIDES = ["w", "b"] as const;

interface Props { model: DeskModel; chosen: string | undefined; open: (game: string) => void }

/** The games that are being played: what needs an arbiter first. */
export function Games({ model, chosen, open }: Props) {
  const games = byNeed(model.desk!.games);
  return (
    <section class="livegames" aria-labelledby="games-title">
      <h2 id="games-title">Games <span class="count">{games.length}</span></h2>
      {games.length === 0 ? <p class="quiet">No game is being played.</p> : (
        <ul>
          {games.map((g) => <Line key={g.game} model={model} g={g} chosen={g.game === chosen} open={open} />)}
        </ul>
      )}
    </section>
  );
}

function Line({ model, g, chosen, open }: { model: DeskModel; g: DeskGame; chosen: boolean; open: (game: string) => void }) {
  const odd = oddity(g);
  const own = model.own(g);
  const name = own ? g.white.name : (
    <button type="button" class="pick" aria-label={`Open ${versus(g)}${odd ? `, ${odd}` : ""}`} aria-pressed={chosen} onClick={() => open(g.game)}>{g.white.name}</button>
  );
  return (
    <li class={`${chosen ? "chosen" : ""}${g.phase === "dispute" || g.dispute ? " dispute" : ""}`}>
      <span class="who">{name}</span>
      {SIDES.map((c) => (g.phase ? <LiveClock key={c} clk={g.clk} side={c} at={model.at} /> : <span key={c} class="liveclock">–</span>))}
      <span class="who">{g.black.name}</span>
      {(odd || own || g.claims > 0) && (
        <span class="odd">
          {odd && <span class={g.phase === "waiting" ? "tag mild" : "tag"}>{odd}</span>}
          {g.claims > 0 && <span class="tag mild" title="Claims that did not hold">{g.claims === 1 ? "1 claim" : `${g.claims} claims`}</span>}
          {own && <span class="tag mild">your own game</span>}
        </span>
      )}
    </li>
  );
}
