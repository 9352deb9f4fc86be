import {countWords} from "../../lib/counts.ts";
import type {NearestMarket} from "../../schemas/market-answer.ts";
import {joined} from "./description.ts";

/** What an answer without records says of its question. */
type NothingFound = {
  readonly last_known_source_date?: string | null | undefined;
  readonly nearest_market?: NearestMarket | undefined;
  readonly no_report_held?: string | undefined;
  readonly query: {readonly applied: Readonly<Record<string, unknown>>};
  readonly page: {readonly returned: number; readonly total: number};
};

/** Says that nothing was found, what is nearest to it, and what to ask next. */
export function noneWords(
  answer: NothingFound,
  {isBarns, tellsPackers}: {isBarns: boolean; tellsPackers: boolean},
): string[] {
  const {last_known_source_date: last, nearest_market: nearest, no_report_held: unheld, query, page} = answer;
  if (page.returned === 0 && page.total > 0)
    return [`The last of ${countWords(page.total)} records is before this page: ask with a smaller offset.`];
  const {applied} = query;
  const packers = tellsPackers ? " What packers report by law follows." : "";
  const nothing = isBarns ? "No barn fits this question." : noSaleWords(unheld, tellsPackers);
  // Of a place without a sale the date is that of the nearest market, which is told with its name.
  const isNearest = last === nearest?.last_sale_date;
  const lastSaleWords = last && !isNearest ? ` The last one known there is of ${last}.` : "";
  const kinds = ["commodity", "class", "weight"].filter((name) => name in applied);
  const next =
    kinds.length > 0 && unheld === undefined
      ? `Ask without ${kinds.join(" and ")} for other cattle.`
      : "Coverage lists what there is.";
  if (nearest === undefined) return [`${nothing}${lastSaleWords}${packers} ${next}`];
  const {venue_name, city, state, distance_mi, last_sale_date} = nearest;
  const place = joined([venue_name, city, state]);
  return [
    `${nothing}${lastSaleWords}${packers}`,
    `The nearest barn with such a report is ${place}: ${distance_mi} miles, last sale ${last_sale_date}.`,
  ];
}

/** Says which part of an answer with records is missing: rows beyond the size of an answer, else those of the county itself. */
export function partialWords({page: {returned, limit, offset, total}}: {readonly page: PageFacts}): string {
  return returned < Math.min(limit, total - offset)
    ? `The answer is cut to ${returned} rows for its size: ask for the next page.`
    : "The county itself has no such price; those of other counties follow.";
}

type PageFacts = Readonly<Record<"returned" | "limit" | "offset" | "total", number>>;

/** Says whose silence it is: that of this build, of auctions alone, or of all reports. */
function noSaleWords(unheld: string | undefined, tellsPackers: boolean): string {
  if (unheld !== undefined) return `This build holds no report of a sale ${unheld}.`;
  return `${tellsPackers ? "No auction" : "Nothing"} is reported for this question.`;
}
