import { useEffect, useState } from "preact/hooks";
import { liveGames, type Summary } from "../api";
import { Frame } from "../people/frame";
import { Who } from "../people/name";
import { A } from "../router";
import { MiniBoard } from "../table/miniboard";
import { termsWords } from "../terms";

/** /live: the games that are being played. */
export function LivePage() {
  return (
    <Frame title="Being played now">
      <h1>Games</h1>
      <nav class="tabs" aria-label="Which games">
        <A href="/games">Finished</A>
        <A href="/live" aria-current="page">Being played now</A>
      </nav>
      <LiveGames />
    </Frame>
  );
}

const EVERY = 5000;

/** The games that are being played, as they stand. */
export function LiveGames() {
  const [games, setGames] = useState<Summary[] | undefined>();
  useEffect(() => {
    let gone = false;
    const load = () => {
      if (document.visibilityState !== "visible") return;
      liveGames().then((g) => !gone && setGames(g), () => undefined); // the last list stays
    };
    load();
    const timer = setInterval(load, EVERY);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, []);
  if (games === undefined) return <p class="quiet">Loading…</p>;
  if (games.length === 0) return <p class="quiet">No game at the moment. Start one!</p>;
  return (
    <ul class="games">
      {games.map((g) => (
        <li key={g.game} class="game">
          <A href={`/g/${g.game}`} class="watch" aria-label={`Watch ${g.white.name} against ${g.black.name}`}><MiniBoard board={g.board} /></A>
          <span class="who"><b><Who person={g.white} /></b> v <b><Who person={g.black} /></b></span>
          <span class="quiet">{termsWords(g)}, move {Math.floor(g.ply / 2) + 1}</span>
        </li>
      ))}
    </ul>
  );
}
