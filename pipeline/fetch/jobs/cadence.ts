import {addDays, dayNumber} from "../../../lib/dates.ts";
import type {Cadence} from "../../../schemas/fetch-source.ts";

/** Days from one ISO date to another, both inclusive. */
export type DateWindow = {readonly from: string; readonly to: string};

const hourMs = 3_600_000;

/**
 * Returns when a source last fetched completely at `lastGood` is due again: after its interval, or at its next weekly release, whichever
 * comes first.
 */
export function nextDue({everyHours, weekday, hour = 0}: Cadence, lastGood: Date): Date {
  const times = [
    everyHours === undefined ? null : lastGood.getTime() + everyHours * hourMs,
    weekday === undefined ? null : releaseAfter(lastGood, weekday, hour),
  ].filter((time) => time !== null);
  return new Date(Math.min(...times));
}

/** True if a source is due; one that was never fetched completely always is. */
export function isDue(cadence: Cadence, lastGood: string | null, now: Date): boolean {
  return lastGood === null || nextDue(cadence, new Date(lastGood)).getTime() <= now.getTime();
}

function releaseAfter(date: Date, weekday: number, hour: number): number {
  const release = new Date(date);
  release.setUTCHours(hour, 0, 0, 0);
  const days = (weekday - release.getUTCDay() + 7) % 7;
  release.setUTCDate(release.getUTCDate() + days);
  return release.getTime() > date.getTime() ? release.getTime() : release.getTime() + 7 * 24 * hourMs;
}

/** Splits a window in half; null for a single day. */
export function halvesOf({from, to}: DateWindow): [DateWindow, DateWindow] | null {
  const days = dayNumber(to) - dayNumber(from);
  if (days < 1) return null;
  const middle = addDays(from, Math.floor(days / 2));
  return [
    {from, to: middle},
    {from: addDays(middle, 1), to},
  ];
}

/** Formats a window as `MM/DD/YYYY:MM/DD/YYYY` for the report services. */
export function slashedWindow({from, to}: DateWindow): string {
  return `${slashedDay(from)}:${slashedDay(to)}`;
}

function slashedDay(date: string): string {
  const [year, month, day] = date.split("-");
  return `${month}/${day}/${year}`;
}

/** Converts `MM/DD/YYYY`, optionally followed by a time, to an ISO date; null for any other text. */
export function isoOfSlashed(text: unknown): string | null {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})/.exec(String(text ?? "")) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}
