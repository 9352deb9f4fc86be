import type {PriceValues} from "../../schemas/market-fields/price.ts";
import type {
  NewerSales,
  OfficialFigure,
  SummaryCompleteness,
} from "../../schemas/market-fields/structures.ts";
import {countWithNoun, countWords} from "../counts.ts";
import {stateOf} from "../geography/states.ts";
import {cellWords, dateRange, headWords, moneyWords, priceWords, sentenceStart} from "./cell-words.ts";
import type {EvidenceRow} from "./evidence-row.ts";
import {completenessOf, isIncomplete} from "./price-checks.ts";

/** Claims are templates: every number in them also stands in the record, formatted alike. */
export function observedClaim(row: EvidenceRow): string {
  const venues = countWithNoun(row.venues_reporting!, "reporting venue");
  return `${averagePhrase(row)} at ${venues} located in ${countyWords(row)}, ${saleWords(row)}.`;
}

/** Claim of a roll-up of one week of a state's venues. */
export function rollupClaim(row: EvidenceRow): string {
  const venues = `${row.venues_reporting} of ${row.venues_known} known venues`;
  return `${averagePhrase(row)} over ${venues} of ${stateName(row)} in the week of ${dateRange(row.week_begin_date!, row.week_end_date!)}, ${saleWords(row)}.${outrankedWords(row)}`;
}

/** Words for the figure of the older official summary that newer sales outrank; empty without one. */
function outrankedWords({official, price_unit}: EvidenceRow): string {
  if (official == null) return "";
  const older = JSON.parse(official) as OfficialFigure;
  return ` The official summary for ${dateRange(older.week_begin_date, older.week_end_date)} reported ${priceWords(older.price_avg, price_unit)} on ${headWords(older.head_count, price_unit)}.`;
}

/** Claim of an official summary; if a row of the cell was excluded, it says that the figure is not the summary's own. */
export function officialClaim(row: EvidenceRow): string {
  const period = dateRange(row.week_begin_date ?? "", row.week_end_date ?? "");
  if (row.rows_excluded > 0 || row.rows_refused)
    return `The rows of the official ${stateName(row)} summary for ${period} that can be averaged put ${cellWords(row)} at ${pricePhrase(row)} on ${headPhrase(row)}; other rows of the cell are left out.${summaryWords(row)}`;
  return `The official ${stateName(row)} summary for ${period} reports ${cellWords(row)} at ${pricePhrase(row)} on ${headPhrase(row)}${averageWeightWords(row)}.${summaryWords(row)}`;
}

/** Words for the sales that a summary lacks and for those after it; empty where neither is known. */
function summaryWords(row: EvidenceRow): string {
  return `${isIncomplete(row) ? missingWords(completenessOf(row)!) : ""}${newerWords(row)}`;
}

/** Names at most this many sales that a summary lacks. */
const namedSales = 3;

function missingWords(of: SummaryCompleteness): string {
  const {printed_on, commodity, stated_receipts, known_receipts, missing_sales} = of;
  const printed = printed_on === null ? "" : `, printed on ${printed_on},`;
  const cattle = commodity === null ? "head" : `head of ${commodity.replaceAll("_", " ")}`;
  const named = missing_sales
    .slice(0, namedSales)
    .map(
      ({venue_id, venue_name, sale_date, receipts}) =>
        `${venue_name ?? venue_id} ${sale_date} ${countWords(receipts)}`,
    )
    .join(", ");
  const more = missing_sales.length > namedSales ? ` and ${missing_sales.length - namedSales} more` : "";
  const sales = named === "" ? "" : ` (${named}${more})`;
  return ` It does not hold the whole week: it${printed} states ${countWords(stated_receipts)} ${cattle}, the known sales have ${countWords(known_receipts)}${sales}.`;
}

function newerWords({newer_sales, price_unit}: EvidenceRow): string {
  if (newer_sales == null) return "";
  const {first_date, last_date, venues, head_count, price_avg} = JSON.parse(newer_sales) as NewerSales;
  return ` Newer sales at ${countWithNoun(venues, "venue")}, ${dateRange(first_date, last_date)}, brought ${priceWords(price_avg, price_unit)} on ${headWords(head_count, price_unit)}.`;
}

/** Claim of the rows of one cell at one venue's sale, listing each row's numbers. */
export function latestClaim(row: EvidenceRow, rows: readonly EvidenceRow[]): string {
  const rowTexts = rows.map(rowWords).join("; ");
  const receiptsPhrase = row.receipts === null ? "" : `; receipts ${countWords(row.receipts)} head`;
  const unheld = row.unheld_days ?? [];
  const since = unheld.length === 0 ? "" : `; no sale was held on ${unheld.join(" and ")}`;
  const when = dateRange(row.first_sale_date!, row.last_sale_date!);
  if (row.report_scope !== "venue")
    return `${tradeWords(row)} on ${when}, ${cellWords(row)} sold at ${rowTexts}${receiptsPhrase}.`;
  return `At ${row.venue_name ?? row.venue_id} (${row.place ?? row.state}) on ${when}, ${cellWords(row)} sold at ${rowTexts}${receiptsPhrase}${since}.`;
}

/** Names the region of trades; the town of the reporting office is not their place. */
function tradeWords({report_scope, venue_name, region}: EvidenceRow): string {
  const kind =
    report_scope === "direct"
      ? "In direct trades"
      : `In the video trades of ${venue_name ?? "a video auction"}`;
  return region === null ? kind : `${kind}, region ${region},`;
}

/** Claim of rows that the previous build had and the source withdrew. */
export function withdrawnClaim(row: EvidenceRow): string {
  const area = row.county_fips === null ? (row.state ?? row.region ?? "a region") : countyWords(row);
  const where = row.venue_name ?? row.venue_id ?? area;
  return `The price of ${cellWords(row)} at ${where} that the previous build gave is withdrawn: its source no longer reports it (${row.withdrawn_reason}).`;
}

/** Claim of an inverse-distance estimate. */
export function estimateClaim(row: EvidenceRow): string {
  const venues = JSON.parse(row.contributing_venues!) as PriceValues["contributing_venues"];
  const [near, far] = [venues[0]!.distance_mi, venues.at(-1)!.distance_mi];
  const distances = near === far ? `${near} miles away` : `${near} to ${far} miles away`;
  const count = countWithNoun(venues.length, "venue");
  const range = `contributors ${moneyWords(row.price_low!)} to ${moneyWords(row.price_high!)}`;
  const noVenue = row.has_venue
    ? `No venue in ${countyWords(row)} reported this in the window`
    : `No reporting venue is located in ${countyWords(row)}`;
  return `${noVenue}; an inverse-distance estimate from ${count} ${distances} puts ${cellWords(row)} at ${pricePhrase(row)} (${range}), ${saleWords(row)}.`;
}

function rowWords(row: EvidenceRow): string {
  const {price_min: min, price_max: max, price_avg, head_count} = row;
  const range =
    min === null || max === null || min === max ? "" : `${moneyWords(min)} to ${moneyWords(max)}, average `;
  const average = price_avg === null ? "prices without a stated average" : pricePhrase(row);
  return `${range}${average}, ${head_count === null ? "head not stated" : headPhrase(row)}`;
}

function averagePhrase(row: EvidenceRow): string {
  return `${sentenceStart(cellWords(row))} averaged ${pricePhrase(row)} (${row.weighting}-weighted, ${headPhrase(row)})`;
}

function pricePhrase({price_avg, price_unit}: EvidenceRow): string {
  return priceWords(price_avg ?? 0, price_unit);
}

function headPhrase({head_count, price_unit}: EvidenceRow): string {
  return headWords(head_count ?? 0, price_unit);
}

function averageWeightWords({avg_weight_lb: lb, price_unit}: EvidenceRow): string {
  return lb === null || price_unit !== "per_cwt" ? "" : ` averaging ${countWords(lb)} lb`;
}

function saleWords({first_sale_date: first, last_sale_date: last}: EvidenceRow): string {
  return first === last ? `sale of ${last}` : `sales of ${first} to ${last}`;
}

function countyWords({county_name, state, county_fips}: EvidenceRow): string {
  return `${county_name}, ${state} (${county_fips})`;
}

/** The name of the state of a row; its letters where unknown. */
export function stateName({state}: EvidenceRow): string {
  return stateOf(state ?? "")?.name ?? state ?? "";
}
