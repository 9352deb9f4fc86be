import {hash} from "node:crypto";
import {sqlText} from "../../../lib/sql/duckdb.ts";
import type {ChangeStatus} from "../../../schemas/market-evidence.ts";
import {
  fieldsIn,
  type MarketField,
  recordText,
  revisingText,
} from "../../../schemas/market-fields/market-field.ts";
import {type PriceRecord, type PriceValues, priceFields} from "../../../schemas/market-fields/price.ts";
import {only} from "../../../schemas/market-fields/structures.ts";
import {type MarketFileName, marketFiles} from "../../../schemas/market-files.ts";
import {column} from "../../../schemas/vocabulary/described-file.ts";
import type {MarketColumn} from "../../../schemas/vocabulary/market-column.ts";
import {asOfSql} from "../models/build-facts.ts";
import {type ColumnsOf, columnTypes, type RowOf} from "../models/model.ts";
import {changeSums, changesSql} from "./changes.ts";

/**
 * Columns of a draft by type, beside fields without SQL: what a price record and its evidence are made of; null if a draft
 * lacks one. `markets` are the venues, or the one report, with whose earlier sales the record is compared: their latest sale,
 * or that of `market_date`. `rollup` is our own figure beside an official one, as JSON. `windows` are the window days of each
 * of `venue_ids`.
 */
const draftColumns = {
  VARCHAR:
    "evidence_id record_key contributing_venues corrected_sale rollup place report_scope ingested_at last_verified_at reporter_words",
  BOOLEAN:
    "headline withdrawn sale_revised has_venue rows_refused head_excluded weight_spans_bins window_widened thin outlier any_preliminary any_estimated_weight",
  DOUBLE: "price pooled_weight pooled_cents low high avg_weight",
  INTEGER: "head counted_head head_reported row_count rows_excluded weight_imputed_rows venues venues_known",
  DATE: "first_date last_date market_date",
  "VARCHAR[]": "markets venue_ids issue_ids source_ids systems report_slugs programs statuses published",
  "INTEGER[]": "windows",
} as const;

/** The file of each kind of price record. */
export const priceFiles = {
  county: "county_prices",
  state: "state_prices",
  latest: "latest_prices",
} as const satisfies Record<PriceRecord, MarketFileName>;

/** Fields that a draft stores under their own name. */
function plainFields(record: PriceRecord): (readonly [name: string, field: MarketField])[] {
  return fieldsIn(priceFields, record).filter(
    ([, {sql, perQuery, compared}]) => sql === undefined && !perQuery && !compared,
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

/** The columns of a kind of price record as a row has them; structures are JSON text. */
type PriceColumns<Of extends PriceRecord> = {
  readonly [Name in keyof typeof priceFields as Of extends (typeof priceFields)[Name]["in"][number]
    ? Name
    : never]: ColumnValue<PriceValues[Name]> | null;
};

type ColumnValue<Value> = Value extends readonly (string | number)[]
  ? Value
  : Value extends object
    ? string
    : Value;

/** The columns of the drafts of a kind of price record. */
export function draftColumnsOf<Of extends PriceRecord>(record: Of): ColumnsOf<DraftRow<Of>> {
  return Object.entries(columnsOf(record)).map(([name, type]) => column(name, type, ""));
}

type DraftRow<Of extends PriceRecord> = Partial<PriceColumns<Of>> & RowOf<typeof draftColumns>;

/** The title of the one report of a record, with the report's number, and the JSON text of the record. */
const besideTexts = "titled_slug report_title_printed record";

/** The columns of the records of a kind: those of its file, what else its drafts have, and its JSON text. */
export function recordColumnsOf<Of extends PriceRecord>(record: Of): ColumnsOf<RecordRow<Of>> {
  const stored: readonly MarketColumn[] = marketFiles[priceFiles[record]].columns;
  const names = new Set(stored.map(({name}) => name));
  const beside = columnTypes({...changeSums, VARCHAR: besideTexts}).map(({name, type}) =>
    column(name, type, ""),
  );
  return [...stored, ...draftColumnsOf(record).filter(({name}) => !names.has(name)), ...beside];
}

type RecordRow<Of extends PriceRecord> = PriceColumns<Of> &
  Omit<RowOf<typeof draftColumns> & RowOf<typeof changeSums>, keyof PriceColumns<Of>> &
  RowOf<{VARCHAR: typeof besideTexts}>;

/** SQL: the rows of queries as drafts, matching columns by name; columns that no draft has are ignored. */
export function draftsSql(record: PriceRecord, ...selects: readonly string[]): string {
  const columns = Object.entries(columnsOf(record));
  const names = columns.map(([name]) => sqlText(name)).join(", ");
  const empty = `SELECT ${columns.map(([name, type]) => `NULL::${type} AS ${name}`).join(", ")} WHERE false`;
  const drafts = selects.map(
    (select) => `UNION ALL BY NAME SELECT COLUMNS(name -> name IN (${names})) FROM (${select})`,
  );
  return `SELECT ${columns.map(([name, type]) => `${name}::${type} AS ${name}`).join(", ")} FROM (${empty} ${drafts.join(" ")})`;
}

/**
 * SQL: tombstones as drafts: records of the previous build that their source has withdrawn, with texts and dates but no figures.
 * They are served for one build. Estimates get none, because they are ours and no source withdraws them.
 */
export function tombstonesSql(
  record: PriceRecord,
  {where, more}: {readonly where: string; readonly more: string},
): string {
  const textsAndDates = plainFields(record).filter(([, {type}]) => /^(VARCHAR|DATE)/.test(type));
  return draftsSql(
    record,
    `SELECT ${textsAndDates.map(([name]) => name).join(", ")}, window_days, record_key, headline, true AS withdrawn, 0 AS venues,
      first_sale_date AS first_date, last_sale_date AS last_date, ${more}
    FROM previous_${priceFiles[record]} AS e WHERE change_status <> 'withdrawn' AND ${where}`,
  );
}

/** SQL condition on a previous area record: it was reported, its sale is still inside the window, and none of `drafts` has it now. */
export function missingFromArea(drafts: string, area: string, windowDays: number): string {
  return `price_basis IN ('observed_in_county', 'official_state_summary', 'derived_rollup')
    AND date_diff('day', last_sale_date, ${asOfSql}) <= coalesce(window_days, ${windowDays})
    AND (${area}, cell_id) NOT IN (SELECT (${area}, cell_id) FROM ${drafts})`;
}

/** SQL: change status of a record against the previous record of its key, or a correction of the cell's sale before. */
const changeStatus = `CASE WHEN withdrawn THEN 'withdrawn'
  WHEN e.record_key IS NULL AND sale_revised THEN 'revised'
  WHEN e.record_key IS NULL OR e.change_status = 'withdrawn' THEN 'new'
  WHEN e.value_hash <> h.hash THEN 'revised'
  WHEN h.age_days > 21 THEN 'stale' ELSE 'unchanged' END`;

const previousText = (["price_avg", "price_low", "price_high", "head_count"] as const)
  .map((name) => `'"${name}":' || coalesce(${priceFields[name].text(`e.${name}`)}, 'null')`)
  .join(` || ',' || `);

/**
 * SQL: the records of a kind from its drafts: the columns of the fields, the draft columns that evidence needs, and the JSON text
 * `record`. A hash over the revising fields tells changes against the previous build.
 */
export function recordsSql(record: PriceRecord): string {
  const fields = fieldsIn(priceFields, record).filter(([, {perQuery, compared}]) => !perQuery && !compared);
  const values = fields.map(
    ([name, {sql = name, stored = (value: string) => value}]) => `${stored(sql)} AS ${name}`,
  );
  const unrounded = fields.flatMap(([name, field]) =>
    field.unrounded === undefined ? [] : `${field.sql ?? name} AS ${name}_unrounded`,
  );
  const replaced = fields.map(([name]) => sqlText(name)).join(", ");
  return `
    WITH valued AS (
      SELECT COLUMNS(name -> name NOT IN (${replaced}, 'matched', 'week_change', 'year_change', 'week_from', 'year_from')), ${[...values, ...unrounded].join(", ")}
      FROM ${record}_drafts LEFT JOIN (${changesSql(`${record}_drafts`)}) USING (evidence_id)
        LEFT JOIN report_titles ON report_titles.titled_slug = ${only("report_slugs")}
    ), hashed AS (
      SELECT *, left(sha256(${revisingText(priceFields, record)}), 16) AS hash FROM valued
    ), compared AS (
      SELECT h.* EXCLUDE (hash), CASE WHEN withdrawn THEN e.value_hash ELSE hash END AS value_hash, ${changeStatus} AS change_status,
        CASE WHEN e.record_key IS NOT NULL AND ${changeStatus} IN ('revised', 'withdrawn') THEN '{' || ${previousText} || '}' END AS previous
      FROM hashed AS h LEFT JOIN previous_${priceFiles[record]} AS e USING (record_key)
    )
    SELECT *, ${recordText(priceFields, record)} AS record FROM compared`;
}

/** A record of the previous build. */
export type PreviousRecord = {record_key: string; value_hash: string; change_status: string};

/**
 * Change status of a record without a price: `new` (unseen key, or a tombstone before), `unchanged`, or `revised` (other
 * values).
 */
export function changeStatusOf(previous: PreviousRecord | undefined, valueHash: string): ChangeStatus {
  if (previous === undefined || previous.change_status === "withdrawn") return "new";
  return previous.value_hash === valueHash ? "unchanged" : "revised";
}

/** Hash over value fields only, by sorted names, so that field order, ages and build ids do not change it. */
export function valueHashOf(values: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(values).sort();
  return hash("sha256", JSON.stringify(names.map((name) => [name, values[name] ?? null]))).slice(0, 16);
}
