import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {type ArrowColumn, writeArrowFile} from "../../../lib/storage/arrow-file/write.ts";
import {marketServing} from "../../../lib/storage/build-layout.ts";
import {importanceOrder} from "../answers/importance.ts";

type ServingFile = {
  readonly name: string;
  /** SQL of the rows, and the order that numbers them: it ends in a unique key. */
  readonly select: string;
  readonly order: string;
  readonly columns: readonly ArrowColumn[];
};

const text = (name: string): ArrowColumn => ({name, kind: "text", nullable: false});
const textOrNull = (name: string): ArrowColumn => ({name, kind: "text", nullable: true});
const flag = (name: string): ArrowColumn => ({name, kind: "bool", nullable: false});
const date = (name: string): ArrowColumn => ({name, kind: "date", nullable: false});
const dateOrNull = (name: string): ArrowColumn => ({name, kind: "date", nullable: true});
const point: readonly ArrowColumn[] = [
  {name: "lat", kind: "float64", nullable: true},
  {name: "lon", kind: "float64", nullable: true},
];

/** Facts of a price record's cell, and its place among the records of its area. */
const kind: readonly ArrowColumn[] = [
  text("cell_id"),
  text("commodity"),
  text("class"),
  {name: "bin_low_lb", kind: "int32", nullable: true},
  flag("headline"),
  {name: "importance", kind: "int32", nullable: false},
];

/** SQL of these columns; `further` orders what is equal in all but its place in a sale. */
function kindColumns(area: string, further = ""): string {
  return `TRY_CAST(split_part(weight_bin, '-', 1) AS INTEGER) AS bin_low_lb,
      row_number() OVER (PARTITION BY ${area} ORDER BY ${importanceOrder}${further})::INTEGER AS importance`;
}

/** SQL: the weeks of each record's own measure, as JSON texts, one a line, oldest first. */
const historySql = `
  WITH weeks AS (
    SELECT area || '|' || cell_id || coalesce('|' || report_slug, '') AS key, week_end_date,
      '{"week_end_date":"' || week_end_date || '","price_avg":' || price_avg || ',"head_count":' || head_count ||
        ',"venues_reporting":' || coalesce(venues_reporting::VARCHAR, 'null') || '}' AS item
    FROM price_history
  ), wanted AS (
    SELECT county_fips || '|' || cell_id AS key FROM county_prices WHERE price_basis = 'observed_in_county'
    UNION ALL SELECT state || '|' || cell_id || coalesce('|' || report_slug, '') FROM state_prices
  )
  SELECT key, string_agg(item, chr(10) ORDER BY week_end_date) AS weeks FROM weeks SEMI JOIN wanted USING (key) GROUP BY key`;

/** Files that the server maps: keys and the finished record as JSON text, without members that depend on the question. */
const servingFiles: readonly ServingFile[] = [
  {
    name: "county_prices",
    select: `SELECT r.*, coalesce(price_basis = 'observed_in_county', false) AS observed, c.lat, c.lon, ${kindColumns("county_fips")}
      FROM county_prices AS r JOIN county_points AS c USING (county_fips)`,
    order: "state, county_fips, importance",
    columns: [
      text("state"),
      text("county_fips"),
      text("county_name"),
      ...kind,
      flag("observed"),
      dateOrNull("last_sale_date"),
      ...point,
      text("evidence_id"),
      text("record"),
    ],
  },
  {
    name: "state_prices",
    select: `SELECT *, ${kindColumns("state")} FROM state_prices`,
    order: "state, importance",
    columns: [
      text("state"),
      ...kind,
      dateOrNull("last_sale_date"),
      dateOrNull("week_end_date"),
      textOrNull("report_slug"),
      text("evidence_id"),
      text("record"),
    ],
  },
  {
    name: "latest_prices",
    select: `SELECT r.*, v.lat, v.lon, ${kindColumns("venue_id", ", row_ordinal")}
      FROM latest_prices AS r LEFT JOIN venue_points AS v USING (venue_id)`,
    order: "report_end_date DESC, state, venue_id, cell_id, row_ordinal",
    columns: [
      date("report_end_date"),
      text("state"),
      text("venue_id"),
      ...kind,
      {name: "row_ordinal", kind: "int32", nullable: false},
      ...point,
      text("evidence_id"),
      text("record"),
    ],
  },
  {
    name: "barns",
    select: "SELECT * FROM barns",
    order: "state, county_fips NULLS LAST, venue_id",
    columns: [
      text("state"),
      textOrNull("county_fips"),
      textOrNull("county_name"),
      textOrNull("city"),
      text("venue_name"),
      text("venue_id"),
      text("status"),
      ...point,
      dateOrNull("last_reported_sale_date"),
      text("evidence_id"),
      text("directory_evidence_id"),
      text("directory_record"),
      text("barn_record"),
    ],
  },
  {
    name: "dealers",
    select: "SELECT * FROM dealers",
    order: "state, list_scope NULLS FIRST",
    columns: [text("state"), text("evidence_id"), text("record")],
  },
  {
    name: "evidence",
    select: "SELECT * FROM evidence",
    order: "evidence_id",
    columns: [
      text("evidence_id"),
      {name: "sources", kind: "list", nullable: false},
      dateOrNull("source_date"),
      {name: "limitations", kind: "list", nullable: false},
      text("evidence"),
    ],
  },
  {
    name: "price_history",
    select: historySql,
    order: "key",
    columns: [text("key"), text("weeks")],
  },
  {
    name: "sources",
    select: "SELECT * FROM sources",
    order: "id",
    columns: [text("id"), text("entry")],
  },
  {
    name: "last_known",
    select: "SELECT * FROM last_known",
    order: "endpoint, area",
    columns: [text("endpoint"), text("area"), date("source_date")],
  },
  {
    name: "zips",
    select: "SELECT * FROM zips",
    order: "zip",
    columns: [text("zip"), ...point, textOrNull("county_fips"), text("method"), text("counties")],
  },
  {
    name: "context",
    select: "SELECT * FROM context",
    order: "key_type, key, signal, item, age_days",
    columns: [
      text("key_type"),
      text("key"),
      text("signal"),
      textOrNull("item"),
      {name: "age_days", kind: "int32", nullable: true},
    ],
  },
];

/** Writes the `*.arrow` files from the tables of the same names; tells the rows of each. */
export async function writeServingFiles(db: Database, outDir: string): Promise<Record<string, number>> {
  const folder = join(outDir, marketServing);
  await mkdir(folder, {recursive: true});
  const counts: Record<string, number> = {};
  for (const {name, select, order, columns} of servingFiles) {
    const table = `serving_${name}`;
    await db.run(`CREATE OR REPLACE TEMP TABLE ${table} AS
      SELECT ${columns.map(({name: column}) => column).join(", ")}, (row_number() OVER (ORDER BY ${order}) - 1)::INTEGER AS row_no
      FROM (${select}) ORDER BY row_no`);
    const path = join(folder, `${name}.arrow`);
    const {rows} = await writeArrowFile(db, {table, orderColumn: "row_no", columns, path});
    counts[name] = rows;
    await db.run(`DROP TABLE ${table}`);
  }
  return counts;
}
