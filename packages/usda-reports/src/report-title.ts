import {addDays, dayNumber, weekdayOf} from "./calendar.ts";
import {plainText} from "./plain-text.ts";
import {dateFrom} from "./published-date.ts";
import {reportStates} from "./report-states.ts";
import type {ReportScope} from "./report-words.ts";

type ReportTitle = {
  scope: ReportScope;
  /** Market name without place and kind of sale; null for summaries. */
  venueName: string | null;
  city: string | null;
  state: string | null;
  specialSaleName: string | null;
};

/**
 * The kind of sale at the end of a name: `Feeder Cattle`, `Cattle Auction`, `Feeder and Replacement Cattle Special`,
 * `Slaughter/Replacement`, `Board Sale`.
 */
const saleKind =
  /\s*(?:[-–]\s*)?\b(?:(?:(?:feeder|replacement|slaughter)(?:\s*(?:and|\/|&)\s*(?:feeder|replacement|slaughter))*\s+)?cattle(?:\s+(?:auction|sale|board sale|special))*|(?:slaughter\s*\/\s*)?replacement(?:\s+special)?|board sale|special(?:\s+sale)?)$/i;

/**
 * Reads a report title: `Winter Livestock - Dodge City, KS` is a venue, `Kansas Weekly Cattle Auction Summary` a state summary.
 * `marketType` and `category` (`Auction`, `Summary`) are the publisher's columns; the category, if any, decides whether the
 * report covers one venue. Without it, a title with neither a place nor "summary" is a venue at an unknown place.
 */
export function readReportTitle(
  title: string | null,
  marketType: string | null = null,
  category: string | null = null,
): ReportTitle {
  const text = (plainText(title) ?? "").replace(
    /\s*\((?:(?:discontinued|seasonal|weekly|monthly|mon|tue|wed|thu|fri|sat|sun)\w*(?:\s*-\s*\w+)?|[A-Z]{2}(?:\/[A-Z]{2})+)\)/gi,
    "",
  );
  const kind = `${text} ${plainText(marketType) ?? ""}`;
  const place = /^(.*?)\s*[-–]\s*([^-–,]+?(?:-[^-–,\s]+)*),\s*([A-Za-z]{2})$/.exec(text);
  const state = stateOf(place?.[3]) ?? stateAtStart(text);
  const scope = scopeOf(kind, isVenue(category) ?? (place !== null && state !== null), state, category);
  if (scope !== "venue" && scope !== "video_internet") {
    return {scope, venueName: null, city: null, state, specialSaleName: null};
  }
  const name = place?.[1] ?? text;
  return {
    scope,
    venueName: plainText(name.trim().replace(saleKind, "")) ?? plainText(name),
    city: place?.[2] ?? null,
    state,
    specialSaleName: specialName(name, marketType),
  };
}

// Longest first, so that "West Virginia" is not read as "Virginia".
const stateNames = reportStates
  .map(({name, state}) => ({name: name.toLowerCase(), state}))
  .sort((a, b) => b.name.length - a.name.length);

/** The state of two letters in any case; null for other letters. */
function stateOf(letters: string | undefined): string | null {
  const code = letters?.toUpperCase();
  return reportStates.find(({state}) => state === code)?.state ?? null;
}

/** The state whose name a text begins with, such as KS for `Kansas Weekly Cattle Auction Summary`; null where it begins with none. */
function stateAtStart(text: string): string | null {
  const lower = `${text.toLowerCase()} `;
  return stateNames.find(({name}) => lower.startsWith(`${name} `))?.state ?? null;
}

/** True for the category `Auction` (one venue), false for `Summary`; null otherwise. */
function isVenue(category: string | null): boolean | null {
  const word = plainText(category)?.toLowerCase() ?? "";
  if (/^auction/.test(word)) return true;
  return /\bsummary\b/.test(word) ? false : null;
}

function scopeOf(
  kind: string,
  hasPlace: boolean,
  state: string | null,
  category: string | null,
): ReportScope {
  if (/\b(video|internet)\b/i.test(kind)) return "video_internet";
  if (/\bdirect\b/i.test(kind)) return "direct";
  if (hasPlace) return "venue";
  if (isVenue(category) === null && !/\bsummary\b|\bnational\b/i.test(kind)) return "venue";
  if (/\bnational\b/i.test(kind)) return "national_summary";
  return state === null || /\bregion(al)?\b/i.test(kind) ? "regional_summary" : "state_summary";
}

/** `Replacement Cattle Special`, `Feeder Cattle Board Sale`; null for a regular sale. */
function specialName(name: string, marketType: string | null): string | null {
  const special =
    /\b((?:(?:feeder|replacement|slaughter)(?:(?:\s+and\s+|\s*\/\s*)\w+)*\s+(?:cattle\s+)?)?(?:board sale|special(?:\s+sale)?))\s*$/i.exec(
      name.trim(),
    );
  return special?.[1] ?? /\((special(?: graded)?|board sale)\)/i.exec(marketType ?? "")?.[1] ?? null;
}

/** A market type of mandatory price reporting (`Direct Livestock - LMR Beef`), or the code of such a report (`LM_XB403`). */
const mandatory = /\bLMR\b|\bLM_[A-Z]{2}\d/;

/** True if most of these reports, each a text of its title and market types, are of mandatory price reporting. */
export function areMandatory(reports: readonly string[]): boolean {
  return 2 * reports.filter((report) => mandatory.test(report)).length > reports.length;
}

type PublishedDates = {
  report_title?: string | null;
  market_type?: string | null;
  market_type_category?: string | null;
  report_date?: string | null;
  report_begin_date?: string | null;
  report_end_date?: string | null;
};

/** Maximum length of a report's period; a longer one has a wrong date. */
const maxPeriodDays = 35;

/**
 * First and last day of a report's period; null without a date, or if the dates form no period. A weekly summary with only a
 * report date (a day of its week, `docs/design/market.md` section 2) covers Sunday to Saturday, as printed summaries say.
 */
export function reportPeriod(dates: PublishedDates): {begin: string; end: string} | null {
  const period = statedPeriod({
    ...dates,
    report_date: dateFrom(dates.report_date),
    report_begin_date: dateFrom(dates.report_begin_date),
    report_end_date: dateFrom(dates.report_end_date),
  });
  const days = period === null ? -1 : dayNumber(period.end) - dayNumber(period.begin);
  return days < 0 || days > maxPeriodDays ? null : period;
}

function statedPeriod(dates: PublishedDates): {begin: string; end: string} | null {
  const day = dates.report_date ?? dates.report_begin_date ?? dates.report_end_date ?? null;
  if (dates.report_end_date)
    return {begin: dates.report_begin_date ?? dates.report_end_date, end: dates.report_end_date};
  if (day === null) return null;
  const {scope} = readReportTitle(
    dates.report_title ?? null,
    dates.market_type ?? null,
    dates.market_type_category ?? null,
  );
  if (!/summary/.test(scope)) return {begin: dates.report_begin_date ?? day, end: day};
  const sunday = addDays(day, -weekdayOf(day));
  return {begin: sunday, end: addDays(sunday, 6)};
}
