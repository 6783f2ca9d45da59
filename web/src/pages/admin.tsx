import { useCallback, useEffect, useState } from "preact/hooks";
import { ensureGuest, people, problemWords, resetLink, setClosed, setRole, type Someone } from "../api";
import { dayWords, momentWords } from "../history";
import { useTitle } from "../hooks";
import { A } from "../router";
import { Footer, Header } from "./lost";

const ROLES = ["player", "organiser", "arbiter", "administrator"];
const PAGE = 100;

/** For administrators: roles, links for those who have forgotten their password, accounts closed and opened. */
export function AdminPage() {
  useTitle("Accounts · Flagfall");
  const [list, setList] = useState<Someone[]>([]);
  const [more, setMore] = useState(false);
  const [said, setSaid] = useState("");
  const [trouble, setTrouble] = useState("");
  const failed = useCallback((e: unknown) => setTrouble(problemWords(e)), []);
  const load = useCallback((after: string, before: Someone[]) => {
    people(after).then((page) => {
      setList([...before, ...page]);
      setMore(page.length === PAGE);
    }, failed);
  }, [failed]);
  useEffect(() => {
    ensureGuest().then(() => load("", []), failed); // a token that has expired is renewed first
  }, [load, failed]);
  const act = (done: Promise<Someone>) => {
    setTrouble("");
    done.then((now) => setList((all) => all.map((one) => (one.id === now.id ? now : one))), (e) => {
      failed(e);
      setList((all) => [...all]); // what was chosen and refused is shown as it is
    });
  };
  const link = (one: Someone) => {
    setTrouble("");
    resetLink(one.id).then((made) => setSaid(`For ${one.name}, good once, until ${momentWords(made.until)}: ${made.link}`), failed);
  };
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1} class="home account">
        <h1>Accounts</h1>
        {trouble && <p class="banner bad" role="alert">{trouble}</p>}
        {said && <p class="banner" role="status">{said}</p>}
        <table class="people">
          <thead><tr><th>Name</th><th>Role</th><th>Since</th><th>What to do</th></tr></thead>
          <tbody>
            {list.map((one) => <Line key={`${one.id} ${one.role}`} one={one} act={act} link={link} />)}
          </tbody>
        </table>
        {more && <button type="button" class="button" onClick={() => load(list.at(-1)?.name ?? "", list)}>More</button>}
        <p class="after"><A href="/account">Back to your own</A></p>
      </main>
      <Footer />
    </>
  );
}

function Line({ one, act, link }: { one: Someone; act: (done: Promise<Someone>) => void; link: (one: Someone) => void }) {
  return (
    <tr>
      <td>{one.name}{one.closed && <small> (closed)</small>}</td>
      <td>
        {one.owner ? "bot" : (
          <select aria-label={`Role of ${one.name}`} value={one.role} onChange={(e) => act(setRole(one.id, e.currentTarget.value))}>
            {ROLES.map((r) => <option key={r} value={r}>{r}</option>)}
          </select>
        )}
      </td>
      <td>{dayWords(one.created)}</td>
      <td>
        <span class="acts">
          {!one.owner && <button type="button" class="plain" onClick={() => link(one)}>Link for a new password</button>}
          <button type="button" class="plain" onClick={() => act(setClosed(one.id, !one.closed))}>{one.closed ? "Open" : "Close"} the account</button>
        </span>
      </td>
    </tr>
  );
}
