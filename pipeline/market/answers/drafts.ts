import {hash} from "node:crypto";
import {existsSync} from "node:fs";
import {join} from "node:path";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import {tablePath} from "../../../lib/storage/build-layout.ts";
import {workingType} from "../../../schemas/market-column.ts";
import type {ChangeStatus} from "../../../schemas/market-evidence.ts";
import {fieldsIn, type MarketField, recordText, revisingText} from "../../../schemas/market-fields/field.ts";
import {type PriceRecord, priceFields} from "../../../schemas/market-fields/price.ts";
import {type MarketFileName, marketFiles} from "../../../schemas/market-files.ts";
import {changesSql} from "./changes.ts";

/**
 * Columns of a draft, by type, beside those of the fields that name no SQL: what a price record and its evidence are made of. A draft
 * that lacks one has null there. `markets` are the venues, or the one report, with whose earlier sales the record is compared, all latest
 * ones or that of `market_date`; `rollup` is our own figure beside an official one, as JSON; `windows` are days, of each of `venue_ids`.
 */
const draftColumns = {
  VARCHAR:
    "evidence_id record_key contributing_venues corrected_sale rollup place report_scope ingested_at last_verified_at",
  BOOLEAN:
    "headline withdrawn sale_revised has_venue rows_refused head_excluded weight_spans_bins window_widened thin outlier any_preliminary any_estimated_weight",
  DOUBLE: "price pooled_weight pooled_cents low high avg_weight",
  INTEGER: "head counted_head head_reported row_count rows_excluded weight_imputed_rows venues venues_known",
  DATE: "first_date last_date market_date",
  "VARCHAR[]": "markets venue_ids issue_ids source_ids systems report_slugs programs statuses published",
  "INTEGER[]": "windows",
} as const;

/** Files of price records by kind of record. */
export const priceFiles = {
  county: "county_prices",
  state: "state_prices",
  latest: "latest_prices",
} as const satisfies Record<PriceRecord, MarketFileName>;

/** The fields that a draft has under their own name. */
function plainFields(record: PriceRecord): (readonly [name: string, field: MarketField])[] {
  return fieldsIn(priceFields, record).filter(
    ([, {sql, asked, judged}]) => sql === undefined && !asked && !judged,
  );
}

function columnsOf(record: PriceRecord): Record<string, string> {
  const made = Object.entries(draftColumns).flatMap(([type, names]) =>
    names.split(" ").map((name) => [name, type]),
  );
  return {
    ...Object.fromEntries(made),
    ...Object.fromEntries(plainFields(record).map(([name, {type}]) => [name, type])),
  };
}

/** Makes an empty table `<record>_drafts`, and a view `earlier_<record>` of the records of the build before, empty without one. */
export async function createDrafts(
  db: Database,
  record: PriceRecord,
  previousDir: string | null,
): Promise<void> {
  const columns = Object.entries(columnsOf(record)).map(([name, type]) => `${name} ${type}`);
  await db.run(`CREATE OR REPLACE TEMP TABLE ${record}_drafts (${columns.join(", ")});
    CREATE OR REPLACE TEMP VIEW earlier_${record} AS ${earlierSql(priceFiles[record], previousDir)}`);
}

/** SQL of a table of the build before; a column that it lacks is null, and without the file it has no rows. */
export function earlierSql(table: MarketFileName, previousDir: string | null): string {
  const nulls = marketFiles[table].columns.map((column) => `NULL::${workingType(column)} AS ${column.name}`);
  const path = previousDir === null ? null : join(previousDir, tablePath(table));
  const rows =
    path === null || !existsSync(path) ? "" : ` UNION ALL BY NAME FROM read_parquet(${sqlText(path)})`;
  return `SELECT ${nulls.join(", ")} WHERE false${rows}`;
}

/** Adds the rows of a query, whose columns are found by name, to the drafts of a kind of record; columns that no draft has are left out. */
export async function addDrafts(db: Database, record: PriceRecord, select: string): Promise<void> {
  const names = Object.keys(columnsOf(record)).map(sqlText);
  await db.run(
    `INSERT INTO ${record}_drafts BY NAME SELECT COLUMNS(name -> name IN (${names.join(", ")})) FROM (${select})`,
  );
}

/**
 * Adds tombstones: records that the build before had and whose source has taken them back, with texts and dates and no figure. They are
 * served for one build. Estimates are ours, and no source withdraws them.
 */
export async function addTombstones(
  db: Database,
  record: PriceRecord,
  {where, more}: {readonly where: string; readonly more: string},
): Promise<void> {
  const standing = plainFields(record).filter(([, {type}]) => /^(VARCHAR|DATE)/.test(type));
  await addDrafts(
    db,
    record,
    `SELECT ${standing.map(([name]) => name).join(", ")}, window_days, record_key, headline, true AS withdrawn, 0 AS venues,
      first_sale_date AS first_date, last_sale_date AS last_date, ${more}
    FROM earlier_${record} AS e WHERE change_status <> 'withdrawn' AND ${where}`,
  );
}

/** SQL condition on an earlier record of an area: reported, and not present although its sale would still be in the window. */
export function missedArea(record: PriceRecord, area: string, windowDays: number): string {
  return `price_basis IN ('observed_in_county', 'official_state_summary', 'derived_rollup')
    AND date_diff('day', last_sale_date, getvariable('as_of')) <= coalesce(window_days, ${windowDays})
    AND (${area}, cell_id) NOT IN (SELECT (${area}, cell_id) FROM ${record}_drafts)`;
}

/** SQL over a record and the earlier one of its key: what became of it, or of the same cell in the sale before. */
const changeStatus = `CASE WHEN withdrawn THEN 'withdrawn'
  WHEN e.record_key IS NULL AND sale_revised THEN 'revised'
  WHEN e.record_key IS NULL OR e.change_status = 'withdrawn' THEN 'new'
  WHEN e.value_hash <> h.hash THEN 'revised'
  WHEN h.age_days > 21 THEN 'stale' ELSE 'unchanged' END`;

const previousText = (["price_avg", "price_low", "price_high", "head_count"] as const)
  .map((name) => `'"${name}":' || coalesce(${priceFields[name].text(`e.${name}`)}, 'null')`)
  .join(` || ',' || `);

/**
 * Makes the table of a kind of price record from its drafts: the columns of the fields, those of the drafts that evidence is made of,
 * and the JSON text `record`. The change against the build before goes by the hash of what revises a record.
 */
export async function makeRecords(db: Database, record: PriceRecord): Promise<void> {
  const fields = fieldsIn(priceFields, record).filter(([, {asked, judged}]) => !asked && !judged);
  const values = fields.map(
    ([name, {sql = name, stored = (value: string) => value}]) => `${stored(sql)} AS ${name}`,
  );
  const unrounded = fields.flatMap(([name, field]) =>
    field.unrounded === undefined ? [] : `${field.sql ?? name} AS ${name}_unrounded`,
  );
  const replaced = fields.map(([name]) => sqlText(name)).join(", ");
  await db.run(`CREATE OR REPLACE TABLE ${priceFiles[record]} AS
    WITH valued AS (
      SELECT COLUMNS(name -> name NOT IN (${replaced}, 'matched', 'week_change', 'year_change', 'week_from', 'year_from')), ${[...values, ...unrounded].join(", ")}
      FROM ${record}_drafts LEFT JOIN (${changesSql(`${record}_drafts`)}) USING (evidence_id)
    ), hashed AS (
      SELECT *, left(sha256(${revisingText(priceFields, record)}), 16) AS hash FROM valued
    ), judged AS (
      SELECT h.* EXCLUDE (hash), CASE WHEN withdrawn THEN e.value_hash ELSE hash END AS value_hash, ${changeStatus} AS change_status,
        CASE WHEN e.record_key IS NOT NULL AND ${changeStatus} IN ('revised', 'withdrawn') THEN '{' || ${previousText} || '}' END AS previous
      FROM hashed AS h LEFT JOIN earlier_${record} AS e USING (record_key)
    )
    SELECT *, ${recordText(priceFields, record)} AS record FROM judged`);
}

/** A record as the build before had it. */
export type EarlierRecord = {record_key: string; value_hash: string; change_status: string};

/**
 * The status of a record without a price against the build before: revised (same key, other values), new (key unseen, or a tombstone), or
 * unchanged.
 */
export function changeStatusOf(earlier: EarlierRecord | undefined, valueHash: string): ChangeStatus {
  if (earlier === undefined || earlier.change_status === "withdrawn") return "new";
  return earlier.value_hash === valueHash ? "unchanged" : "revised";
}

/** Hash over value fields only: names in byte order, so that neither field order nor ages nor build ids move it. */
export function valueHashOf(values: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(values).sort();
  return hash("sha256", JSON.stringify(names.map((name) => [name, values[name] ?? null]))).slice(0, 16);
}
