import type {Database} from "../../../lib/sql/duckdb.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {outlierFound} from "./contradictions.ts";

type OutlierRow = {
  state: string;
  county_fips: string | null;
  venue_id: string | null;
  report_end_date: string;
  cell_id: string;
  age: number;
  source: string;
  ref: string;
  price: number;
  median: number;
};

type OutlierQuestion = {cell: string; maxAge: number} & (
  | {county: string}
  | {state: string}
  | {venue: string; date: string}
);

/** The flagged rows as contradictions, by their county, state or sale. */
export type OutlierBook = {of(question: OutlierQuestion): Contradiction[]};

/** Reads the rows that `cell_rows` flags as outliers. */
export async function readOutliers(db: Database): Promise<OutlierBook> {
  const rows = await db.rows<OutlierRow>(`
    SELECT state, county_fips, venue_id, report_end_date, cell_id, age, source_id AS source,
      issue_id || ' row ' || row_ordinal AS ref, price_avg::DOUBLE AS price, median_price AS median
    FROM located_rows WHERE outlier ORDER BY issue_id, row_ordinal`);
  const byCell = Map.groupBy(rows, (row) => row.cell_id);
  return {
    of: (question) =>
      (byCell.get(question.cell) ?? [])
        .filter((row) => row.age <= question.maxAge && isIn(row, question))
        .map(outlierFound),
  };
}

function isIn(row: OutlierRow, question: OutlierQuestion): boolean {
  if ("county" in question) return row.county_fips === question.county;
  if ("state" in question) return row.state === question.state;
  return row.venue_id === question.venue && row.report_end_date === question.date;
}
