import type {Cadence} from "../../schemas/fetch-source.ts";

const hourMs = 3_600_000;

/**
 * Gives the moment from which a source that last answered in full at `lastGood` is due again: after its hours, or at its next
 * weekly release, whichever comes first.
 */
export function nextDue({everyHours, weekday, hour = 0}: Cadence, lastGood: Date): Date {
  const times = [
    everyHours === undefined ? null : lastGood.getTime() + everyHours * hourMs,
    weekday === undefined ? null : releaseAfter(lastGood, weekday, hour),
  ].filter((time) => time !== null);
  return new Date(Math.min(...times));
}

/** Says whether a source is due; one that never answered in full is. */
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
