import {cellOf, groupOf, type Published} from "./published.ts";

type Named = Record<string, unknown>;

/** A cell's pooled figures over some rows; `head` is null if none of them can be averaged. */
export type Pool = {
  price: number | null;
  head: number | null;
  rows: number;
  /** At least: a row with a range of prices pools two or more pens. */
  pens: number;
  low: number | null;
  high: number | null;
  first: string | null;
  last: string | null;
  venues: string[];
  weight: number | null;
  begin: string | null;
};

/** The weighted mean of `docs/design/market.md` section 3 over the rows of a record's cell for which the condition holds. */
export async function pool({db}: Published, record: Named, where: string): Promise<Pool> {
  const [row] = await db.rows<Pool>(
    `SELECT CASE WHEN any_value(price_unit) = 'per_cwt' THEN sum(h * w * price_avg)::DOUBLE / sum(h * w)::DOUBLE
        ELSE sum(h * price_avg)::DOUBLE / sum(h)::DOUBLE END AS price,
      sum(h)::INTEGER AS head, count(*)::INTEGER AS "rows", (count(*) + count(*) FILTER (price_min < price_max))::INTEGER AS pens, min(coalesce(price_min, price_avg))::DOUBLE AS low,
      max(coalesce(price_max, price_avg))::DOUBLE AS high, min(report_end_date)::VARCHAR AS first,
      max(report_end_date)::VARCHAR AS last, coalesce(list_sort(list(DISTINCT venue_id)), []) AS venues,
      sum(h * w)::DOUBLE / (sum(h) FILTER (w IS NOT NULL))::DOUBLE AS weight, min(report_begin_date)::VARCHAR AS begin
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

type Sale = {date: string; price: number; weight: number; head: number; pens: number; issues: string[]};
export type Market = {column: "venue_id" | "report_slug"; id: string; date?: string};

/** Weight now, price now, price then and the fewer pens of each matched sale. */
type Matches = {week: number[][]; year: number[][]};

/** The latest sale of a cell at each market with that of a week and of a year before. */
async function matchesOf(published: Published, record: Named, markets: readonly Market[]): Promise<Matches> {
  const matches: Matches = {week: [], year: []};
  for (const market of markets) {
    const sales = await salesOf(published, record, market);
    const now = market.date === undefined ? sales[0] : sales.find(({date}) => date === market.date);
    const isSummary = market.column === "report_slug";
    if (now === undefined || isFew(record, now, isSummary)) continue;
    const enough = sales.filter((sale) => !isFew(record, sale, isSummary));
    for (const [kind, back, slack] of [
      ["week", 7, 3],
      ["year", 364, 10],
    ] as const) {
      const then = nearest(enough, now.date, {back, slack});
      const issues = [...now.issues, ...(then?.issues ?? [])];
      if (then !== undefined && !(await isUntested(published, record, issues)))
        matches[kind].push([now.weight, now.price, then.price, Math.min(now.pens, then.pens)]);
    }
  }
  return matches;
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
export async function changes(
  published: Published,
  record: Named,
  markets: readonly Market[],
): Promise<Named> {
  return changesOf(await matchesOf(published, record, markets));
}

/** The changes of matched sales, unrounded, and how many matched. */
function changesOf(matches: Matches): {
  change_week: number | null;
  change_year: number | null;
  matched_cells: number;
  matched_pens: number;
} {
  const moved = (found: number[][]) =>
    found.length === 0
      ? null
      : found.reduce((sum, [weight, now, then]) => sum + weight! * (now! - then!), 0) /
        found.reduce((sum, [weight]) => sum + weight!, 0);
  const matched = matches.week.length > 0 ? matches.week : matches.year;
  return {
    change_week: moved(matches.week),
    change_year: moved(matches.year),
    matched_cells: matched.length,
    matched_pens: pensOf(matched),
  };
}

/** Pens of matched sales, at the date with fewer. */
function pensOf(matched: number[][]): number {
  return matched.reduce((sum, [, , , pens]) => sum + pens!, 0);
}

async function salesOf({db}: Published, record: Named, {column, id}: Market): Promise<Sale[]> {
  return db.rows<Sale>(
    `SELECT report_end_date::VARCHAR AS date, list(DISTINCT issue_id) AS issues, sum(h)::DOUBLE AS head, (count(*) + count(*) FILTER (price_min < price_max))::INTEGER AS pens,
      CASE WHEN any_value(price_unit) = 'per_cwt' THEN sum(h * w)::DOUBLE ELSE sum(h)::DOUBLE END AS weight,
      CASE WHEN any_value(price_unit) = 'per_cwt' THEN sum(h * w * price_avg)::DOUBLE / sum(h * w)::DOUBLE
        ELSE sum(h * price_avg)::DOUBLE / sum(h)::DOUBLE END AS price
    FROM r WHERE cell = $cell AND ${column} = $id AND usable AND NOT outlier AND age >= 0
      AND report_scope ${column === "venue_id" ? "IN ('venue', 'video_internet')" : "= 'state_summary'"}
    GROUP BY report_end_date ORDER BY report_end_date DESC`,
    {cell: cellOf(record), id},
  );
}

function nearest(
  sales: readonly Sale[],
  now: string,
  {back, slack}: {back: number; slack: number},
): Sale | undefined {
  const off = ({date}: Sale) => Math.abs((Date.parse(now) - Date.parse(date)) / 86_400_000 - back);
  return sales
    .filter((sale) => off(sale) <= slack)
    .sort((a, b) => off(a) - off(b) || (a.date < b.date ? -1 : 1))[0];
}
