const dayMs = 86_400_000;

/** Days since 1970-01-01 of an ISO date. Throws a RangeError for anything else. */
export function dayNumber(date: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) throw new RangeError(`${JSON.stringify(date)} is not a date (YYYY-MM-DD).`);
  return time / dayMs;
}

/** ISO date from the digits of year, month and day; null for a day that does not exist or a year outside 1900 to 2199. */
export function calendarDay(year: string, month: string, day: string): string | null {
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = /^(19|20|21)\d{2}-\d{2}-\d{2}$/.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // Date.parse rolls an overflowing day into the next month.
  return new Date(time).getUTCDate() === Number(day) ? date : null;
}

/** The date so many days later (earlier when negative). */
export function addDays(date: string, days: number): string {
  return new Date((dayNumber(date) + days) * dayMs).toISOString().slice(0, 10);
}

/** Weekday of a date, 0 = Sunday. */
export function weekdayOf(date: string): number {
  return new Date(dayNumber(date) * dayMs).getUTCDay();
}
