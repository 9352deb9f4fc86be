import type {CountyPrice, StatePrice} from "../../../schemas/market-records.ts";
import type {CellFacts} from "./aggregates.ts";
import {cellWords, dateRange, headWords, priceWords, sentenceStart} from "./cell-words.ts";

/** A place as claims name it: `Pike County, MO (29163)`. */
export type NamedCounty = {name: string; state: string; fips: string};

/** Claims are templates: every number in them stands in the record too, in the form in which the record has it. */
export function countyClaim(cell: CellFacts, record: CountyPrice, place: NamedCounty): string {
  const where = `${place.name}, ${place.state} (${place.fips})`;
  if (record.change_status === "withdrawn") return withdrawnClaim(cell, where);
  if (record.price_basis === "nearest_market_estimate") return estimateClaim(cell, record, where);
  const venues =
    record.venues_reporting === 1 ? "1 reporting venue" : `${record.venues_reporting} reporting venues`;
  return `${averaged(cell, record)} at ${venues} located in ${where}, ${saleWords(record)}.`;
}

/** Claim of a state record: the official summary's own figure, or our roll-up of venues. */
export function stateClaim(cell: CellFacts, record: StatePrice, stateName: string): string {
  if (record.change_status === "withdrawn") return withdrawnClaim(cell, stateName);
  if (record.price_basis === "official_state_summary") {
    const period = dateRange(record.week_begin_date ?? "", record.week_end_date ?? "");
    return `The official ${stateName} summary for ${period} reports ${cellWords(cell)} at ${priceWords(record.price_avg ?? 0, record.price_unit)} on ${headWords(record.head_count ?? 0, record.price_unit)}.`;
  }
  const venues = `${record.venues_reporting} of ${record.venues_known} known venues`;
  return `${averaged(cell, record)} over ${venues} of ${stateName}, ${saleWords(record)}.`;
}

type LatestClaim = {
  venue: string;
  place: string;
  /** Period of the sale, as a date or two. */
  when: string;
  rows: readonly {
    price_avg: number | null;
    price_min: number | null;
    price_max: number | null;
    head_count: number | null;
  }[];
  receipts: number | null;
};

/** Claim of the rows of one cell at one venue's sale; each row is told with its own numbers. */
export function latestClaim(cell: CellFacts, {venue, place, when, rows, receipts}: LatestClaim): string {
  const told = rows.map((row) => rowWords(row, cell.price_unit)).join("; ");
  const came = receipts === null ? "" : `; receipts ${receipts} head`;
  return `At ${venue} (${place}) on ${when}, ${cellWords(cell)} sold at ${told}${came}.`;
}

/** Claim of rows that an earlier build had and the source has taken back. */
export function withdrawnClaim(cell: CellFacts, where: string): string {
  return `The price of ${cellWords(cell)} at ${where} that the previous build gave is withdrawn: its source no longer reports it.`;
}

function rowWords(row: LatestClaim["rows"][number], unit: CellFacts["price_unit"]): string {
  const single = row.price_min === null || row.price_max === null || row.price_min === row.price_max;
  const range = single ? "" : `${row.price_min!.toFixed(2)} to ${row.price_max!.toFixed(2)}, average `;
  const average =
    row.price_avg === null ? "prices without a stated average" : priceWords(row.price_avg, unit);
  return `${range}${average}, ${row.head_count === null ? "head not stated" : headWords(row.head_count, unit)}`;
}

function averaged(cell: CellFacts, record: CountyPrice | StatePrice): string {
  const weighting = `${record.weighting}-weighted`;
  return `${sentenceStart(cellWords(cell))} averaged ${priceWords(record.price_avg ?? 0, record.price_unit)} (${weighting}, ${headWords(record.head_count ?? 0, record.price_unit)})`;
}

function saleWords(record: {first_sale_date: string | null; last_sale_date: string | null}): string {
  const [first, last] = [record.first_sale_date ?? "", record.last_sale_date ?? ""];
  return first === last ? `sale of ${last}` : `sales of ${first} to ${last}`;
}

function estimateClaim(cell: CellFacts, record: CountyPrice, where: string): string {
  const miles = record.contributing_venues.map((venue) => venue.distance_mi);
  const count = miles.length;
  const [near, far] = [miles[0], miles[count - 1]];
  const distances = near === far ? `${near} miles away` : `${near} to ${far} miles away`;
  const range = `contributors ${record.price_low?.toFixed(2)} to ${record.price_high?.toFixed(2)}`;
  return `No reporting venue is located in ${where}; an inverse-distance estimate from ${count === 1 ? "1 venue" : `${count} venues`} ${distances} puts ${cellWords(cell)} at ${priceWords(record.price_avg ?? 0, record.price_unit)} (${range}), ${saleWords(record)}.`;
}
