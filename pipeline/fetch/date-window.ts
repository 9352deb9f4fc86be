import {addDays, dayNumber} from "../../lib/dates.ts";

/** Days from one ISO date to another, both of them included. */
export type DateWindow = {readonly from: string; readonly to: string};

/** Gives the window as two halves; null for a single day. */
export function halvesOf({from, to}: DateWindow): [DateWindow, DateWindow] | null {
  const days = dayNumber(to) - dayNumber(from);
  if (days < 1) return null;
  const middle = addDays(from, Math.floor(days / 2));
  return [
    {from, to: middle},
    {from: addDays(middle, 1), to},
  ];
}

/** Gives `MM/DD/YYYY:MM/DD/YYYY`, the form of the report services. */
export function slashed({from, to}: DateWindow): string {
  return `${slashedDay(from)}:${slashedDay(to)}`;
}

function slashedDay(date: string): string {
  const [year, month, day] = date.split("-");
  return `${month}/${day}/${year}`;
}

/** Gives the ISO date of `MM/DD/YYYY`, with or without a time behind it; null for any other text. */
export function isoOfSlashed(text: unknown): string | null {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{4})/.exec(String(text ?? "")) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}
