import type { Finished } from "../api";
import { type Entry, oneGameApi, type Player, signed } from "../history";
import type { GameState } from "../wire";
import { useAnswer } from "./answer";

/** What a rated game did to both ratings, once it is in the archive. */
export function RatingChanges({ s, log }: { s: GameState; log: Finished | undefined }) {
  const address = s.rated && log?.ended ? oneGameApi(s.white.name, s.black.name, log.ended) : undefined;
  const { value } = useAnswer<{ games: Entry[] }>(address);
  const game = value?.games.find((e) => e.game === s.game);
  if (game?.white.after === undefined) return null;
  return <p class="finals">Ratings: {words(game.white)}, {words(game.black)}</p>;
}

const words = ({ name, before = 0, after = 0 }: Player): string => `${name} ${after} (${signed(after - before)})`;
