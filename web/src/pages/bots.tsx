import { useState } from "preact/hooks";
import { type Bot, deleteBot, deleteToken, makeBot, makeToken, problemWords } from "../api";
import { momentWords } from "../history";
import { Field, Form, NAME_HINT } from "./form";

/** One's bots, each with the tokens that let it in. */
export function Bots({ bots, load }: { bots: Bot[]; load: () => void }) {
  const [token, setToken] = useState("");
  const [trouble, setTrouble] = useState("");
  const act = (done: Promise<unknown>) => {
    setTrouble("");
    setToken("");
    done.then(load, (e) => setTrouble(problemWords(e)));
  };
  const tell = async (id: string) => {
    const made = await makeToken(id);
    setToken(made.token ?? "");
  };
  return (
    <section class="card">
      <details>
        <summary>Bots</summary>
        <p class="quiet">A program that plays under a name of its own. How it speaks to this server: <a href="/openapi.yaml">openapi.yaml</a>, <a href="/asyncapi.yaml">asyncapi.yaml</a>.</p>
        <ul class="sessions">
          {bots.map((b) => (
            <li key={b.id} class="bot">
              <strong>{b.name}</strong>
              <span class="acts">
                <button type="button" class="plain" onClick={() => act(tell(b.id))}>New token</button>
                <button type="button" class="plain" onClick={() => act(deleteBot(b.id))}>Delete the bot</button>
              </span>
              {b.tokens.map((t) => (
                <span key={t.id} class="token">
                  Token of {momentWords(t.created)}
                  <button type="button" class="plain" onClick={() => act(deleteToken(b.id, t.id))}>Delete</button>
                </span>
              ))}
            </li>
          ))}
        </ul>
        {token && <p class="banner" role="status">Keep this token; it is not shown again: <code>{token}</code></p>}
        {trouble && <p class="banner bad" role="alert">{trouble}</p>}
        <Form action="Make a bot" send={async (field) => { await makeBot(field("bot")); load(); }}>
          <Field label="Name of the bot" name="bot" type="text" complete="off" hint={NAME_HINT} />
        </Form>
      </details>
    </section>
  );
}
