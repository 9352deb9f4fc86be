import type {Database} from "../../../lib/duckdb.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {aggregateSql} from "./aggregates.ts";
import {latestMaxAgeDays} from "./bounds.ts";
import {cellRowsSql} from "./cells.ts";
import {sameCellPrice} from "./contradictions.ts";

type Pair = {
  venue_id: string;
  date: string;
  cell_id: string;
  price_unit: "per_cwt" | "per_head" | "per_pair";
  source: string;
  ref: string;
  price: number;
  other_source: string;
  other_ref: string;
  other_price: number;
};

/** What a second source says of a cell at a venue's sale: null when none was read, empty when it agrees. */
export type SecondSources = {of(venue: string, date: string, cell: string): Contradiction[] | null};

const keys = ["venue_id", "report_end_date", "source_id"] as const;
const where = `report_scope = 'venue' AND venue_id IS NOT NULL AND age BETWEEN 0 AND ${latestMaxAgeDays}`;

/**
 * Reads the sales that two sources tell of: the current issue, and a replaced one that came through another source.
 * A replaced issue of the same source is an earlier version, not a second witness.
 */
export async function readSecondSources(db: Database, asOf: string): Promise<SecondSources> {
  await db.run(`CREATE OR REPLACE TEMP TABLE other_rows AS ${cellRowsSql("price_rows_superseded")}`, {asOf});
  const pairs = await db.rows<Pair>(`
    SELECT a.venue_id, a.report_end_date AS date, a.cell_id, a.price_unit, a.source_id AS source,
      array_to_string(a.issue_ids, ' ') AS ref, a.price, b.source_id AS other_source,
      array_to_string(b.issue_ids, ' ') AS other_ref, b.price AS other_price
    FROM (${aggregateSql(keys, where)}) AS a
    JOIN (${aggregateSql(keys, where, "other_rows")}) AS b USING (venue_id, report_end_date, cell_id)
    WHERE a.source_id <> b.source_id
    ORDER BY a.venue_id, date, a.cell_id, source, other_source`);
  const book = Map.groupBy(pairs, ({venue_id, date, cell_id}) => `${venue_id}|${date}|${cell_id}`);
  return {
    of(venue, date, cell) {
      const found = book.get(`${venue}|${date}|${cell}`);
      return found === undefined ? null : found.flatMap((pair) => compared(pair) ?? []);
    },
  };
}

function compared(pair: Pair): Contradiction | null {
  const published = {source: pair.source, ref: pair.ref, price: pair.price};
  const other = {source: pair.other_source, ref: pair.other_ref, price: pair.other_price};
  return sameCellPrice(published, other, pair.price_unit);
}
