import {limitations} from "../../../lib/limitations.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {headCannotBe, implausiblePrice, type LeftOutRow, outlierFound} from "./contradictions.ts";
import {servedIssue} from "./sold-issues.ts";

type PlacedRow = LeftOutRow & {
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

/** What is asked of the rows that were left out: a cell of an area, a sale or a report, with rows up to an age in days. */
type LeftOutQuestion = {cell: string; maxAge?: number} & (
  | {county: string}
  | {state: string; week: string}
  | {venue: string; date: string | null}
  | {report: string; date: string}
);

/** Rows that stay out of aggregates though they are priced, as contradictions, by their county, state, sale or report. */
export type LeftOutBook = {of(question: LeftOutQuestion): Contradiction[]};

/** Reads the rows that are flagged as outliers, those whose price is implausible, and those whose head count cannot be right. */
export async function readLeftOut(db: Database): Promise<LeftOutBook> {
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
  if (row.outlier) return outlierFound(row);
  return row.implausible ? implausiblePrice(row) : headCannotBe(row);
}

function isIn(row: PlacedRow, question: LeftOutQuestion): boolean {
  if ("report" in question)
    return row.report_slug === question.report && row.report_end_date === question.date;
  if ("venue" in question)
    return row.venue_id === question.venue && row.report_end_date === (question.date ?? row.report_end_date);
  if (row.scope !== "venue") return false;
  return "county" in question
    ? row.county_fips === question.county
    : row.state === question.state && row.week === question.week;
}

/** The limitation that findings bring with them: rows were left out for their head count. */
export function leftOutLimitations(found: readonly Contradiction[]): string[] {
  return found.some(({kind}) => kind === "head_exceeds_receipts") ? [limitations.L26] : [];
}
