import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Finished, gameView, isFinished, Problem } from "../api";
import { isFlagged } from "../clock";
import { Strip } from "../event/parts";
import { useModel, useTitle } from "../hooks";
import type { Link } from "../link";
import type { LobbyModel } from "../lobby";
import { navigate } from "../router";
import { BoardBox } from "../table/boardbox";
import { ClockFace } from "../table/clockface";
import { Controls } from "../table/controls";
import { DemoPanel } from "../table/demopanel";
import { Entry, Help, Speaker } from "../table/entry";
import { announceMove } from "../blind";
import { useTableKeys } from "../table/keys";
import { TableModel } from "../table/model";
import { Moves } from "../table/moves";
import { score } from "../table/score";
import { StatusLine } from "../table/status";
import { keepAwake } from "../wake";
import { type Color, type GameState, other } from "../wire";
import { linkWords, standingWords } from "../words";
import { Header, Lost } from "./lost";
import { Replay } from "./replay";
import { Terms } from "./terms";

const TRIES = 10;
const AGAIN = 500; // ms

/** /g/{id}: the player's table, the spectator's view of it, or the replay when the game is over. */
export function TablePage({ link, lobby, game }: { link: Link; lobby: LobbyModel; game: string }) {
  const [archived, setArchived] = useState<Finished | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [table, setTable] = useState<TableModel | undefined>();
  useEffect(() => {
    let gone = false;
    const model = new TableModel(link, game);
    let close: (() => void) | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (tries: number) => gameView(game).then(
      (view) => {
        if (gone) return;
        if (isFinished(view)) setArchived(view);
        close = model.open();
        setTable(model);
      },
      (e) => {
        if (gone) return;
        // Whoever is called to a table may be there before it stands.
        if (tries > 0 && link.seat === game && e instanceof Problem && e.status === 404) timer = setTimeout(() => void ask(tries - 1), AGAIN);
        else setProblem(e instanceof Problem ? e : new Problem(0, "", "The server cannot be reached. Reload the page in a moment."));
      },
    );
    void ask(TRIES);
    return () => {
      gone = true;
      clearTimeout(timer);
      close?.();
    };
  }, [link, game]);
  if (problem?.status === 404) return <Lost title="There is no such game" text="The address may be mistyped. Games that are running are listed on the front page." />;
  if (problem) return <Lost title="That did not work" text={problem.message} />;
  if (!table) return <Opening />;
  return <Table table={table} lobby={lobby} archived={archived} />;
}

const Opening = ({ why }: { why?: string | undefined }) => (
  <>
    <Header />
    <main id="main" tabIndex={-1} class="narrow"><p class="spin">{why ?? "Going to the table…"}</p></main>
  </>
);

function Table({ table, lobby, archived }: { table: TableModel; lobby: LobbyModel; archived: Finished | undefined }) {
  useModel(table);
  const s = table.state ?? archived?.state;
  if (!s) return table.problem ? <Lost title="There is no such game" text={table.problem} /> : <Opening why={linkWords(table.link.status, false)} />;
  if (s.phase === "over") return <Replay table={table} lobby={lobby} state={s} archived={archived} />;
  return <Live table={table} s={s} />;
}

function Live({ table, s }: { table: TableModel; s: GameState }) {
  const me = table.me;
  useTitle(titleOf(s, me, table.held));
  useEffect(() => (me ? keepAwake() : undefined), [me]);
  const field = useRef<HTMLInputElement>(null);
  useTableKeys(table, useCallback(() => field.current, []));
  const lines = useMemo(() => score(s), [s.moves, s.pending, s.start]);
  const bottom = me ?? "w";
  return (
    <div class={`tablepage ${me ? "playing" : "watching"}${s.event ? " of-event" : ""}`}>
      <Header><Terms s={s} watching={!me} /></Header>
      {s.event && <Strip link={table.link} event={s.event} playing={Boolean(me)} />}
      <main id="main" tabIndex={-1} class="table">
        <h1 class="sr">{s.white.name} against {s.black.name}</h1>
        <div class="area-top"><Player table={table} s={s} side={other(bottom)} /></div>
        <div class="area-board">
          {table.demo ? <SideBoardBox table={table} /> : <GameBoard table={table} />}
          {s.phase === "dispute" && <p class="covered">The board is hidden until the arbiter has ruled.</p>}
        </div>
        <div class="area-bottom"><Player table={table} s={s} side={bottom} /></div>
        <div class="area-status"><StatusLine table={table} s={s} /></div>
        <div class="area-controls">{table.demo ? <DemoPanel table={table} s={s} /> : me && <Controls table={table} />}</div>
        <div class="area-moves"><Moves lines={lines} /></div>
        <div class="area-entry">
          {me ? <Entry table={table} field={field} /> : <Speaker lines={[announceMove(s), standingWords(s, me)]} />}
        </div>
        {me && <div class="area-help"><Help table={table} /></div>}
      </main>
      {table.link.status === "replaced" && <Replaced table={table} />}
    </div>
  );
}

function GameBoard({ table }: { table: TableModel }) {
  const open = table.promotion;
  const me = table.me;
  return (
    <BoardBox
      key="game"
      view={table.view()}
      actions={{
        drop: (from, to) => table.drop(from, to),
        premove: (from, to) => table.choosePremove(from, to),
        cancelPremove: () => table.cancelPremove(),
      }}
      picker={open && me && { to: open.to, color: me }}
      promote={(kind) => table.promote(kind)}
    />
  );
}

/** The board on which a win is shown, in the place of the game's own. */
function SideBoardBox({ table }: { table: TableModel }) {
  const open = table.side.promotion;
  const me = table.me;
  return (
    <div class="sideboard">
      <BoardBox
        key="side"
        view={table.side.view(me)}
        actions={{ drop: (from, to) => table.sideDrop(from, to), premove: () => undefined, cancelPremove: () => undefined }}
        picker={open && me && { to: open.to, color: me }}
        promote={(kind) => table.sidePromote(kind)}
      />
    </div>
  );
}

function titleOf(s: GameState, me: Color | undefined, held: boolean): string {
  const names = `${s.white.name} v ${s.black.name}`;
  return me && s.clk.run === me && !held ? `Your clock runs · ${names}` : `${names} · Flagfall`;
}

function Player({ table, s, side }: { table: TableModel; s: GameState; side: Color }) {
  const person = side === "w" ? s.white : s.black;
  if (table.demo) {
    return (
      <ClockFace
        side={side} name={person.name} person={person} aside={table.me !== undefined} mine={side === table.me} present={s.here.includes(side)}
        running={table.side.running === side && !table.held} flagged={false} left={() => table.leftAside(side)}
      />
    );
  }
  return (
    <ClockFace
      side={side} name={person.name} person={person} aside={table.me !== undefined} mine={side === table.me} present={s.here.includes(side)}
      running={table.clk.run === side && s.phase === "play"} flagged={isFlagged(s.clk, side)} left={() => table.left(side)}
      delay={() => table.delay(side)}
    />
  );
}

function Replaced({ table }: { table: TableModel }) {
  return (
    <div class="overlay" role="alertdialog" aria-label="Open in another tab">
      <div class="card">
        <h2>This game is open in a newer tab</h2>
        <p>Only one page at a time can play it. Go on there, or take it over here.</p>
        <button type="button" class="button primary wide" onClick={() => table.link.start()}>Play here</button>
        <button type="button" class="button wide" onClick={() => navigate("/")}>To the front page</button>
      </div>
    </div>
  );
}
