import {cellOf, groupOf, type Published} from "./published.ts";
import {rounded} from "./rounded.ts";

type Named = Record<string, unknown>;

/** A cell's pooled figures over some rows; `head` is null if none of them can be averaged. */
export type Pool = {
  price: number | null;
  head: number | null;
  rows: number;
  pens: number;
  low: number | null;
  high: number | null;
  first: string | null;
  last: string | null;
  venues: string[];
  weight: number | null;
  begin: string | null;
  recency: number;
};

/** The weighted mean of `docs/design/market.md` section 3 over the rows of a record's cell for which the condition holds. */
export async function pool({db}: Published, record: Named, where: string): Promise<Pool> {
  const [row] = await db.rows<Pool>(
    `SELECT CASE WHEN any_value(price_unit) = 'per_cwt' THEN sum(h * w * price_avg)::DOUBLE / sum(h * w)::DOUBLE
        ELSE sum(h * price_avg)::DOUBLE / sum(h)::DOUBLE END AS price,
      sum(h)::INTEGER AS head, count(*)::INTEGER AS "rows", count(*)::INTEGER AS pens, min(coalesce(price_min, price_avg))::DOUBLE AS low,
      max(coalesce(price_max, price_avg))::DOUBLE AS high, min(report_end_date)::VARCHAR AS first,
      max(report_end_date)::VARCHAR AS last, coalesce(list_sort(list(DISTINCT venue_id)), []) AS venues,
      sum(h * w)::DOUBLE / (sum(h) FILTER (w IS NOT NULL))::DOUBLE AS weight, min(report_begin_date)::VARCHAR AS begin,
      sum(h * CASE WHEN age > 60 THEN 0 WHEN age > 35 THEN 25 WHEN age > 21 THEN 50 WHEN age > 10 THEN 80 ELSE 100 END)::DOUBLE
        / (sum(h) * 100)::DOUBLE AS recency
    FROM r WHERE cell = $cell AND usable AND NOT outlier AND (${where})`,
    {cell: cellOf(record)},
  );
  return row!;
}

/** Excluded rows of the cell, rows with an imputed weight, and head of described lots beside a plain cell. */
export async function besides({db}: Published, record: Named, where: string): Promise<Named> {
  const [row] = await db.rows<Named>(
    `SELECT (count(*) FILTER (cell = $cell AND NOT usable))::INTEGER AS rows_excluded,
      (count(*) FILTER (cell = $cell AND usable AND NOT outlier AND avg_weight_lb IS NULL AND price_unit = 'per_cwt'))::INTEGER
        AS weight_imputed_rows,
      coalesce(sum(h) FILTER (len(lot_descriptors) > 0 AND usable AND NOT outlier), 0)::INTEGER AS described_head
    FROM r WHERE grp = $grp AND (${where})`,
    {cell: cellOf(record), grp: groupOf(record)},
  );
  const plain = (record["lot_descriptors"] as string[]).length === 0;
  return {...row, described_head: plain ? row!["described_head"] : null};
}

/** Fewer than 10 head, or 5 pairs. */
export function isThin(record: Named, head: number | null): boolean {
  return (head ?? 0) < (record["price_unit"] === "per_pair" ? 5 : 10);
}

/** Too few cattle on one side of a change: 20 head (10 pairs) and, but for an official summary, two pens. */
export function isFew(
  record: Named,
  {head, pens}: {head: number | null; pens: number},
  isSummary = false,
): boolean {
  return (head ?? 0) < (record["price_unit"] === "per_pair" ? 10 : 20) || (!isSummary && pens < 2);
}

/** The 14-day pool, or the 28-day pool if the cell is thin in the first. */
export async function windowPool(published: Published, record: Named, where: string) {
  const within = (days: number) =>
    `(${where}) AND report_program = 'voluntary' AND report_scope = 'venue' AND age BETWEEN 0 AND ${days}`;
  const narrow = await pool(published, record, within(14));
  const days = narrow.head === null || isThin(record, narrow.head) ? 28 : 14;
  const found = days === 14 ? narrow : await pool(published, record, within(28));
  return {...found, days, where: within(days)};
}

export type Market = {column: "venue_id" | "report_slug"; id: string; date?: string};

type Sale = {date: string; price: number; weight: number; head: number; pens: number};
/**
 * The last sale of a market and the one that it is compared with; `counts` if neither is thin or of untested cattle, and all such pairs of
 * the record have enough head and pens on each side.
 */
export type Pair = {now: Sale; before: Sale | undefined; counts: boolean};

/** The latest sale of a cell at each market with that of a week and of a year earlier. */
async function pairsOf(published: Published, record: Named, markets: readonly Market[]) {
  const pairs: {week: Pair[]; year: Pair[]} = {week: [], year: []};
  for (const market of markets) {
    const sales = await salesOf(published, record, market);
    const now = market.date === undefined ? sales[0] : sales.find(({date}) => date === market.date);
    const isSummary = market.column === "report_slug";
    if (now === undefined) continue;
    for (const [kind, back, slack] of [
      ["week", 7, 3],
      ["year", 364, 10],
    ] as const) {
      const enough = (sale: Sale) => !isFew(record, sale, isSummary);
      const before =
        nearest(sales.filter(enough), now.date, {back, slack}) ?? nearest(sales, now.date, {back, slack});
      const issues = [...now.issues, ...(before?.issues ?? [])];
      const counts =
        before !== undefined &&
        !isThin(record, now.head) &&
        !isThin(record, before.head) &&
        !(await isUntested(published, record, issues));
      pairs[kind].push({now, before, counts});
    }
  }
  const isSummary = markets.some(({column}) => column === "report_slug");
  for (const each of Object.values(pairs)) {
    const counting = each.filter(({counts}) => counts);
    const sides = [counting.map(({now}) => now), counting.map(({before}) => before!)];
    const sums = sides.map((sales) => ({
      head: sales.reduce((sum, {head}) => sum + head, 0),
      pens: sales.reduce((sum, {pens}) => sum + pens, 0),
    }));
    if (sums.some((sum) => isFew(record, sum, isSummary))) for (const pair of counting) pair.counts = false;
  }
  return pairs;
}

/** True where a reporter of the issues says that there was no market test of a record's cattle (`docs/design/market.md` section 6.1). */
export async function isUntested(
  {db}: Published,
  record: Named,
  issues: readonly string[],
): Promise<boolean> {
  type Said = {class: string | null; commodity: string | null; kind: string | null; grade: string | null};
  const said = await db.rows<Said & {low: number | null; high: number | null}>(
    `SELECT class, commodity, kind, grade, weight_low_lb AS low, weight_high_lb AS high FROM reporter_trends
    WHERE direction = 'not_tested' AND issue_id IN (${issues.map((issue) => `'${issue}'`).join(", ")})`,
  );
  const [from, to] = String(record["weight_bin"] ?? "")
    .split("-")
    .map(Number);
  return said.some(({low, high, ...of}) => {
    const isBounded = low !== null || high !== null;
    if (
      [record["class"], null].indexOf(of.class) < 0 ||
      [record["commodity"], null].indexOf(of.commodity) < 0
    )
      return false;
    if (of.grade !== null && of.grade !== (record["quality_grade"] ?? record["muscle_grade"])) return false;
    if (!isBounded) return of.kind === null;
    if (of.kind !== null && of.kind !== "calves" && of.kind !== "yearlings") return false;
    return to !== undefined && from! >= (low ?? 0) && to <= (high ?? Number.POSITIVE_INFINITY);
  });
}

/** Matched changes of a cell over markets. */
export async function changes(published: Published, record: Named, markets: readonly Market[]) {
  return changesOf(await pairsOf(published, record, markets));
}

/** The changes of pairs of sales, unrounded, the sales that they compare, and how many matched. */
export function changesOf({week, year}: {week: readonly Pair[]; year: readonly Pair[]}) {
  const [weeks, years] = [week.filter(({counts}) => counts), year.filter(({counts}) => counts)];
  const matched = weeks.length > 0 ? weeks : years;
  return {
    change_week: moved(weeks),
    change_year: moved(years),
    matched_cells: matched.length,
    matched_pens: matched.reduce((sum, {now, before}) => sum + Math.min(now.pens, before!.pens), 0),
    ...sides(week),
    year_sales: years.length === 0 ? null : sides(year),
  };
}

function moved(pairs: readonly Pair[]): number | null {
  if (pairs.length === 0) return null;
  const terms = pairs.reduce((sum, {now, before}) => sum + now.weight * (now.price - before!.price), 0);
  return terms / pairs.reduce((sum, {now}) => sum + now.weight, 0);
}

/** Both sides of a change: of the pairs that count, else of those with an earlier sale, else of all. */
function sides(pairs: readonly Pair[]) {
  const counting = pairs.filter(({counts}) => counts);
  const paired = pairs.filter(({before}) => before !== undefined);
  const chosen = [counting, paired, pairs].find(({length}) => length > 0) ?? [];
  const side = (of: (pair: Pair) => Sale, order: 1 | -1) => {
    const sales = chosen.map(of);
    const weight = chosen.reduce((sum, {now}) => sum + now.weight, 0);
    const price = chosen.reduce((sum, pair) => sum + pair.now.weight * of(pair).price, 0) / weight;
    return {
      date: sales
        .map(({date}) => date)
        .sort()
        .at(order === 1 ? -1 : 0)!,
      price_avg: rounded(price, 2),
      head_count: sales.reduce((sum, {head}) => sum + head, 0),
      pens: sales.reduce((sum, {pens}) => sum + pens, 0),
      markets: sales.length,
    };
  };
  return {
    last_sale: chosen.length === 0 ? null : side(({now}) => now, 1),
    then_sale:
      chosen.some(({before}) => before === undefined) || chosen.length === 0
        ? null
        : side(({before}) => before!, -1),
  };
}

async function salesOf(
  {db}: Published,
  record: Named,
  {column, id}: Market,
): Promise<(Sale & {issues: string[]})[]> {
  return db.rows<Sale & {issues: string[]}>(
    `SELECT report_end_date::VARCHAR AS date, list(DISTINCT issue_id) AS issues, sum(h)::DOUBLE AS head, count(*)::INTEGER AS pens,
      CASE WHEN any_value(price_unit) = 'per_cwt' THEN sum(h * w)::DOUBLE ELSE sum(h)::DOUBLE END AS weight,
      CASE WHEN any_value(price_unit) = 'per_cwt' THEN sum(h * w * price_avg)::DOUBLE / sum(h * w)::DOUBLE
        ELSE sum(h * price_avg)::DOUBLE / sum(h)::DOUBLE END AS price
    FROM r WHERE cell = $cell AND ${column} = $id AND usable AND NOT outlier AND age >= 0
      AND report_scope ${column === "venue_id" ? "IN ('venue', 'video_internet')" : "= 'state_summary'"}
    GROUP BY report_end_date ORDER BY report_end_date DESC`,
    {cell: cellOf(record), id},
  );
}

function nearest<Of extends Sale>(
  sales: readonly Of[],
  now: string,
  {back, slack}: {back: number; slack: number},
): Of | undefined {
  const off = ({date}: Sale) => Math.abs((Date.parse(now) - Date.parse(date)) / 86_400_000 - back);
  return sales
    .filter((sale) => off(sale) <= slack)
    .sort((a, b) => off(a) - off(b) || (a.date < b.date ? -1 : 1))[0];
}
