import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {model, type Run} from "../models/model.ts";
import {cells} from "../normalise/cell-rows.ts";
import {report_issues} from "../normalise/issue-versions.ts";
import {replaced_events, sale_events, summary_events} from "../normalise/sale-events.ts";
import {latestMaxAgeDays} from "../rules/pricing-rules.ts";
import {aggregateSql, sale_cells} from "./aggregates.ts";
import {
  type EventPair,
  mergeFindings,
  type PricePair,
  sameCellPrice,
  sameEventHead,
} from "./contradictions.ts";
import {marketSql, saturdaySql, sold_issues} from "./sold-issues.ts";

/**
 * Contradictions between the published source of a sale and a second one: null if no second source was read, empty if they
 * agree. A sale is a venue's sale on a day, or the week of a summary report, named by its Saturday.
 */
export type SecondSources = {of(market: string, date: string, cell: string): Contradiction[] | null};

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
    of: (market, date, cell) =>
      mergeFindings(prices.get(`${market}|${date}|${cell}`), events.get(`${market}|${date}`)),
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

/**
 * SQL: head over the commodities in both maps, or over all if one map is empty. A feed of a single commodity states only its
 * receipts.
 */
function commonTotal(map: string, total: string, side: "a" | "b"): string {
  const shared = `list_intersect(map_keys(a.${map}), map_keys(b.${map}))`;
  return `CASE WHEN cardinality(a.${map}) = 0 OR cardinality(b.${map}) = 0 THEN ${side}.${total}
    ELSE list_sum(list_transform(${shared}, k -> ${side}.${map}[k])) END::INTEGER`;
}

const headOf = (side: "a" | "b") =>
  `{'source': ${side}.source_id, 'ref': ${side}.issue_id, 'status': ${side}.issue_status,
    'published': ${side}.issue_published_at::VARCHAR, 'receipts': ${commonTotal("receipts_by_commodity", "receipts", side)},
    'head': ${commonTotal("head_by_commodity", "head_reported", side)}} AS ${side}`;
const measured = "issue_id, receipts, receipts_by_commodity, head_reported, head_by_commodity";

/** The head of a sale in the published source and in a second one. */
export const event_pairs = model({
  name: "event_pairs",
  reads: [sale_events, summary_events, report_issues, replaced_events],
  columns: {
    VARCHAR: "key",
    'STRUCT("source" VARCHAR, "ref" VARCHAR, status VARCHAR, published VARCHAR, receipts INTEGER, head INTEGER)':
      "a b",
  },
  sql: () => `
  WITH measures AS (
    SELECT ${measured} FROM sale_events UNION ALL SELECT ${measured} FROM summary_events
  ), own AS (
    SELECT *, ${marketSql} AS market, ${day} AS day FROM report_issues JOIN measures USING (issue_id) WHERE current
  ), replaced AS (
    SELECT *, ${marketSql} AS market, ${day} AS day FROM replaced_events
  )
  SELECT concat_ws('|', market, a.day) AS key, ${headOf("a")}, ${headOf("b")}
  FROM own AS a JOIN replaced AS b USING (market, day) WHERE a.source_id <> b.source_id
  ORDER BY market, day, a.issue_id, b.source_id, b.issue_version`,
});
