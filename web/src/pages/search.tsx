import { useEffect } from "preact/hooks";
import { personPage, searchApi } from "../history";
import { usePages } from "../people/answer";
import { Frame, Loading, Older, Trouble } from "../people/frame";
import { Who } from "../people/name";
import { navigate, useQuery } from "../router";
import type { Person } from "../wire";

/** /people?name={beginning}: people by the beginning of their name. The only one there is, is gone to at once. */
export function SearchPage() {
  const name = new URLSearchParams(useQuery()).get("name")?.trim() ?? "";
  const { lines, more, loading, problem, older } = usePages<Person>(name ? searchApi(name) : undefined, "people");
  const only = lines?.length === 1 && lines[0]!.name.toLowerCase() === name.toLowerCase() ? lines[0]!.name : undefined;
  useEffect(() => {
    if (only !== undefined) navigate(personPage(only), true);
  }, [only]);
  return (
    <Frame title="Players">
      <h1>Players</h1>
      {!name && <p>Type a name, or its beginning, into the field above.</p>}
      {name && loading && !lines && <Loading what={`Looking for ${name}…`} />}
      {lines?.length === 0 && <p class="none" role="status">Nobody is called {name}, and no name begins so. Guests are not listed.</p>}
      {lines && lines.length > 0 && (
        <>
          <p class="quiet">Names that begin with {name}:</p>
          <ul class="names">{lines.map((p) => <li key={p.id}><Who person={p} /></li>)}</ul>
        </>
      )}
      {problem && <Trouble problem={problem} again={older} />}
      <Older more={more} loading={loading} text="More names" older={older} />
    </Frame>
  );
}
