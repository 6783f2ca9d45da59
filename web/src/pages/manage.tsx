import { Files } from "../event/about";
import { hallOf } from "../event/hall";
import { useEvent } from "../event/hooks";
import { Announce, Course } from "../event/manage/course";
import { Edit } from "../event/manage/edit";
import { Invite, PasswordForm, Ways } from "../event/manage/invite";
import { Players } from "../event/manage/players";
import { StaffForm } from "../event/manage/staff";
import { isBefore, isOn } from "../event/words";
import { useTitle } from "../hooks";
import type { Link } from "../link";
import { SiteNav } from "../people/sitenav";
import { A } from "../router";
import { linkWords } from "../words";
import { Footer, Header, Lost } from "./lost";
import { WhoAmI } from "./whoami";

/** /e/NAME/manage: what the organiser does. */
export function ManagePage({ link, event }: { link: Link; event: string }) {
  const model = useEvent(hallOf(link), event);
  const page = model?.page;
  useTitle(page ? `Organise ${page.name} · Flagfall` : "Organise · Flagfall");
  if (model?.problem) return model.problem.status === 404 ? <Lost title="There is no such event" text="The address may be mistyped." /> : <Lost title="That did not work" text={model.problem.message} />;
  if (!model || !page) return <><Header /><main id="main" tabIndex={-1} class="narrow"><p class="spin">One moment…</p></main></>;
  if (!page.you.role.organiser) return <Lost title="This page is for organisers" text={`${page.name} is held by ${page.staff.map((m) => m.name).join(", ")}.`} />;
  const before = isBefore(page.phase) && !page.cancelled;
  const going = before || isOn(page.phase);
  return (
    <>
      <Header><SiteNav /><WhoAmI link={link} /></Header>
      <main id="main" tabIndex={-1} class="event manage">
        <header class="event-head">
          <h1><A href={`/e/${encodeURIComponent(event)}`}>{page.name}</A></h1>
        </header>
        {link.status === "lost" && <p class="banner bad" role="alert">{linkWords("lost", false)}</p>}
        {model.trouble && <p class="banner bad" role="alert">{model.trouble}</p>}
        <div class="event-columns">
          <div>
            <Course model={model} page={page} />
            <Players model={model} page={page} />
            {before && page.you.settings && <Edit model={model} settings={page.you.settings} />}
          </div>
          <div>
            {!isBefore(page.phase) && !page.cancelled && (
              <section class="card" aria-labelledby="files-title">
                <h2 id="files-title">Results</h2>
                <Files page={page} event={event} key_="" />
              </section>
            )}
            {going && <Invite model={model} page={page} />}
            {!page.cancelled && <Ways event={event} page={page} />}
            {going && <Announce model={model} />}
            {page.access === "password" && going && <PasswordForm model={model} />}
            <StaffForm model={model} page={page} />
          </div>
        </div>
      </main>
      <Footer />
    </>
  );
}
