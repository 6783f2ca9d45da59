import { useEffect, useRef, useState } from "preact/hooks";
import { momentWords, type Point, type Rating, ratingsApi, series, signed } from "../history";
import { A } from "../router";
import { bookName } from "../terms";
import { useAnswer } from "./answer";
import { Loading, Trouble } from "./frame";

const LISTED = 20;

/** A rating over time: drawn, and its last changes in a table for who does not see the drawing. */
export function RatingGraph({ name, rating }: { name: string; rating: Rating }) {
  const { value, problem, loading, again } = useAnswer<{ points: Point[] }>(ratingsApi(name, rating));
  if (problem) return <Trouble problem={problem} again={again} />;
  if (!value || loading) return <div class="graph"><Loading what="Loading the graph…" /></div>;
  return <Graph points={value.points} kind={rating.kind} byDay={rating.games > value.points.length} />;
}

function Graph({ points, kind, byDay }: { points: Point[]; kind: string; byDay: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const [under, setUnder] = useState<number | undefined>();
  useEffect(() => {
    let gone = false;
    let close: (() => void) | undefined;
    // Without the drawing the table still tells all.
    import("./chart").then(
      ({ draw }) => {
        if (!gone && box.current) close = draw(box.current, series(points), setUnder);
      },
      () => undefined,
    );
    return () => {
      gone = true;
      close?.();
    };
  }, [points]);
  // The graph begins with what was before the first game.
  const point = under === undefined ? undefined : points[points.length - under];
  const ratings = points.map((p) => p.rating);
  const last = points[0];
  if (!last) return null;
  const told = `${bookName(kind)} rating from ${momentWords(points.at(-1)!.at)} to ${momentWords(last.at)}: now ${last.rating}, highest ${Math.max(...ratings)}, lowest ${Math.min(...ratings)}`;
  return (
    <>
      <div class="graph" ref={box} role="img" aria-label={told} />
      <p class="quiet readout">
        {point ? `${momentWords(point.at)}: ${point.rating} (${signed(point.change)})` : `Highest ${Math.max(...ratings)}, lowest ${Math.min(...ratings)}.`}
      </p>
      <details class="changes">
        <summary>The last changes as a table</summary>
        <table>
          <thead><tr><th scope="col">{byDay ? "Last game of the day" : "Game"}</th><th scope="col">Rating</th><th scope="col">Change</th></tr></thead>
          <tbody>
            {points.slice(0, LISTED).map((p) => (
              <tr key={p.game}>
                <td><A href={`/g/${encodeURIComponent(p.game)}`}>{momentWords(p.at)}</A></td>
                <td>{p.rating}</td>
                <td>{signed(p.change)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
