import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {type ArrowColumn, writeArrowFile} from "../../../lib/storage/arrow-file/write.ts";
import {marketServing} from "../../../lib/storage/build-layout.ts";

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

/** Files that the server maps: keys and the finished record as JSON text, without members that depend on the question. */
const servingFiles: readonly ServingFile[] = [
  {
    name: "county_prices",
    select: `SELECT r.*, coalesce(price_basis = 'observed_in_county', false) AS observed, c.lat, c.lon
      FROM county_prices AS r JOIN county_points AS c USING (county_fips)`,
    order: "state, county_fips, cell_id",
    columns: [
      text("state"),
      text("county_fips"),
      text("county_name"),
      text("cell_id"),
      flag("headline"),
      flag("observed"),
      ...point,
      text("evidence_id"),
      text("record"),
    ],
  },
  {
    name: "state_prices",
    select: "SELECT * FROM state_prices",
    order: "state, cell_id",
    columns: [text("state"), text("cell_id"), flag("headline"), text("evidence_id"), text("record")],
  },
  {
    name: "latest_prices",
    select: "SELECT r.*, v.lat, v.lon FROM latest_prices AS r LEFT JOIN venue_points AS v USING (venue_id)",
    order: "report_end_date DESC, state, venue_id, cell_id, row_ordinal",
    columns: [
      date("report_end_date"),
      text("state"),
      text("venue_id"),
      text("cell_id"),
      {name: "row_ordinal", kind: "int32", nullable: false},
      flag("headline"),
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
    order: "key_type, key, signal, item",
    columns: [text("key_type"), text("key"), text("signal"), text("item")],
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
