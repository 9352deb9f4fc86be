import {type ExcludedRow, findingOf} from "../../../lib/market/excluded-findings.ts";
import type {ExcludedRows, SalePlace} from "../../../lib/market/price-checks.ts";
import {model, type Run} from "../../../lib/models/model.ts";
import {cells} from "../normalise/cell-rows.ts";
import {cell_rows} from "./price-cells.ts";
import {current_issues, inComparisons} from "./sold-issues.ts";
import {venue_counties} from "./venue-places.ts";

/** The rows flagged as outliers, with an implausible price, or with an impossible head count. */
export const excluded_rows = model({
  name: "excluded_rows",
  reads: [cell_rows, current_issues, cells, venue_counties],
  columns: {
    VARCHAR: "scope state county_fips venue_id report_slug cell_id source ref issue",
    DATE: "report_end_date week",
    INTEGER: "age head receipts",
    BOOLEAN: "outlier implausible",
    DOUBLE: "price median",
  },
  sql: () => `
    SELECT report_scope AS scope, state, county_fips, venue_id, report_slug, report_end_date, week_end_date AS week, cell_id, age, source_id AS source,
      issue_id || ' row ' || row_ordinal AS ref, issue_id AS issue, outlier, implausible, price_avg::DOUBLE AS price, median_price AS median,
      head_count AS head, event_receipts AS receipts
    FROM cell_rows JOIN current_issues USING (issue_no) JOIN cells USING (cell_no) LEFT JOIN venue_counties USING (venue_id)
    WHERE (outlier OR implausible OR head_excluded) AND ${inComparisons} ORDER BY issue_id, row_ordinal`,
});

/** Reads `excluded_rows`. */
export async function readExcludedRows(run: Run): Promise<ExcludedRows> {
  const rows = await run.db.rows<ExcludedRow>("FROM excluded_rows");
  const byCell = Map.groupBy(rows, (row) => row.cell_id);
  return {
    of: (place, maxAge = Number.POSITIVE_INFINITY) => {
      const wanted = Object.entries(place) as [keyof SalePlace, string | null][];
      const found = byCell
        .get(place.cell_id)
        ?.filter((row) => row.age <= maxAge && wanted.every(([name, value]) => row[name] === value));
      return found === undefined || found.length === 0 ? null : found.map(findingOf);
    },
  };
}
