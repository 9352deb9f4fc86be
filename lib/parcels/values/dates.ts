import {isNullText} from "../null-text.ts";

/** How a source writes its dates. */
export type DateFormat = "epochMs" | "ymd" | "mdy" | "longDate";

/** A day as `YYYY-MM-DD`, or none with the cleaning code where the cell is no usable day. */
export type ReadDate = {readonly date: string | null; readonly code: "bad_date" | "future_date" | null};

// Days that systems write where they have none: the first days of their calendars.
const placeholders: ReadonlySet<string> = new Set(["1900-01-01", "1901-01-01"]);
const months = "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER".split(
  " ",
);
const millisecondsPerDay = 86_400_000;

/**
 * Reads a date. Epoch milliseconds are UTC, text or number, also negative; two-digit years are refused; placeholder days
 * and 0 are null; a day after `asOf` (`YYYY-MM-DD`) is null with `future_date` (docs/design/parcels.md section 5.4).
 */
export function readDate(
  cell: string | number | null | undefined,
  {format, asOf}: {format: DateFormat; asOf: string},
): ReadDate {
  if (cell === null || cell === undefined) return {date: null, code: null};
  const text = String(cell).trim().slice(0, 60);
  if (isNullText(text) || /^0+$/.test(text)) return {date: null, code: null};
  const date = readers[format](text);
  if (date === null) return {date: null, code: "bad_date"};
  if (placeholders.has(date)) return {date: null, code: null};
  return date > asOf ? {date: null, code: "future_date"} : {date, code: null};
}

const readers: Readonly<Record<DateFormat, (text: string) => string | null>> = {
  epochMs: (text) => {
    if (!/^-?\d{1,15}(?:\.0+)?$/.test(text)) return null;
    const day = new Date(Math.floor(Number(text) / millisecondsPerDay) * millisecondsPerDay);
    return Number.isNaN(day.getTime())
      ? null
      : dayText(day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate());
  },
  ymd: (text) => {
    const parts =
      /^(\d{4})(?:-(\d{1,2})-(\d{1,2})|\/(\d{1,2})\/(\d{1,2})|(\d{2})(\d{2}))(?:\.0+)?(?:[T ].{0,40}|\+\d\d)?$/.exec(
        text,
      );
    if (parts === null) return null;
    return dayText(
      Number(parts[1]),
      Number(parts[2] ?? parts[4] ?? parts[6]),
      Number(parts[3] ?? parts[5] ?? parts[7]),
    );
  },
  mdy: (text) => {
    const parts =
      /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?:[T ].{0,40})?$/.exec(text) ??
      /^(\d{2})(\d{2})(\d{4})$/.exec(text);
    return parts === null ? null : dayText(Number(parts[3]), Number(parts[1]), Number(parts[2]));
  },
  longDate: (text) => {
    const monthFirst = /^([A-Za-z]{3,9})\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,3}(\d{4})$/i.exec(text);
    const dayFirst = /^(\d{1,2})(?:\s{1,3}|-)([A-Za-z]{3,9})\.?,?(?:\s{1,3}|-)(\d{4})$/.exec(text);
    const parts =
      monthFirst ?? (dayFirst === null ? null : [dayFirst[0], dayFirst[2]!, dayFirst[1]!, dayFirst[3]!]);
    if (parts === null) return null;
    const name = parts[1]!.toUpperCase();
    const month = months.findIndex(
      (full) => full === name || full.slice(0, 3) === name || (name === "SEPT" && full.startsWith(name)),
    );
    return month < 0 ? null : dayText(Number(parts[3]), month + 1, Number(parts[2]));
  },
};

/** The day, or null when there is no such one (month 13, 30 February). */
function dayText(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  if (year < 1600 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

/** A year from 1600 to the year after `asOf` (rolls are published ahead); null for anything else, 0 and 9999 included. */
export function readYear(cell: string | number | null | undefined, asOf: string): number | null {
  const text = String(cell ?? "").trim();
  if (!/^\d{4}(?:\.0+)?$/.test(text)) return null;
  const year = Math.floor(Number(text));
  return year >= 1600 && year <= Number(asOf.slice(0, 4)) + 1 ? year : null;
}
