import { type Leader, leadersApi } from "../history";
import { usePages } from "../people/answer";
import { Frame, Loading, Older, Trouble } from "../people/frame";
import { Name } from "../people/name";
import { A, useQuery } from "../router";
import { BOOKS } from "../terms";

/** /leaders?kind={rule set}: the best ratings. */
export function LeadersPage() {
  const asked = new URLSearchParams(useQuery()).get("kind");
  const kind = BOOKS.find((b) => b.id === asked)?.id ?? BOOKS[0]!.id;
  const { lines, more, loading, problem, older } = usePages<Leader>(leadersApi(kind), "leaders");
  return (
    <Frame title="Leaders">
      <h1>Leaders</h1>
      <nav class="tabs" aria-label="Rules">
        {BOOKS.map((b) => <A key={b.id} href={`/leaders?kind=${b.id}`} aria-current={b.id === kind ? "page" : undefined}>{b.name}</A>)}
      </nav>
      {!lines && loading && <Loading what="Loading the leaders…" />}
      {lines?.length === 0 && <p class="none">Nobody has a settled rating by these rules yet. Be the first: some rated games against different people will do.</p>}
      {lines && lines.length > 0 && (
        <table class="leaders">
          <thead><tr><th scope="col">Place</th><th scope="col">Player</th><th scope="col">Rating</th><th scope="col">Games</th></tr></thead>
          <tbody>
            {lines.map((l, i) => (
              <tr key={l.id}>
                <td>{i + 1}</td>
                <th scope="row"><Name name={l.name} /></th>
                <td>{l.rating}</td>
                <td>{l.games}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {problem && <Trouble problem={problem} again={older} />}
      <Older more={more} loading={loading} text="More places" older={older} />
      <p class="quiet note">
        Who has a provisional rating, which is marked 1500? elsewhere, is not listed: after few games, or a long time without one, it may still be
        far from the player’s strength.
      </p>
    </Frame>
  );
}
