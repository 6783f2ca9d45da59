// The settings of an event as a form holds them: texts and ticks, from which the settings are made.
import { ratedWords } from "../terms";
import type { Timing } from "../wire";
import type { Access, AtBell, Format, Scoring, Settings } from "./types";

/** Numbers are texts, as they were typed; moments are `datetime-local` texts of the reader's own clock, "" for none. */
export interface Draft {
  name: string; format: Format; rules: string; mode: "board" | "fast"; minutes: string; seconds: string; timing: Timing; each: string;
  rated: boolean; two: boolean; scoring: Scoring; bell: AtBell; start: string; checkin: string; duration: string; lastPair: string; rest: string;
  repeatWait: string; colorWait: string; access: Access; approve: boolean; guests: boolean; bots: boolean; late: boolean;
  min: string; max: string; most: string; groupSize: string; autoRound: boolean; roundRest: string; playoff: boolean;
  callsFlags: boolean; callsIllegal: boolean; ladder: boolean; firstMove: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const text = (n: number | undefined, unit = 1): string => (n ? String(n / unit) : "");

export function draftOf(s: Settings): Draft {
  const base = s.terms.base;
  return {
    name: s.name, format: s.format, rules: s.terms.rules || "wbca", mode: s.terms.mode, minutes: String(Math.floor(base / MINUTE)), seconds: String((base % MINUTE) / SECOND),
    timing: s.terms.timing ?? "", each: text(s.terms.each, SECOND) || "3", rated: s.rated ?? false, two: s.two ?? false, scoring: s.scoring, bell: s.bell,
    start: localText(s.start_at), checkin: localText(s.checkin_at), duration: text(s.duration, MINUTE) || "60", lastPair: String((s.last_pair ?? 0) / SECOND),
    rest: String(s.rest / SECOND), repeatWait: String(s.repeat_wait / SECOND), colorWait: String(s.color_wait / SECOND), access: s.access ?? "",
    approve: s.approve ?? false, guests: s.guests ?? false, bots: s.bots ?? false, late: s.late ?? false, min: text(s.min_rating), max: text(s.max_rating),
    most: text(s.most), groupSize: text(s.group_size), autoRound: s.auto_round ?? false, roundRest: String((s.round_rest ?? 0) / SECOND), playoff: s.playoff ?? false,
    callsFlags: s.options.arbiter_calls_flags ?? false, callsIllegal: s.options.arbiter_calls_illegal ?? false, ladder: s.options.ladder,
    firstMove: String(s.options.first_move / SECOND),
  };
}

/** The draft with another format, whose own defaults `s` are. */
export function reformed(d: Draft, s: Settings): Draft {
  const fresh = draftOf(s);
  return {
    ...d, format: fresh.format, scoring: fresh.scoring, bell: fresh.bell, duration: fresh.duration, lastPair: fresh.lastPair, rest: fresh.rest, late: fresh.late,
    firstMove: fresh.firstMove, roundRest: fresh.roundRest,
  };
}

export interface Wrong { field: keyof Draft; why: string }

/** What cannot be, and in which field; the server looks again and knows more. */
export function wrongOf(d: Draft): Wrong | undefined {
  const wrong = (field: keyof Draft, why: string): Wrong => ({ field, why });
  const number = (field: keyof Draft, least: number, most: number): boolean => {
    const n = Number(d[field]);
    return d[field] !== "" && Number.isFinite(n) && n >= least && n <= most;
  };
  if (!d.name.trim()) return wrong("name", "The event needs a name.");
  if (baseOf(d) < SECOND || !Number.isInteger(baseOf(d)) || baseOf(d) > 180 * MINUTE) return wrong("minutes", "From 1 second to 3 hours for each side.");
  if (d.timing && !number("each", 0.1, 180)) return wrong("each", "Up to 3 minutes a move.");
  if (d.format === "arena" && !number("duration", 1, 1440)) return wrong("duration", "An arena lasts from a minute to a day.");
  if (d.format === "arena" && Number(d.lastPair) >= Number(d.duration) * 60) return wrong("lastPair", "The last pairing is after the start.");
  if (d.checkin && !d.start) return wrong("checkin", "A check-in by the clock needs a start by the clock.");
  if (d.checkin && d.start && d.checkin > d.start) return wrong("checkin", "The check-in begins before the start.");
  for (const field of ["rest", "repeatWait", "colorWait"] as const) if (!number(field, 0, 300)) return wrong(field, "From 0 to 300 seconds.");
  for (const field of ["min", "max"] as const) if (d[field] && !number(field, 1, 4000)) return wrong(field, "Ratings are from 1 to 4000.");
  if (d.min && d.max && Number(d.min) > Number(d.max)) return wrong("max", "The lower rating comes first.");
  if (d.most && !number("most", 2, 2000)) return wrong("most", "From 2 to 2000 players.");
  if (d.groupSize && !number("groupSize", 3, 32)) return wrong("groupSize", "Groups have 3 to 32 players.");
  if (!number("firstMove", 5, 300)) return wrong("firstMove", "From 5 to 300 seconds.");
  return undefined;
}

const baseOf = (d: Draft): number => (Number(d.minutes) * 60 + Number(d.seconds)) * SECOND;

/** Whether the games can count for a rating, and which; and if not, why. */
export function ratable(d: Draft): { can: boolean; label: string; why: string } {
  const terms = { rules: d.rules, ...(d.timing && { timing: d.timing }) };
  if (d.rules === "wbca") {
    const { rated, why } = ratedWords(baseOf(d), terms);
    return { can: rated, label: "WBCA-rated", why };
  }
  const total = baseOf(d) + (d.timing ? 60 * Number(d.each) * SECOND : 0);
  const can = total >= 3 * MINUTE && total <= 10 * MINUTE;
  return { can, label: "Rated", why: can ? "Counts for the rating of these rules." : "Not rated: that takes 3 to 10 minutes for each side, 60 moves reckoned." };
}

/** The settings that a draft without fault says; what the form has no field for stays as in `before`. */
export function settingsOf(d: Draft, before: Settings): Settings {
  const arena = d.format === "arena";
  const ms = (t: string, unit = SECOND): number => Math.round(Number(t) * unit);
  const zone = before.zone || ownZone();
  return {
    ...before,
    name: d.name.trim(), format: d.format,
    terms: { rules: d.rules, base: baseOf(d), mode: d.mode, ...(d.timing && { timing: d.timing, each: ms(d.each) }) },
    rated: d.rated && ratable(d).can, two: d.two, scoring: arena ? d.scoring : "classic", bell: d.bell,
    start_at: moment(d.start), checkin_at: moment(d.checkin), duration: arena ? ms(d.duration, MINUTE) : before.duration ?? 0, last_pair: ms(d.lastPair), rest: ms(d.rest),
    repeat_wait: ms(d.repeatWait), color_wait: ms(d.colorWait), access: d.access, approve: d.approve, guests: d.guests, bots: d.bots, late: arena && d.late,
    min_rating: Number(d.min), max_rating: Number(d.max), most: Number(d.most), group_size: arena ? 0 : Number(d.groupSize), auto_round: d.autoRound,
    round_rest: ms(d.roundRest), playoff: !arena && d.playoff, ...(zone && { zone }),
    options: { ...before.options, arbiter_calls_flags: d.callsFlags, arbiter_calls_illegal: d.callsIllegal, ladder: d.ladder, first_move: ms(d.firstMove) },
  };
}

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

/** Unix ms of a `datetime-local` text, 0 for none. */
export function moment(local: string): number {
  const at = local ? new Date(local).getTime() : 0;
  return Number.isNaN(at) ? 0 : at;
}

/** The text that a `datetime-local` field wants. */
export function localText(ms: number | undefined): string {
  if (!ms) return "";
  const d = new Date(ms);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}T${two(d.getHours())}:${two(d.getMinutes())}`;
}
