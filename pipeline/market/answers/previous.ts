import {existsSync} from "node:fs";
import {join} from "node:path";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import {tablePath} from "../../../lib/storage/build-layout.ts";
import type {CellFacts} from "./aggregates.ts";
import type {EarlierRecord} from "./change-status.ts";

/** A price record of the build before, with the members that decide whether it is missed now. */
export type EarlierPrice = EarlierRecord & {
  price_basis: string;
  window_days: number | null;
  last_sale_date: string | null;
};

/** The records of a table of the build before, by record key. */
export type Earlier<RecordType = EarlierRecord> = ReadonlyMap<string, RecordType>;

/** All columns of a record of the build before; the tombstone of a withdrawn one is made from them. */
export type EarlierRow = EarlierPrice &
  CellFacts & {
    county_fips: string | null;
    county_name: string | null;
    county_vintage: string | null;
    state: string;
    first_sale_date: string | null;
    [column: string]: unknown;
  };

type AnswerTable = "county_prices" | "state_prices" | "latest_prices";

/** Price records of the previous build; empty without a previous build or where it lacks the table (then all are new). */
export async function readEarlierPrices(
  db: Database,
  buildDir: string | null,
  table: AnswerTable,
): Promise<Earlier<EarlierPrice>> {
  const prices = ["price_avg", "price_low", "price_high"]
    .map((name) => `${name}::DOUBLE AS ${name}`)
    .join(", ");
  const columns = `record_key, value_hash, change_status, ${prices}, head_count, price_basis, window_days,
    last_sale_date::VARCHAR AS last_sale_date`;
  return byKey(await select<EarlierPrice>(db, buildDir, table, columns));
}

/** A barn of the previous build, with its status and the first day of it. */
export type EarlierBarn = EarlierRecord & {status: string; status_since: string | null};

export async function readEarlierBarns(db: Database, buildDir: string | null): Promise<Earlier<EarlierBarn>> {
  const nothing = ["price_avg", "price_low", "price_high", "head_count"]
    .map((name) => `NULL AS ${name}`)
    .join(", ");
  const columns = `record_key, value_hash, change_status, ${nothing}, status, status_since::VARCHAR AS status_since`;
  return byKey(await select<EarlierBarn>(db, buildDir, "barns", columns));
}

/** All columns of some records of the previous build, in key order. */
export async function readEarlierRows(
  db: Database,
  buildDir: string | null,
  table: AnswerTable,
  keys: readonly string[],
): Promise<EarlierRow[]> {
  if (keys.length === 0) return [];
  return select<EarlierRow>(
    db,
    buildDir,
    table,
    "*",
    `WHERE record_key IN (${keys.map(sqlText).join(", ")})`,
  );
}

async function select<Row>(
  db: Database,
  buildDir: string | null,
  table: string,
  columns: string,
  where = "",
): Promise<Row[]> {
  const path = buildDir === null ? null : join(buildDir, tablePath(table));
  if (path === null || !existsSync(path)) return [];
  return db.rows<Row>(`SELECT ${columns} FROM read_parquet(${sqlText(path)}) ${where} ORDER BY record_key`);
}

function byKey<Row extends EarlierRecord>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.record_key, row]));
}
