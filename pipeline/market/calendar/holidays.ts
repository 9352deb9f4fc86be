import {addDays, weekdayOf} from "../../../lib/dates.ts";

/**
 * The holiday on which auction barns usually stay closed, by its name, or null: New Year's Day, Independence Day,
 * Thanksgiving Day, Christmas Eve and Christmas Day. Computed, so that no table runs out.
 */
export function holidayOn(date: string): string | null {
  const fixed: Record<string, string> = {
    "01-01": "New Year's Day",
    "07-04": "Independence Day",
    "12-24": "Christmas Eve",
    "12-25": "Christmas Day",
  };
  if (date === thanksgiving(date.slice(0, 4))) return "Thanksgiving Day";
  return fixed[date.slice(5)] ?? null;
}

/** The fourth Thursday of November of a year. */
export function thanksgiving(year: string): string {
  const first = `${year}-11-01`;
  return addDays(first, ((4 - weekdayOf(first) + 7) % 7) + 21);
}
