import {limitations} from "../../../lib/limitations.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {
  type ExcludedRow,
  implausiblePriceFinding,
  impossibleHeadFinding,
  outlierFinding,
} from "./contradictions.ts";
import {servedIssue} from "./sold-issues.ts";

type PlacedRow = ExcludedRow & {
  scope: string;
  state: string | null;
  county_fips: string | null;
  venue_id: string | null;
  report_slug: string;
  report_end_date: string;
  week: string;
  cell_id: string;
  age: number;
  outlier: boolean;
  implausible: boolean;
};

/** A cell in an area, a sale or a report, with rows up to an age in days. */
type ExcludedRowsQuery = {cell: string; maxAge?: number} & (
  | {county: string}
  | {state: string; week: string}
  | {venue: string; date: string | null}
  | {report: string; date: string}
);

/** Priced rows that are excluded from aggregates, found as contradictions by county, state, sale or report. */
export type ExcludedRows = {of(question: ExcludedRowsQuery): Contradiction[]};

/** Reads the rows flagged as outliers, with an implausible price, or with an impossible head count. */
export async function readExcludedRows(db: Database): Promise<ExcludedRows> {
  const rows = await db.rows<PlacedRow>(`
    SELECT report_scope AS scope, state, county_fips, venue_id, report_slug, report_end_date, week_end_date AS week, cell_id, age, source_id AS source,
      issue_id || ' row ' || row_ordinal AS ref, issue_id AS issue, outlier, implausible, price_avg::DOUBLE AS price, median_price AS median,
      head_count AS head, event_receipts AS receipts
    FROM cell_rows JOIN current_issues USING (issue_no) JOIN cells USING (cell_no) LEFT JOIN venue_counties USING (venue_id)
    WHERE (outlier OR implausible OR head_excluded) AND ${servedIssue} ORDER BY issue_id, row_ordinal`);
  const byCell = Map.groupBy(rows, (row) => row.cell_id);
  return {
    of: (question) =>
      (byCell.get(question.cell) ?? [])
        .filter((row) => row.age <= (question.maxAge ?? row.age) && isIn(row, question))
        .map((row) => contradictionOf(row)),
  };
}

function contradictionOf(row: PlacedRow): Contradiction {
  if (row.outlier) return outlierFinding(row);
  return row.implausible ? implausiblePriceFinding(row) : impossibleHeadFinding(row);
}

function isIn(row: PlacedRow, question: ExcludedRowsQuery): boolean {
  if ("report" in question)
    return row.report_slug === question.report && row.report_end_date === question.date;
  if ("venue" in question)
    return row.venue_id === question.venue && row.report_end_date === (question.date ?? row.report_end_date);
  if (row.scope !== "venue") return false;
  return "county" in question
    ? row.county_fips === question.county
    : row.state === question.state && row.week === question.week;
}

/** The limitation for rows that were excluded for their head count. */
export function exclusionLimitations(found: readonly Contradiction[]): string[] {
  return found.some(({kind}) => kind === "head_exceeds_receipts") ? [limitations.L26] : [];
}
