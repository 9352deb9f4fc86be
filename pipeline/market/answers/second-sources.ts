import type {Database} from "../../../lib/sql/duckdb.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {aggregateSql} from "./aggregates.ts";
import {latestMaxAgeDays} from "./bounds.ts";
import {type EventPair, type PricePair, sameCellPrice, sameEventHead} from "./contradictions.ts";
import {saturdaySql} from "./sold-issues.ts";

type Sale = {market: string; day: string};

/**
 * Contradictions between the published source of a sale and a second one: null if no second source was read, empty if they
 * agree. A sale is a venue's sale on a day, or the week of a summary report, named by its Saturday.
 */
export type SecondSources = {
  price(market: string, date: string, cell: string): Contradiction[] | null;
  event(market: string, date: string): Contradiction[] | null;
};

/** SQL: the market of an issue, and the day that sources share: for summaries, the Saturday of their week. */
const isSummary = "report_scope = 'state_summary'";
const market = `CASE WHEN ${isSummary} THEN report_slug ELSE venue_id END`;
const day = `CASE WHEN ${isSummary} THEN ${saturdaySql} ELSE report_end_date END`;
const keys = ["market", "day", "source_id"] as const;
const where = `(${isSummary} OR (report_scope = 'venue' AND venue_id IS NOT NULL)) AND age <= ${latestMaxAgeDays}`;

/**
 * Reads the sales that two sources report: the current issue, and a replaced one from another source. A replaced issue of the
 * same source is an earlier version and no independent witness; it makes a record `revised`.
 */
export async function readSecondSources(db: Database): Promise<SecondSources> {
  const prices = await readPrices(db);
  const events = await readEvents(db);
  return {
    price: (of, date, cell) => compareAll(prices.get(`${of}|${date}|${cell}`), sameCellPrice),
    event: (of, date) => compareAll(events.get(`${of}|${date}`), sameEventHead),
  };
}

async function readPrices(db: Database): Promise<Map<string, PricePair[]>> {
  const sales = (current: string) =>
    `SELECT *, ${market} AS market, ${day} AS day FROM sold_issues WHERE ${current}`;
  const other = `(${sales("NOT current")})`;
  const own = `(${sales("current")} AND (${market}, ${day}) IN (SELECT (market, day) FROM ${other}))`;
  const side = (
    name: string,
  ) => `{'source': ${name}.source_id, 'ref': array_to_string(${name}.issue_ids, ' '),
    'status': ${name}.statuses[1], 'published': list_max(${name}.published), 'price': ${name}.price}`;
  const pairs = await db.rows<Sale & PricePair & {cell_id: string}>(`
    SELECT market, a.day::VARCHAR AS day, cell_id, a.price_unit, ${side("a")} AS a, ${side("b")} AS b
    FROM (${aggregateSql(keys, where, {issues: own})}) AS a
    JOIN (${aggregateSql(keys, where, {issues: other})}) AS b USING (market, day, cell_id)
    WHERE a.source_id <> b.source_id
    ORDER BY market, day, cell_id, a.source_id, b.source_id`);
  return Map.groupBy(pairs, (pair) => `${pair.market}|${pair.day}|${pair.cell_id}`);
}

/**
 * SQL: head over the commodities in both maps, or over all if one map is empty. A feed of a single commodity states only its
 * receipts.
 */
function commonTotal(map: string, total: string, side: "own" | "other"): string {
  const shared = `list_intersect(map_keys(own.${map}), map_keys(other.${map}))`;
  return `CASE WHEN cardinality(own.${map}) = 0 OR cardinality(other.${map}) = 0 THEN ${side}.${total}
    ELSE list_sum(list_transform(${shared}, k -> ${side}.${map}[k])) END::INTEGER`;
}

async function readEvents(db: Database): Promise<Map<string, EventPair[]>> {
  const side = (name: "own" | "other") =>
    `{'source': ${name}.source_id, 'ref': ${name}.issue_id, 'status': ${name}.issue_status,
    'published': ${name}.issue_published_at::VARCHAR, 'receipts': ${commonTotal("receipts_by_commodity", "receipts", name)},
    'head': ${commonTotal("head_by_commodity", "head_reported", name)}}`;
  const measured = "issue_id, receipts, receipts_by_commodity, head_reported, head_by_commodity";
  const pairs = await db.rows<Sale & EventPair>(`
    WITH measures AS (SELECT ${measured} FROM sale_events UNION ALL SELECT ${measured} FROM summary_events),
    own AS (
      SELECT r.*, m.* EXCLUDE (issue_id), ${market} AS market, ${day} AS day
      FROM report_issues AS r JOIN measures AS m USING (issue_id) WHERE current
    ), other AS (SELECT *, ${market} AS market, ${day} AS day FROM replaced_events)
    SELECT market, own.day::VARCHAR AS day, ${side("own")} AS a, ${side("other")} AS b
    FROM own JOIN other USING (market, day) WHERE own.source_id <> other.source_id
    ORDER BY market, day, own.issue_id, other.source_id, other.issue_version`);
  return Map.groupBy(pairs, (pair) => `${pair.market}|${pair.day}`);
}

function compareAll<Pair>(
  pairs: readonly Pair[] | undefined,
  compare: (pair: Pair) => Contradiction | null,
): Contradiction[] | null {
  return pairs === undefined ? null : pairs.flatMap((pair) => compare(pair) ?? []);
}
