import { About } from "../event/about";
import { TopBoards } from "../event/boards";
import { ChatSection } from "../event/chat";
import { hallOf } from "../event/hall";
import { useEvent, useNow } from "../event/hooks";
import type { EventModel } from "../event/model";
import { Notices } from "../event/notices";
import { useReadyKey } from "../event/ready";
import { StandingsSection } from "../event/standings";
import type { EventPage as Page } from "../event/types";
import { isOn, linesWords, playersWords, playWords, stateWords } from "../event/words";
import { You } from "../event/you";
import { useTitle } from "../hooks";
import type { Link } from "../link";
import { SiteNav } from "../people/sitenav";
import { A, useQuery } from "../router";
import { linkWords } from "../words";
import { Footer, Header, Lost } from "./lost";
import { WhoAmI } from "./whoami";

interface Props { link: Link; event: string }

/** /e/NAME: how the event stands, and the way in. */
export function EventPage({ link, event }: Props) {
  const key = new URLSearchParams(useQuery()).get("key") ?? "";
  const model = useEvent(hallOf(link), event, key);
  const page = model?.page;
  useTitle(page ? `${model?.mine?.game ? "Your game is on · " : ""}${page.name} · Flagfall` : "Event · Flagfall");
  if (model?.problem) return <Refused model={model} />;
  if (!model || !page) return <><Header /><main id="main" tabIndex={-1} class="narrow"><p class="spin">Looking for the event…</p></main></>;
  return (
    <>
      <Header><SiteNav /><WhoAmI link={link} /></Header>
      <main id="main" tabIndex={-1} class="event">
        <Body model={model} page={page} link={link} />
      </main>
      <Footer />
    </>
  );
}

function Refused({ model }: { model: EventModel }) {
  const { status, message } = model.problem!;
  if (status === 404) return <Lost title="There is no such event" text="The address may be mistyped, or the event opens by its own link only: ask the organiser for it." />;
  if (status === 403) return <Lost title="This event opens by its link" text="Ask the organiser for the link, or scan the code on the wall." />;
  return <Lost title="That did not work" text={message} />;
}

function Body({ model, page, link }: { model: EventModel; page: Page; link: Link }) {
  useReadyKey(model);
  const now = useNow(model);
  const lost = linkWords(link.status, false);
  const on = isOn(page.phase);
  return (
    <>
      <header class="event-head">
        <h1>{page.name}</h1>
        <p class="state"><strong>{stateWords(page, now)}</strong></p>
        <p class="quiet">{playWords(page)} · {playersWords(page.entries)}{linesWords(page)}{on ? `, ${page.playing} playing, ${page.waiting} waiting` : ""}</p>
        {(page.you.role.organiser || page.you.role.arbiter) && (
          <p class="buttons">
            {page.you.role.organiser && <A href={`/e/${model.event}/manage`} class="button">Organise</A>}
            <A href={`/e/${model.event}/desk`} class="button">Arbiter’s desk</A>
          </p>
        )}
      </header>
      {lost && link.status === "lost" && <p class="banner bad" role="alert">{lost}</p>}
      {link.status === "replaced" && (
        <p class="banner bad" role="alert">Your game is open in a newer tab. <button type="button" class="again" onClick={() => link.start()}>Go on here</button></p>
      )}
      {model.unheard && on && <p class="banner bad" role="status">Nothing new is shown here: {model.unheard}</p>}
      <div class="event-columns">
        <div>
          <You model={model} page={page} />
          <Notices model={model} notices={page.notices} />
          <StandingsSection model={model} page={page} />
        </div>
        <div>
          <TopBoards model={model} on={on} />
          <ChatSection model={model} page={page} />
          <About page={page} event={model.event} key_={model.key} now={now} />
        </div>
      </div>
    </>
  );
}
