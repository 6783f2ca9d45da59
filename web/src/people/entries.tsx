import { formatBase } from "../clock";
import { type Entry, moveCount, momentWords, OUTCOMES, outcomeFor, type Player, reasonWords, SCORES, signed } from "../history";
import { A } from "../router";
import { bookName, modeName } from "../terms";
import { Name } from "./name";

/** Finished games in a list, told for `person` if there is one. Each line leads to its game. */
export function Entries({ games, person }: { games: Entry[]; person?: string | undefined }) {
  return <ul class="entries">{games.map((e) => <Line key={e.game} e={e} person={person} />)}</ul>;
}

function Line({ e, person }: { e: Entry; person: string | undefined }) {
  const outcome = person === undefined ? undefined : outcomeFor(e, person);
  const told = e.result === "*" ? "no result" : e.result.replace("-", " to ").replaceAll("1/2", "½");
  return (
    <li class="entry">
      <A href={`/g/${encodeURIComponent(e.game)}`} class={`score ${outcome ?? ""}`} aria-label={`${e.white.name} against ${e.black.name}, ${told}, ${momentWords(e.ended)}`}>
        {outcome ? OUTCOMES[outcome] : SCORES[e.result]}
      </A>
      <span class="players">
        <Seat player={e.white} side="white" person={person} />
        <Seat player={e.black} side="black" person={person} />
      </span>
      <span class="how">
        {formatBase(e.base)}, {modeName(e.mode)}, {bookName(e.rules)}, {e.rated ? "rated" : "casual"} · {reasonWords(e.reason)}, {moveCount(e.plies)}
      </span>
      <time dateTime={e.ended}>{momentWords(e.ended)}</time>
    </li>
  );
}

function Seat({ player, side, person }: { player: Player; side: "white" | "black"; person: string | undefined }) {
  const { before, after } = player;
  return (
    <span class="seat">
      <span class={`disc ${side}`} role="img" aria-label={side === "white" ? "White:" : "Black:"} />
      {player.id === person ? <b>{player.name}</b> : <Name name={player.name} />}
      {before !== undefined && after !== undefined && (
        <span class="change">{before} <span class={after > before ? "up" : after < before ? "down" : ""}>{signed(after - before)}</span></span>
      )}
    </span>
  );
}
