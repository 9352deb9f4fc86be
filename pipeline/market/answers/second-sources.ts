import {
  type EventPair,
  mergeFindings,
  type PricePair,
  sameCellPrice,
  sameEventHead,
} from "../../../lib/market/contradictions.ts";
import type {SecondSources} from "../../../lib/market/price-checks.ts";
import {latestMaxAgeDays} from "../../../lib/market/pricing-rules.ts";
import {model, type Run} from "../../../lib/models/model.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {cells} from "../normalise/cell-rows.ts";
import {report_issues} from "../normalise/issue-versions.ts";
import {replaced_events, sale_events, summary_events} from "../normalise/sale-events.ts";
import {aggregateSql, sale_cells} from "./aggregates.ts";
import {marketSql, saturdaySql, sold_issues} from "./sold-issues.ts";

/** SQL: the day that sources share: for summaries, the Saturday of their week. */
const day = `CASE WHEN report_scope = 'state_summary' THEN ${saturdaySql} ELSE report_end_date END`;
const keys = ["market", "day", "source_id"] as const;
const where = `market IS NOT NULL AND age <= ${latestMaxAgeDays}`;

/**
 * Reads the sales that two sources report (`price_pairs`, `event_pairs`): the current issue, and a replaced one from another source. A replaced issue of the
 * same source is an earlier version and no independent witness; it makes a record `revised`.
 */
export async function readSecondSources({db}: Run): Promise<SecondSources> {
  const prices = await readFindings<PricePair>(db, "price_pairs", sameCellPrice);
  const events = await readFindings<EventPair>(db, "event_pairs", sameEventHead);
  return {
    of: (market, date, {cell_id, commodity}) =>
      mergeFindings(
        prices.get(`${market}|${date}|${cell_id}`),
        events.get(`${market}|${date}|${commodity}`) ?? events.get(`${market}|${date}|`),
      ),
  };
}

/** Reads a table of pairs, compares each pair, and returns the contradictions by the `key` of the pairs; an empty list if all agree. */
async function readFindings<Pair extends object>(
  db: Run["db"],
  table: string,
  compare: (pair: Pair) => Contradiction[],
): Promise<Map<string, Contradiction[]>> {
  const byKey = Map.groupBy(await db.rows<Pair & {key: string}>(`FROM ${table}`), ({key}) => key);
  return new Map([...byKey].map(([key, found]) => [key, found.flatMap(compare)]));
}

const replacedSales = `(SELECT *, ${day} AS day FROM sold_issues WHERE NOT current)`;
const ownSales = `(SELECT *, ${day} AS day FROM sold_issues WHERE current AND (market, day) IN (SELECT (market, day) FROM ${replacedSales}))`;
const priceOf = (side: "a" | "b") =>
  `{'source': ${side}.source_id, 'ref': array_to_string(${side}.issue_ids, ' '),
    'status': ${side}.statuses[1], 'published': list_max(${side}.published), 'price': ${side}.price} AS ${side}`;

/** Prices of a cell at a sale in the published source and in a second one. */
export const price_pairs = model({
  name: "price_pairs",
  reads: [sold_issues, sale_cells, cells],
  columns: {
    VARCHAR: "key price_unit",
    'STRUCT("source" VARCHAR, "ref" VARCHAR, status VARCHAR, published VARCHAR, price DOUBLE)': "a b",
  },
  sql: () => `SELECT concat_ws('|', market, a.day, cell_id) AS key, a.price_unit, ${priceOf("a")}, ${priceOf("b")}
  FROM (${aggregateSql(keys, where, {issues: ownSales})}) AS a
  JOIN (${aggregateSql(keys, where, {issues: replacedSales})}) AS b USING (market, day, cell_id)
  WHERE a.source_id <> b.source_id
  ORDER BY market, a.day, cell_id, a.source_id, b.source_id`,
});

/** SQL: a measure of the commodity, or of all where a source states none by commodity. */
const measureOf = (side: "a" | "b", map: string, total: string) =>
  `CASE WHEN commodity = '' THEN ${side}.${total} ELSE ${side}.${map}[commodity] END`;
const headOf = (side: "a" | "b") =>
  `{'source': ${side}.source_id, 'ref': ${side}.issue_id, 'status': ${side}.issue_status, 'published': ${side}.issue_published_at::VARCHAR,
    'receipts': ${measureOf(side, "receipts_by_commodity", "receipts")}, 'head': ${measureOf(side, "head_by_commodity", "head_reported")}} AS ${side}`;

/** SQL: the commodities that both sources state in a map. */
const shared = (map: string) => `list_intersect(map_keys(a.${map}), map_keys(b.${map}))`;
const measures = ["receipts_by_commodity", "head_by_commodity"];
const nothingStated = measures
  .map((map) => `(cardinality(a.${map}) = 0 OR cardinality(b.${map}) = 0)`)
  .join(" AND ");

const measured = "issue_id, receipts, receipts_by_commodity, head_reported, head_by_commodity";

/** The head of a sale in the published source and in a second one, by commodity: feeders that differ leave slaughter cows alone. */
export const event_pairs = model({
  name: "event_pairs",
  reads: [sale_events, summary_events, report_issues, replaced_events],
  columns: {
    VARCHAR: "key",
    'STRUCT("source" VARCHAR, "ref" VARCHAR, status VARCHAR, published VARCHAR, receipts INTEGER, head INTEGER)':
      "a b",
  },
  sql: () => `
  WITH events AS (
    SELECT ${measured} FROM sale_events UNION ALL SELECT ${measured} FROM summary_events
  ), own AS (
    SELECT *, ${marketSql} AS market, ${day} AS day FROM report_issues JOIN events USING (issue_id) WHERE current
  ), replaced AS (
    SELECT *, ${marketSql} AS market, ${day} AS day FROM replaced_events
  ), pairs AS (
    SELECT market, day, a, b, unnest(CASE WHEN ${nothingStated} THEN [''] ELSE list_distinct(list_concat(${measures.map(shared).join(", ")})) END) AS commodity
    FROM own AS a JOIN replaced AS b USING (market, day) WHERE a.source_id <> b.source_id
  )
  SELECT concat_ws('|', market, day, commodity) AS key, ${headOf("a")}, ${headOf("b")}
  FROM pairs ORDER BY market, day, commodity, pairs.a.issue_id, pairs.b.source_id, pairs.b.issue_version`,
});
