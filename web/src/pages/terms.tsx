import { bookAddress, countWords, termsWords } from "../terms";
import type { GameState } from "../wire";

/** What is played, with the way to its rules. */
export function Terms({ s, watching = false }: { s: GameState; watching?: boolean }) {
  return (
    <span class="terms">
      {termsWords(s)}, {countWords(s)}{watching ? " · watching" : ""} ·{" "}
      <a href={bookAddress(s.rules)} {...(s.phase === "over" ? {} : { target: "_blank", rel: "noopener" })}>Rules</a>
    </span>
  );
}
