import { render } from "preact";
import { useEffect } from "preact/hooks";
import { Link } from "./link";
import { LobbyModel } from "./lobby";
import { AccountPage } from "./pages/account";
import { AdminPage } from "./pages/admin";
import { eventRoute } from "./pages/eventroutes";
import { GamesPage, PersonGamesPage } from "./pages/games";
import { HomePage } from "./pages/home";
import { InvitePage } from "./pages/invite";
import { LeadersPage } from "./pages/leaders";
import { LivePage } from "./pages/live";
import { LoginPage, RegisterPage, ResetPage } from "./pages/login";
import { Lost } from "./pages/lost";
import { PracticePage } from "./pages/practice";
import { ProfilePage } from "./pages/profile";
import { SearchPage } from "./pages/search";
import { TablePage } from "./pages/table";
import { navigate, usePath } from "./router";
import { buzz, play } from "./sound";

const link = new Link();
const lobby = new LobbyModel(link);

/** Nobody is called away from an arbiter's desk: who plays as well does so on another page. */
const atDesk = (path: string): boolean => /^\/e\/[^/]+\/desk$/.test(path);

link.listen((frame) => {
  if (frame.t !== "paired") return;
  // Every tab of the person hears of it; only one should take the seat.
  const here = lobby.mine || (document.visibilityState === "visible" && !atDesk(location.pathname));
  lobby.mine = false;
  if (!here) return;
  play("paired");
  buzz();
  navigate(`/g/${frame.game}`);
});

function App() {
  const path = usePath();
  useEffect(() => document.getElementById("main")?.focus({ preventScroll: true }), [path]);
  const [, kind, id, rest, more] = path.split("/");
  if (path === "/") return <HomePage link={link} lobby={lobby} />;
  if (path === "/login") return <LoginPage link={link} />;
  if (path === "/register") return <RegisterPage link={link} />;
  if (path === "/reset") return <ResetPage />;
  if (path === "/account") return <AccountPage link={link} />;
  if (path === "/admin") return <AdminPage />;
  if (path === "/practice") return <PracticePage />;
  if (path === "/games") return <GamesPage />;
  if (path === "/live") return <LivePage />;
  if (path === "/leaders") return <LeadersPage />;
  if (path === "/people") return <SearchPage />;
  if (kind === "people" && id && !rest) return <ProfilePage key={id} name={decodeURIComponent(id)} />;
  if (kind === "people" && id && rest === "games" && !more) return <PersonGamesPage key={id} name={decodeURIComponent(id)} />;
  if (kind === "g" && id && !rest) return <TablePage key={id} link={link} lobby={lobby} game={decodeURIComponent(id)} />;
  if (kind === "i" && id && !rest) return <InvitePage key={id} lobby={lobby} id={decodeURIComponent(id)} />;
  const page = eventRoute(path, link);
  if (page) return page;
  return <Lost title="There is nothing here" text="The address may be mistyped, or what was here is gone." />;
}

render(<App />, document.getElementById("app")!);
