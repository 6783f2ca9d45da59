import type { ComponentChildren } from "preact";
import { useTitle } from "../hooks";
import { A } from "../router";
import { Footer, Header } from "./lost";

/** The rules in the project's own words, where players read them (WBCA 19). */
export function RulesPage() {
  useTitle("The rules · Flagfall");
  return (
    <>
      <Header><nav aria-label="Site"><A href="/practice">One-minute practice</A></nav></Header>
      <main id="main" tabIndex={-1} class="rules">
        <h1>The rules, as they are played here</h1>
        <p>Blitz chess by the rules of the World Blitz Chess Association (WBCA). The number of a rule stands behind it.</p>
        <Moving />
        <Illegal />
        <Time />
        <Ending />
        <p class="after"><A href="/" class="button primary">To the front page</A></p>
      </main>
      <Footer />
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return <section class="card"><h2>{title}</h2><ul>{children}</ul></section>;
}

function Moving() {
  return (
    <Part title="Move, then press">
      <li>White's clock starts when both players are at the table. Each has 20 seconds for his first move; after that there is no game.</li>
      <li>Put the man on its square, then press the clock: the big button or the space bar. Your time runs until you press.</li>
      <li>In <b>fast</b> games dropping the man presses too.</li>
      <li>A legal move is final when you let go of the man (15).</li>
      <li>You may answer before your opponent has pressed. Your reply waits for his press.</li>
      <li>A pawn on the last rank becomes a queen unless you choose another man (17).</li>
    </Part>
  );
}

function Illegal() {
  return (
    <Part title="Illegal moves">
      <li>Nobody tells you that a move is illegal, neither yours nor your opponent's.</li>
      <li>Before you press you may take your own illegal move back. Then the same man has to move, if it can (14).</li>
      <li>Once your opponent has pressed after an illegal move, claim it, or take his king if it stands there to be taken (7d).</li>
      <li>You can claim until you have made a legal move yourself. An illegal move that nobody claimed stands for good.</li>
      <li>The claim wins if you have the men to mate with; otherwise the game is drawn (8f).</li>
      <li>King next to king is illegal too, but a king never takes a king: claim it (16).</li>
      <li>The first wrong claim, or attempt to take back a legal move, is free. Each further one gives your opponent a minute.</li>
    </Part>
  );
}

function Time() {
  return (
    <Part title="The flag">
      <li>A fallen flag counts only when it is claimed, and your own flag must be up (7c).</li>
      <li>The claim wins if you have the men to mate with; otherwise the game is drawn (8f).</li>
      <li>Both flags down is a draw (8c).</li>
      <li>Three time claims while the flag is still up are free. Each further one gives your opponent a minute.</li>
    </Part>
  );
}

function Ending() {
  return (
    <Part title="The end of the game">
      <li>Mate and stalemate count at once, without a press, whatever the flags say (7a, 8a).</li>
      <li>You may resign (7b) or agree on a draw (8b) at any time.</li>
      <li>If your opponent has been away for a minute while his clock runs, you may claim the game as abandoned.</li>
    </Part>
  );
}
