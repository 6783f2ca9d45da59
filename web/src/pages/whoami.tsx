import { useState } from "preact/hooks";
import { logOut, problemWords } from "../api";
import type { Link } from "../link";
import { Name } from "../people/name";
import { A } from "../router";

/** Who one is, and the way in or out. */
export function WhoAmI({ link }: { link: Link }) {
  const [trouble, setTrouble] = useState("");
  if (!link.you || link.guest === undefined) return null;
  const leave = () => logOut().then(() => link.again(), (e) => setTrouble(problemWords(e)));
  return (
    <span class="whoami">
      <span>You are <strong><Name name={link.you.name} /></strong></span>
      {link.guest
        ? <><A href="/login">Log in</A><A href="/register">Register</A></>
        : <><A href="/account">Account</A><button type="button" class="plain" onClick={leave}>Log out</button></>}
      {trouble && <span role="alert">{trouble}</span>}
    </span>
  );
}
