import type {Database} from "../../../lib/sql/duckdb.ts";
import type {PriceRecord, PriceValues} from "../../../schemas/market-fields/price.ts";
import {wideRows} from "./aggregates.ts";
import {priceFiles} from "./drafts.ts";

/** What evidence is made of beside the fields of its record; null where the kind of record does not have it. */
type Facts = {
  withdrawn: boolean | null;
  price_avg_unrounded: number | null;
  counted_head: number | null;
  head_reported: number | null;
  head_excluded: boolean | null;
  rollup: string | null;
  place: string | null;
  venue_ids: (string | null)[] | null;
  windows: number[] | null;
  issue_ids: string[] | null;
  source_ids: string[] | null;
  any_preliminary: boolean | null;
  any_estimated_weight: boolean | null;
  ingested_at: string | null;
  last_verified_at: string | null;
};

/** A price record as evidence reads it; structures are JSON text. */
export type ToldRow = Omit<PriceValues, "contributing_venues" | "upstream" | "previous" | "history"> &
  Facts & {contributing_venues: string};

/** Columns of the records' tables that no sentence tells. */
const untold = ["record", "upstream", "previous", "value_hash", "record_key", "markets", "market_date"];

/** The rows of each piece of evidence, in the order of its id; they come in batches. */
export async function* toldGroups(db: Database, record: PriceRecord): AsyncGenerator<ToldRow[]> {
  const narrow = `SELECT * EXCLUDE (${untold.join(", ")}) FROM ${priceFiles[record]}`;
  const order = record === "latest" ? "row_ordinal" : "evidence_id";
  const groups = wideRows<{rows: ToldRow[]}>(
    db,
    `SELECT list(told ORDER BY ${order}) AS rows FROM (${narrow}) AS told GROUP BY evidence_id ORDER BY evidence_id`,
  );
  for await (const {rows} of groups) yield rows;
}
