import { useCallback, useEffect, useState } from "preact/hooks";
import { type Account, account, changePassword, deleteAccount, endSession, logOut, logOutEverywhere, Problem, problemWords } from "../api";
import { dayWords, momentWords } from "../history";
import { useTitle } from "../hooks";
import type { Link } from "../link";
import { A, navigate } from "../router";
import { Bots } from "./bots";
import { Field, Form, PASSWORD_HINT } from "./form";
import { Footer, Header, Lost } from "./lost";

export function AccountPage({ link }: { link: Link }) {
  useTitle("Your account · Flagfall");
  const [mine, setMine] = useState<Account | Problem | undefined>();
  const load = useCallback(() => {
    account().then(setMine, (e) => setMine(e instanceof Problem ? e : new Problem(0, "", problemWords(e))));
  }, []);
  useEffect(load, [load]);
  if (mine instanceof Problem) {
    if (mine.status === 401 || mine.code === "account_needed") return <Lost title="You have no account here yet" text="Register, or log in, on the front page." />;
    return <Lost title="That did not work" text={mine.message} />;
  }
  if (!mine) return <><Header /><main id="main" tabIndex={-1} class="narrow"><p class="spin">One moment…</p></main></>;
  const gone = () => {
    link.again();
    navigate("/");
  };
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1} class="narrow account">
        <h1>{mine.name}</h1>
        <p class="quiet">{roleWords(mine.role)}, since {dayWords(mine.created)}.</p>
        {mine.role === "administrator" && <p><A href="/admin">Look after the accounts of this server</A></p>}
        <Sessions mine={mine} load={load} gone={gone} />
        <Password load={load} />
        <Bots bots={mine.bots} load={load} />
        <section class="card">
          <h2>Your data</h2>
          <p>All that this server knows of you, and every game with all that happened in it.</p>
          <a class="button wide" href="/api/account/export" download="flagfall.json">Save as a file</a>
        </section>
        <Leave gone={gone} />
        <p class="after"><A href="/">To the front page</A></p>
      </main>
      <Footer />
    </>
  );
}

const roleWords = (role: string): string => role.replace(/^./, (c) => c.toUpperCase());

function Sessions({ mine, load, gone }: { mine: Account; load: () => void; gone: () => void }) {
  const [trouble, setTrouble] = useState("");
  const act = (done: Promise<void>, then: () => void) => done.then(then, (e) => setTrouble(problemWords(e)));
  return (
    <section class="card">
      <h2>Where you are logged in</h2>
      <ul class="sessions">
        {mine.sessions.map((s) => (
          <li key={s.id}>
            <span>{s.current ? "Here" : "Elsewhere"}, since {momentWords(s.created)}</span>
            {!s.current && <button type="button" class="plain" onClick={() => act(endSession(s.id), load)}>End it</button>}
          </li>
        ))}
      </ul>
      {trouble && <p class="banner bad" role="alert">{trouble}</p>}
      <div class="buttons">
        <button type="button" class="button" onClick={() => act(logOut(), gone)}>Log out</button>
        <button type="button" class="button" onClick={() => act(logOutEverywhere(), gone)}>Log out everywhere</button>
      </div>
    </section>
  );
}

function Password({ load }: { load: () => void }) {
  const [done, setDone] = useState(false);
  const send = async (field: (name: string) => string) => {
    setDone(false);
    await changePassword(field("old"), field("new"));
    setDone(true);
    load();
  };
  return (
    <section class="card">
      <h2>Another password</h2>
      <Form action="Change the password" send={send}>
        <Field label="Password now" name="old" complete="current-password" />
        <Field label="New password" name="new" complete="new-password" hint={PASSWORD_HINT} />
      </Form>
      {done && <p class="banner" role="status">It is changed, and you are logged out everywhere else.</p>}
    </section>
  );
}

function Leave({ gone }: { gone: () => void }) {
  return (
    <section class="card">
      <details>
        <summary>Delete the account</summary>
        <p>Your name, your password and all else about you go, and your bots with them. Your games stay, under “deleted”. Nobody gets your name, not even you.</p>
        <Form action="Delete my account" danger send={async (field) => { await deleteAccount(field("password")); gone(); }}>
          <Field label="Your password" name="password" complete="current-password" />
        </Form>
      </details>
    </section>
  );
}
