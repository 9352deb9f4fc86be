import {addDays, dayNumber, weekdayOf} from "@open-cattle/usda-reports/values";
import {type Freshness, freshnessDays} from "../schemas/vocabulary/freshness.ts";

export {addDays, dayNumber, weekdayOf};

const dayMs = 86_400_000;

/** The ISO date of a day number. */
export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** The Saturday of a date's week, which begins on Sunday. */
export function saturdayOf(date: string): string {
  return addDays(date, 6 - weekdayOf(date));
}

/** Days from `date` to `asOf`; negative when the date is later. */
export function ageDays(date: string, asOf: string): number {
  return dayNumber(asOf) - dayNumber(date);
}

/** Freshness class of an age in days. */
export function freshnessOf(age: number): Freshness {
  const [found] = Object.entries(freshnessDays).find(([, most]) => age <= most) ?? ["expired"];
  return found as Freshness;
}

/** A clock that is this many days ahead of the newest build is treated as wrong. */
const maxDaysAhead = 400;

/**
 * Describes what is wrong with a clock that shows `now` for a build made at `builtAt`; null when it is
 * plausible.
 */
export function clockFault(builtAt: string, now: Date): string | null {
  const ahead = now.getTime() - Date.parse(builtAt);
  if (ahead < 0) return `the clock shows ${now.toISOString()}, and the build was made at ${builtAt}`;
  const days = Math.floor(ahead / dayMs);
  return days > maxDaysAhead
    ? `the clock shows ${now.toISOString()}, ${days} days after the build of ${builtAt}`
    : null;
}
