import { lasts, personPage } from "../history";
import { A } from "../router";
import type { Person } from "../wire";

/**
 * Somebody's name, which leads to his profile if he has one: guests have none. `aside` opens it beside a game that is
 * being played.
 */
export function Name({ name, aside = false }: { name: string; aside?: boolean }) {
  if (!lasts(name)) return <>{name}</>;
  if (aside) return <a href={personPage(name)} class="name-link" target="_blank" rel="noopener">{name}</a>;
  return <A href={personPage(name)} class="name-link">{name}</A>;
}

/** Somebody in an event, where guests have chosen their names: only who has an account has a profile. */
export const Entrant = ({ person }: { person: { name: string; account?: boolean } }) => (person.account ? <Name name={person.name} /> : <span>{person.name}</span>);

/** Somebody by name, and whether he is a program. */
export function Who({ person, aside = false }: { person: Person; aside?: boolean }) {
  return <>{person.guest ? <span>{person.name}</span> : <Name name={person.name} aside={aside} />}{person.bot && <> <span class="bot">bot</span></>}</>;
}

/** A rating as whole points, with a question mark while it is provisional. */
export function RatingText({ rating, provisional }: { rating: number; provisional: boolean }) {
  return <>{rating}{provisional && <span class="provisional" title="provisional">?<span class="sr"> (provisional)</span></span>}</>;
}
