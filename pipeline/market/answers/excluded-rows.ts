import {contradiction} from "../../../lib/market/contradictions.ts";
import type {ExcludedRows, SalePlace} from "../../../lib/market/price-checks.ts";
import {
  headTolerance,
  largestLot,
  outlier,
  plausible,
  strayLogarithm,
} from "../../../lib/market/pricing-rules.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {model, type Run} from "../models/model.ts";
import {cells} from "../normalise/cell-rows.ts";
import {cell_rows} from "./price-cells.ts";
import {current_issues, inComparisons} from "./sold-issues.ts";
import {venue_counties} from "./venue-places.ts";

type ExcludedRow = SalePlace & {
  source: string;
  ref: string;
  issue: string;
  age: number;
  outlier: boolean;
  implausible: boolean;
  price: number;
  median: number;
  head: number;
  receipts: number | null;
};

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

function findingOf(row: ExcludedRow): Contradiction {
  if (row.outlier)
    return priceFinding(row, "outlier", {
      of: `median of the cell over ${outlier.days} days`,
      share: outlier.share,
    });
  if (!row.implausible) return impossibleHead(row);
  const ratio = row.price / row.median;
  if (ratio >= plausible.low && ratio <= plausible.high) {
    const share = Math.abs(Math.exp(Math.sign(ratio - 1) * strayLogarithm) - 1);
    return priceFinding(row, "implausible_price", {of: "the weight curve of its state and week", share});
  }
  const of = `median of its class and weight, or of its grade, in the report over ${plausible.days} days`;
  const share = ratio < 1 ? 1 - plausible.low : plausible.high - 1;
  return priceFinding(row, "implausible_price", {of, share});
}

/** A price that is further from a median, or from a weight curve, than a share of it: served in the latest prices, excluded from aggregates. */
function priceFinding(
  {source, ref, price, median}: ExcludedRow,
  kind: "outlier" | "implausible_price",
  {of, share}: {of: string; share: number},
): Contradiction {
  const label = {kind, field: "price_avg", resolution: "left out of aggregates"};
  const usual = {source: "derived-aggregates", ref: of, value: median};
  return contradiction(label, {source, ref, value: price}, usual, {tolerance: share * median});
}

/**
 * An impossible head count: negative, above the receipts of its sale, or larger than any lot. It is served as published and
 * excluded from aggregates.
 */
function impossibleHead({source, ref, issue, head, receipts}: ExcludedRow): Contradiction {
  const overReceipts = receipts !== null && head > headTolerance * receipts;
  const value = head < 0 ? 0 : overReceipts ? receipts : largestLot;
  const label = {field: "head_count", resolution: "row left out of aggregates"};
  return contradiction(
    {kind: "head_exceeds_receipts", ...label},
    {source, ref, value: head},
    {source, ref: overReceipts ? `${issue} receipts` : "head counts that a row can have", value},
    {tolerance: overReceipts ? (headTolerance - 1) * value : 0},
  );
}
