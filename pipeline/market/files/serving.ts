import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {type AnyModel, model} from "../../../lib/models/model.ts";
import type {ModelRun} from "../../../lib/models/model-run.ts";
import {writeArrowFile} from "../../../lib/storage/arrow-file/write.ts";
import {marketServing} from "../../../lib/storage/build-layout.ts";
import {type ServedFile, marketServing as served} from "../../../schemas/market-serving.ts";
import {column, parquetTypes} from "../../../schemas/vocabulary/described-file.ts";
import {barns} from "../answers/barn-records.ts";
import {county_prices} from "../answers/county-prices.ts";
import {dealers} from "../answers/dealer-records.ts";
import {indicators} from "../answers/indicators.ts";
import {last_known} from "../answers/last-known.ts";
import {latest_prices} from "../answers/latest-records.ts";
import {mandatory_prices} from "../answers/mandatory-prices.ts";
import {past_cells, past_rows, past_sales} from "../answers/past-rows.ts";
import {history_areas, history_weeks} from "../answers/price-history.ts";
import {evidence} from "../answers/record-evidence.ts";
import {sale_pens} from "../answers/sale-pens.ts";
import {sources} from "../answers/sources.ts";
import {state_prices} from "../answers/state-prices.ts";
import {county_places, venue_places} from "../answers/venue-places.ts";
import {context} from "../context/signal-context.ts";
import {zips} from "../feeds/zips.ts";
import {cells} from "../normalise/cell-rows.ts";

/** SQL: the place of a headline cell among its area's records. */
const headlineRank = `CASE WHEN commodity = 'feeder_cattle' THEN CASE class WHEN 'steers' THEN 0 ELSE 2 END + CASE weight_bin WHEN '500-549' THEN 0 ELSE 1 END
    WHEN commodity = 'slaughter_cattle' THEN CASE class WHEN 'cows' THEN 4 ELSE 5 END
    ELSE CASE class WHEN 'bred_cows' THEN 6 ELSE 7 END END`;

/**
 * SQL: the order of records within an area (`docs/design/market.md` section 9), most important first: headline cells in fixed
 * order; then cells without comment that are not thin, described ones, and thin ones, each by head descending; ties by cell.
 */
const importanceOrder = `
  CASE WHEN headline THEN ${headlineRank} WHEN thin THEN 10 WHEN len(lot_descriptors) > 0 THEN 9 ELSE 8 END,
  coalesce(head_count, contributing_head) DESC NULLS LAST, cell_id`;

/**
 * SQL: a table of price records as `r`, with the cell's weight bin and the record's rank in its area: by `first`, then by
 * importance, then by `last`. Ranks are computed without the record texts, which sorting would otherwise move.
 */
function ranked(table: string, area: string, {first = "", last = ""} = {}): string {
  return `(SELECT *, TRY_CAST(split_part(weight_bin, '-', 1) AS INTEGER) AS bin_low_lb FROM ${table}
    JOIN (SELECT rowid, row_number() OVER (PARTITION BY ${area} ORDER BY ${first}${importanceOrder}${last})::INTEGER AS importance FROM ${table}) USING (rowid)) AS r`;
}

/** SQL: the weekly history of each record's own measure, as lines of JSON, oldest first. */
const historySql = `
  WITH wanted AS (
    SELECT county_fips AS area, cell_id, NULL::VARCHAR AS report_slug FROM county_prices WHERE price_basis = 'observed_in_county'
    UNION ALL SELECT state, cell_id, report_slug FROM state_prices
  ), numbered AS (
    SELECT DISTINCT area_no, cell_no, concat_ws('|', w.area, cell_id, w.report_slug) AS key FROM wanted AS w JOIN cells USING (cell_id)
    JOIN history_areas AS a ON a.area = w.area AND a.report_slug::VARCHAR IS NOT DISTINCT FROM w.report_slug
  )
  SELECT key, string_agg(concat('{"week_end_date":"', week_end_date, '","price_avg":', price_avg, ',"head_count":', head_count,
      ',"venues_reporting":', coalesce(venues_reporting::VARCHAR, 'null'), '}'), chr(10) ORDER BY week_end_date) AS weeks
  FROM history_weeks JOIN numbered USING (area_no, cell_no) GROUP BY key`;

type ServedRows = {readonly reads: readonly AnyModel[]; readonly select: string; readonly order: string};

/** SQL of the rows of each file, what it reads, and the order of the rows, which ends in a unique key. */
const servedRows: Readonly<Record<ServedFile, ServedRows>> = {
  county_prices: {
    reads: [county_prices, county_places],
    select: `SELECT r.*, coalesce(price_basis = 'observed_in_county', false) AS observed, c.lat, c.lon
      FROM ${ranked("county_prices", "county_fips")} JOIN county_places AS c USING (county_fips)`,
    order: "state, county_fips, importance",
  },
  state_prices: {
    reads: [state_prices],
    select: `FROM ${ranked("state_prices", "state")}`,
    order: "state, importance",
  },
  latest_prices: {
    reads: [latest_prices, venue_places],
    select: `SELECT r.*, v.lat, v.lon FROM ${ranked("latest_prices", "split_part(record_key, '|', 1)", {first: "report_end_date DESC, ", last: ", row_ordinal"})}
      LEFT JOIN venue_places AS v ON report_scope = 'venue' AND v.venue_id = r.venue_id`,
    order: "report_scope <> 'venue', report_end_date DESC, state, record_key, row_ordinal",
  },
  past_sales: {reads: [past_sales], select: "FROM past_sales", order: "sale_no"},
  past_cells: {
    reads: [past_cells],
    select: `SELECT *, CASE WHEN headline THEN ${headlineRank} WHEN len(lot_descriptors) > 0 THEN 9 ELSE 8 END AS rank FROM past_cells`,
    order: "cell_no",
  },
  past_rows: {reads: [past_rows], select: "FROM past_rows", order: "(sale_no::BIGINT << 32) + row_ordinal"},
  mandatory_prices: {
    reads: [mandatory_prices],
    select: `SELECT *, CASE WHEN price_basis_live = 'cutout' THEN '' ELSE 'slaughter_cattle' END AS commodity,
      coalesce(map {'steer': 'steers', 'heifer': 'heifers', 'cow': 'cows', 'bull': 'bulls'}[regexp_replace(lower(class_printed), 's$', '')], '') AS class
      FROM mandatory_prices`,
    order: "importance",
  },
  sale_pens: {
    reads: [sale_pens],
    select: "FROM sale_pens",
    order: "state, report_scope, venue_id, class, report_end_date, issue_id, cell NULLS FIRST",
  },
  indicators: {
    reads: [indicators],
    select: "FROM indicators",
    order: "area <> 'US', area, class DESC, weight_lb",
  },
  barns: {reads: [barns], select: "FROM barns", order: "state, county_fips NULLS LAST, venue_id"},
  dealers: {reads: [dealers], select: "FROM dealers", order: "state, list_scope NULLS FIRST"},
  evidence: {reads: [evidence], select: "FROM evidence", order: "evidence_id"},
  price_history: {
    reads: [county_prices, state_prices, cells, history_areas, history_weeks],
    select: historySql,
    order: "key",
  },
  sources: {reads: [sources], select: "FROM sources", order: "id"},
  last_known: {reads: [last_known], select: "FROM last_known", order: "endpoint, area"},
  zips: {reads: [zips], select: "FROM zips", order: "zip"},
  context: {reads: [context], select: "FROM context", order: "key_type, key, signal, item, age_days"},
};

/** The rows of each file that the server maps, in its order. */
export const servingModels = Object.fromEntries(
  Object.entries(servedRows).map(([name, {reads, select, order}]) => {
    const columns = served[name as ServedFile].columns.map((one) =>
      column(one.name, parquetTypes[one.kind], one.about),
    );
    const values = columns.map((one) => `${one.name}::${one.type} AS ${one.name}`).join(", ");
    const sql = () => `SELECT ${values} FROM (${select}) ORDER BY ${order}`;
    return [name, model({name: `serving_${name}`, reads, columns, sql})];
  }),
) as Record<ServedFile, AnyModel>;

/** Writes the `*.arrow` files, one model at a time. */
export async function writeServingFiles(run: ModelRun, outDir: string): Promise<void> {
  const folder = join(outDir, marketServing);
  await mkdir(folder, {recursive: true});
  for (const [name, rows] of Object.entries(servingModels)) {
    await run.make(rows);
    const {columns} = served[name as ServedFile];
    const path = join(folder, `${name}.arrow`);
    await writeArrowFile(run.db, {table: rows.name, orderColumn: "rowid", inOrder: true, columns, path});
    await run.release(rows);
  }
}
