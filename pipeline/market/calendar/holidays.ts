import {addDays, dayNumber, isoDay, weekdayOf} from "../../../lib/dates.ts";

/**
 * The name of a holiday on which auction barns usually close, or null: New Year's Day, Independence Day, Thanksgiving Day,
 * Christmas Eve, Christmas Day. Computed, so that no table runs out.
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

/**
 * Days of a year on which US livestock and grain futures markets are closed: federal holidays that the exchange observes, moved
 * from a weekend to Friday or Monday, and Good Friday. Computed, so that no table runs out.
 */
export function exchangeHolidays(year: number): Set<string> {
  const fixed = ["01-01", ...(year >= 2022 ? ["06-19"] : []), "07-04", "12-25"].map((day) =>
    observed(`${year}-${day}`),
  );
  const mondays = [nthMonday(year, 1, 3), nthMonday(year, 2, 3), lastMonday(year, 5), nthMonday(year, 9, 1)];
  return new Set([...fixed, ...mondays, goodFriday(year), thanksgiving(String(year))]);
}

/** True on a weekday that is not an exchange holiday. */
export function isTradingDay(date: string): boolean {
  const weekday = weekdayOf(date);
  return weekday !== 0 && weekday !== 6 && !exchangeHolidays(Number(date.slice(0, 4))).has(date);
}

function observed(date: string): string {
  const weekday = weekdayOf(date);
  return weekday === 6 ? addDays(date, -1) : weekday === 0 ? addDays(date, 1) : date;
}

function nthMonday(year: number, month: number, nth: number): string {
  const first = `${year}-${String(month).padStart(2, "0")}-01`;
  return addDays(first, ((1 - weekdayOf(first) + 7) % 7) + (nth - 1) * 7);
}

function lastMonday(year: number, month: number): string {
  const next = month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, "0")}-01`;
  const last = addDays(next, -1);
  return addDays(last, -((weekdayOf(last) + 6) % 7));
}

/** Two days before Easter Sunday (Gregorian computus of Meeus, Jones and Butcher). */
function goodFriday(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  const easter = `${year}-${String(Math.floor(f / 31)).padStart(2, "0")}-${String((f % 31) + 1).padStart(2, "0")}`;
  return isoDay(dayNumber(easter) - 2);
}
