import {textOf} from "@open-cattle/usda-reports/values";
import {Weekday} from "../../../../schemas/vocabulary/venue.ts";

/** A North American phone number in E.164 (`+14025550133`), without extension; null for anything else. */
export function phoneOf(text: string | undefined): string | null {
  const number = (textOf(text) ?? "").replace(/\s*(?:,|;|\/|\bor\b|\bext\b|\bx\s*\d).*$/i, "");
  const digits = number.replaceAll(/\D/g, "").replace(/^1(?=\d{10}$)/, "");
  return /^[2-9]\d{2}[2-9]\d{6}$/.test(digits) && !/[a-z]/i.test(number) ? `+1${digits}` : null;
}

/** A web address as `https` (`https://www.example.org/`); null for another text. */
export function websiteOf(text: string | undefined): string | null {
  const address = (textOf(text) ?? "").replace(/^https?:\/\//i, "");
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(:\d+)?([/?#]\S*)?$/i.test(address)) return null;
  const url = URL.canParse(`https://${address}`) ? new URL(`https://${address}`) : null;
  return url === null || url.username !== "" ? null : url.href;
}

/** The five digits of a ZIP (`68801-1234`), restoring a leading zero that a spreadsheet dropped; null for anything else. */
export function zipOf(text: string | undefined): string | null {
  const digits = /^(\d{4,5})(?:-\d{4})?$/.exec((textOf(text) ?? "").replace(/\.0$/, ""))?.[1];
  return digits === undefined || /^0+$/.test(digits) ? null : digits.padStart(5, "0");
}

/** Words that rule out a weekly calendar; deriving a weekly rule from it would invent sales. */
const notWeekly =
  /\b(1st|2nd|3rd|4th|5th|first|second|third|fourth|last|other|bi-?weekly|monthly|seasonal)\b/i;

/** Weekdays in a text (`Tues.`, `Mondays`), in week order; empty if the calendar is not weekly. */
export function weekdaysIn(text: string): Weekday[] {
  if (notWeekly.test(text)) return [];
  const words = (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) => word.replace(/s$/, ""));
  return Weekday.options.filter((day) => words.some((word) => word.length >= 3 && day.startsWith(word)));
}

const timesOfDay = /\bnoon\b|\b(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?\s?m\b|\b(\d{2}):(\d{2})\b/gi;

/**
 * The time of day in a text as `HH:MM` (`10 a.m.`, `12:30 PM`, `noon`, `09:00`, `13:30`). Null for several times, and for a
 * time that may be morning or evening (`10:00`): choosing one would invent it.
 */
export function timeIn(text: string): string | null {
  const found = new Set([...text.matchAll(timesOfDay)].map(timeOf));
  const [only = null] = found;
  return found.size === 1 ? only : null;
}

function timeOf([word, hour12, minute12 = "00", half, hour24, minute24]: RegExpExecArray): string | null {
  if (/^noon$/i.test(word)) return "12:00";
  if (half === undefined) {
    const isCertain = Number(hour24) < 10 || Number(hour24) > 12;
    return isCertain ? timeOfDay(Number(hour24), minute24!) : null;
  }
  const hour = Number(hour12);
  if (hour < 1 || hour > 12) return null;
  return timeOfDay((hour % 12) + (/p/i.test(half) ? 12 : 0), minute12);
}

function timeOfDay(hour: number, minute: string): string | null {
  return hour < 24 && Number(minute) < 60 ? `${String(hour).padStart(2, "0")}:${minute}` : null;
}
