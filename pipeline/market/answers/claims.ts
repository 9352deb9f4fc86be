import {stateOf} from "../../../lib/geography/states.ts";
import {cellWords, dateRange, headWords, priceWords, sentenceStart} from "../../../lib/market/cell-words.ts";
import type {PriceValues} from "../../../schemas/market-fields/price.ts";
import type {ToldRow} from "./told-rows.ts";

/** Claims are templates: every number in them stands in the record too, in the form in which the record has it. */
export function observedClaim(row: ToldRow): string {
  const venues =
    row.venues_reporting === 1 ? "1 reporting venue" : `${row.venues_reporting} reporting venues`;
  return `${averaged(row)} at ${venues} located in ${countyWords(row)}, ${saleWords(row)}.`;
}

/** Claim of a roll-up of a week of a state's venues. */
export function rollupClaim(row: ToldRow): string {
  const venues = `${row.venues_reporting} of ${row.venues_known} known venues`;
  return `${averaged(row)} over ${venues} of ${stateName(row)} in the week of ${dateRange(row.week_begin_date!, row.week_end_date!)}, ${saleWords(row)}.`;
}

/** Claim of an official summary's own figure, and where a row of its cell is left out, that the figure is not the summary's. */
export function officialClaim(row: ToldRow): string {
  const period = dateRange(row.week_begin_date ?? "", row.week_end_date ?? "");
  if (row.rows_excluded > 0 || row.rows_refused)
    return `The rows of the official ${stateName(row)} summary for ${period} that can be averaged put ${cellWords(row)} at ${priced(row)} on ${headed(row)}; other rows of the cell are left out.`;
  return `The official ${stateName(row)} summary for ${period} reports ${cellWords(row)} at ${priced(row)} on ${headed(row)}.`;
}

/** Claim of the rows of one cell at one venue's sale; each row is told with its own numbers. */
export function latestClaim(row: ToldRow, rows: readonly ToldRow[]): string {
  const told = rows.map(rowWords).join("; ");
  const came = row.receipts === null ? "" : `; receipts ${row.receipts} head`;
  const when = dateRange(row.first_sale_date!, row.last_sale_date!);
  if (row.report_scope !== "venue")
    return `${tradeWords(row)} on ${when}, ${cellWords(row)} sold at ${told}${came}.`;
  return `At ${row.venue_name ?? row.venue_id} (${row.place ?? row.state}) on ${when}, ${cellWords(row)} sold at ${told}${came}.`;
}

/** Where trades were made: never in a town, whatever office reports them. */
function tradeWords({report_scope, venue_name, region}: ToldRow): string {
  const kind =
    report_scope === "direct"
      ? "In direct trades"
      : `In the video trades of ${venue_name ?? "a video auction"}`;
  return region === null ? kind : `${kind}, region ${region},`;
}

/** Claim of rows that an earlier build had and the source has taken back. */
export function withdrawnClaim(row: ToldRow, where: string): string {
  return `The price of ${cellWords(row)} at ${where} that the previous build gave is withdrawn: its source no longer reports it.`;
}

/** Claim of an inverse-distance estimate. */
export function estimateClaim(row: ToldRow): string {
  const venues = JSON.parse(row.contributing_venues!) as PriceValues["contributing_venues"];
  const [near, far] = [venues[0]!.distance_mi, venues.at(-1)!.distance_mi];
  const distances = near === far ? `${near} miles away` : `${near} to ${far} miles away`;
  const count = venues.length === 1 ? "1 venue" : `${venues.length} venues`;
  const range = `contributors ${row.price_low?.toFixed(2)} to ${row.price_high?.toFixed(2)}`;
  const nobody = row.has_venue
    ? `No venue in ${countyWords(row)} reported this in the window`
    : `No reporting venue is located in ${countyWords(row)}`;
  return `${nobody}; an inverse-distance estimate from ${count} ${distances} puts ${cellWords(row)} at ${priced(row)} (${range}), ${saleWords(row)}.`;
}

function rowWords(row: ToldRow): string {
  const {price_min: min, price_max: max, price_avg, head_count} = row;
  const range =
    min === null || max === null || min === max ? "" : `${min.toFixed(2)} to ${max.toFixed(2)}, average `;
  const average = price_avg === null ? "prices without a stated average" : priced(row);
  return `${range}${average}, ${head_count === null ? "head not stated" : headed(row)}`;
}

function averaged(row: ToldRow): string {
  return `${sentenceStart(cellWords(row))} averaged ${priced(row)} (${row.weighting}-weighted, ${headed(row)})`;
}

function priced({price_avg, price_unit}: ToldRow): string {
  return priceWords(price_avg ?? 0, price_unit);
}

function headed({head_count, price_unit}: ToldRow): string {
  return headWords(head_count ?? 0, price_unit);
}

function saleWords({first_sale_date: first, last_sale_date: last}: ToldRow): string {
  return first === last ? `sale of ${last}` : `sales of ${first} to ${last}`;
}

function countyWords({county_name, state, county_fips}: ToldRow): string {
  return `${county_name}, ${state} (${county_fips})`;
}

function stateName({state}: ToldRow): string {
  return stateOf(state ?? "")?.name ?? state ?? "";
}
