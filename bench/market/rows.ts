import {mkdirSync} from "node:fs";
import {dirname, join} from "node:path";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";

export const formats = ["json", "csv", "csv.gz", "parquet"] as const;
export type Format = (typeof formats)[number];

/** Maximum rows in one answer of the market-news service: a million rows are ten bodies. */
const rowsOfBody = 100_000;

/**
 * Rows of weekly sales over some years at invented barns, with the members of the market-news service's own rows. Half of the
 * members name office, place and report, which repeat; each row has the narrative of its sale; prices, heads and weights vary
 * by row. All values derive from hashes of the row number, so that every run has the same rows.
 */
export function madeRows({
  rows,
  venues,
  asOf,
  years = 1,
}: {
  rows: number;
  venues: number;
  asOf: string;
  years?: number;
}): string {
  const sales = 52 * years;
  const perSale = Math.ceil(rows / (venues * sales));
  const any = (salt: number, below: number) => `(hash(venue, sale, lot, ${salt}) % ${below})::INTEGER`;
  const day = `(DATE '${asOf}' - (7 * sale + venue % 7)::INTEGER)`;
  return `SELECT strftime(${day}, '%m/%d/%Y') AS report_date, strftime(${day}, '%m/%d/%Y') || ' 17:05:31' AS published_date,
      strftime(${day}, '%m/%d/%Y') AS report_begin_date, strftime(${day}, '%m/%d/%Y') AS report_end_date,
      'Office ' || venue % 17 AS office_name, 'KS' AS office_state, 'Office Town ' || venue % 17 AS office_city, 'OF' || venue % 17 || '-LPGMN' AS office_code,
      'Auction Livestock' AS market_type, 'Livestock Auction' AS market_type_category,
      'Bench Livestock ' || venue AS market_location_name, 'KS' AS market_location_state, 'Town ' || venue AS market_location_city,
      90000 + venue AS slug_id, 'AMS_' || 90000 + venue AS slug_name,
      'Bench Livestock ' || venue || ' - Town ' || venue || ', KS' AS report_title,
      'Cattle' AS "group", 'Cattle' AS category, 'Feeder Cattle' AS commodity,
      (['Steers', 'Heifers', 'Bulls'])[1 + lot % 3] AS class, 'Medium and Large' AS frame,
      (['1', '1-2', '2', '2-3'])[1 + ${any(1, 4)}] AS muscle_grade, NULL::VARCHAR AS quality_grade_name, NULL::VARCHAR AS yield_grade,
      NULL::VARCHAR AS dressing, NULL::VARCHAR AS age, NULL::VARCHAR AS pregnancy_stage, NULL::VARCHAR AS offspring_weight_est,
      CASE ${any(2, 30)} WHEN 0 THEN 'Fleshy' WHEN 1 THEN 'Unweaned' WHEN 2 THEN 'Thin Fleshed' END AS lot_desc,
      'F.O.B.' AS freight, 'Per Cwt' AS price_unit, 'Actual' AS weight_collect, 'Final' AS final_ind,
      bin AS weight_break_low, bin + 50 AS weight_break_high, bin + ${any(3, 50)} AS avg_weight, bin AS avg_weight_min,
      bin + 49 AS avg_weight_max, 1 + ${any(4, 60)} AS head_count, middle + ${any(5, 400)} / 100.0 AS avg_price,
      middle - ${any(6, 600)} / 100.0 AS avg_price_min, middle + 4 + ${any(7, 600)} / 100.0 AS avg_price_max,
      5000 AS receipts, 4800 AS receipts_week_ago, 5100 AS receipts_year_ago, NULL::VARCHAR AS comments_commodity,
      ${narrative} AS report_narrative
    FROM (SELECT *, 300 + 50 * ${any(8, 12)} AS bin, 250 + ${any(9, 60)} AS middle
      FROM range(${venues}) v(venue), range(${sales}) s(sale), range(${perSale}) l(lot) ORDER BY venue, sale, lot LIMIT ${rows})`;
}

/** A reporter's comment on a sale: about 400 characters, unique per sale, and repeated in each of its rows. */
const narrative = `'Compared to last week, feeder steers under ' || 500 + hash(venue, sale) % 300 || ' lbs sold ' || hash(venue, sale, 'up') % 12 ||
  '.00 higher, heavier weights steady to ' || hash(venue, sale, 'firm') % 7 || '.00 lower. Heifers were mostly steady in a light test, with instances ' ||
  hash(venue, sale, 'heifers') % 9 || '.00 higher on thin fleshed kinds. Demand was good to very good for all classes, quality average to attractive. ' ||
  'Supply included ' || 60 + hash(venue, sale, 'feeder') % 39 || '% feeder cattle, ' || hash(venue, sale, 'share') % 60 || '% of them steers; ' ||
  'weights over 600 lbs were ' || hash(venue, sale, 'over') % 90 || '% of the offering.'`;

/** Glob of the files that `writeRows` writes. */
export function rowsPattern(folder: string, format: Format): string {
  return join(folder, format, "market", "mars", `*.${format}`);
}

/** Writes the rows below `folder` as in a market-news feed. */
export async function writeRows(select: string, folder: string, format: Format): Promise<void> {
  const dir = dirname(rowsPattern(folder, format));
  mkdirSync(dir, {recursive: true});
  const db = await openDatabase();
  await db.run(`CREATE TEMP TABLE made AS ${select}`);
  if (format === "json") await writeBodies(db, dir);
  else await db.run(`COPY made TO ${sqlText(join(dir, `rows.${format}`))} (${copyOptions[format]})`);
  db.close();
}

const copyOptions = {
  csv: "FORMAT csv",
  "csv.gz": "FORMAT csv, COMPRESSION gzip",
  parquet: "FORMAT parquet",
} as const;

/** Bodies as the service sends them: one object with its statistics and up to 100,000 rows. */
async function writeBodies(db: Awaited<ReturnType<typeof openDatabase>>, dir: string): Promise<void> {
  const [{count}] = (await db.rows<{count: number}>("SELECT count(*)::INTEGER AS count FROM made")) as [
    {count: number},
  ];
  for (let first = 0; first < count; first += rowsOfBody) {
    const path = join(dir, `rows-${String(first).padStart(7, "0")}.json`);
    await db.run(`COPY (SELECT {'returnedRows': count(*), 'userAllowedRows': ${rowsOfBody}, 'totalRows': count(*)} AS stats,
      list(made ORDER BY rowid) AS results FROM made WHERE rowid >= ${first} AND rowid < ${first + rowsOfBody}) TO ${sqlText(path)} (FORMAT json)`);
  }
}
