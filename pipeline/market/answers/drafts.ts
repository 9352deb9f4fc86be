import {hash} from "node:crypto";
import {recentDays} from "../../../lib/market/evidence.ts";
import {asOfSql} from "../../../lib/models/build-facts.ts";
import {type AnyModel, type ColumnsOf, columnTypes, type RowOf, type Run} from "../../../lib/models/model.ts";
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
import {column, type DescribedColumn} from "../../../schemas/vocabulary/described-file.ts";
import {changeColumns, changeSums, changesSql} from "./changes.ts";
import {cited_issues, corrected_cells} from "./issue-cells.ts";
import {previous_issue_cells} from "./previous-build.ts";

/**
 * Columns of a draft by type, beside fields without SQL: what a price record and its evidence are made of; null if a draft
 * lacks one. `markets` are the venues, or the one report, with whose earlier sales the record is compared: their latest sale,
 * or that of `market_date`. `rollup` is our own figure beside an official one, as JSON. `windows` are the window days of each
 * of `venue_ids`. `head_recency` is the head of each sale times the hundredths of its recency, summed.
 */
const draftColumns = {
  VARCHAR:
    "evidence_id record_key withdrawn_reason contributing_venues corrected_sale rollup place report_scope ingested_at last_verified_at reporter_words",
  BOOLEAN:
    "headline withdrawn sale_revised has_venue rows_refused head_excluded weight_spans_bins window_widened thin outlier any_preliminary any_estimated_weight newer_known",
  DOUBLE: "price low high avg_weight",
  INTEGER:
    "head head_recency counted_head head_reported commodity_receipts commodity_head row_count rows_excluded weight_imputed_rows venues venues_known",
  DATE: "first_date last_date market_date",
  "VARCHAR[]":
    "markets venue_ids issue_ids source_ids systems report_slugs programs statuses published unheld_days",
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
  const stored: readonly DescribedColumn[] = marketFiles[priceFiles[record]].columns;
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
 * SQL: tombstones as drafts: records of the previous build, on the condition `where`, that cite an issue which is gone or no longer has
 * their rows (`docs/design/market.md` section 6). They have texts, dates and the issues of the earlier record but no figures, and are
 * served for one build. An issue of more than `days` is no loss. Estimates get none, because they are ours and no source withdraws them.
 */
export function tombstonesSql(
  record: PriceRecord,
  {where, days, more}: {readonly where: string; readonly days: string; readonly more: string},
): string {
  const textsAndDates = plainFields(record).filter(([, {type}]) => /^(VARCHAR|DATE)/.test(type));
  return draftsSql(
    record,
    `WITH lost AS (
      SELECT e.evidence_id AS lost_evidence, e.cell_id AS lost_cell, list_sort(list(c.issue_id)) AS cited, string_agg(loss, ', ' ORDER BY c.issue_id) AS withdrawn_reason
      FROM (SELECT DISTINCT evidence_id, cell_id, ${days} AS days FROM previous_${priceFiles[record]}) AS e
      JOIN (SELECT *, date_diff('day', try_cast(split_part(issue_id, '@', 2) AS DATE), ${asOfSql}) AS age FROM cited_issues) AS c USING (evidence_id)
      LEFT JOIN corrected_cells AS g ON g.issue_id = c.issue_id AND g.cell_id = e.cell_id AND age <= days
      GROUP BY ALL HAVING count(loss) > 0
    )
    SELECT ${textsAndDates.map(([name]) => name).join(", ")}, window_days, record_key, headline, true AS withdrawn, 0 AS venues, withdrawn_reason,
      cited AS issue_ids, first_sale_date AS first_date, last_sale_date AS last_date, ${more}
    FROM previous_${priceFiles[record]} AS e JOIN lost ON lost_evidence = e.evidence_id AND lost_cell = e.cell_id
    WHERE change_status <> 'withdrawn' AND ${where}`,
  );
}

/** SQL condition on a previous area record: it was reported, and none of `drafts` has its cell now. */
export function missingFromArea(drafts: string, area: string): string {
  return `price_basis IN ('observed_in_county', 'official_state_summary', 'derived_rollup')
    AND (${area}, cell_id) NOT IN (SELECT (${area}, cell_id) FROM ${drafts})`;
}

/** The models by which records are compared with the previous build, and those by which their tombstones are made. */
export const comparisonModels = [previous_issue_cells, corrected_cells] as const;
export const tombstoneModels = [corrected_cells, cited_issues] as const;

/** SQL: change status of a record, by what its issues did since the previous build. */
const changeStatus = `CASE WHEN h.withdrawn THEN 'withdrawn' WHEN is_unread THEN 'new'
  WHEN is_corrected AND differs THEN 'revised' WHEN h.age_days > ${recentDays} THEN 'stale' ELSE 'unchanged' END`;

const previousText = (["price_avg", "price_low", "price_high", "head_count"] as const)
  .map((name) => `'"${name}":' || coalesce(${priceFields[name].text(`e.${name}`)}, 'null')`)
  .join(` || ',' || `);

/**
 * SQL: the records of a kind from its drafts: the columns of the fields, the draft columns that evidence needs, and the JSON text
 * `record`. They are compared with the previous build by what their issues did: a record that differs although none of its issues is new or
 * corrected has a window that moved.
 */
export function recordsSql(record: PriceRecord): string {
  const fields = fieldsIn(priceFields, record).filter(([, {perQuery, compared}]) => !perQuery && !compared);
  const values = fields.map(
    ([name, {sql = name, stored = (value: string) => value}]) => `${stored(sql)} AS ${name}`,
  );
  const unrounded = fields.flatMap(([name, field]) =>
    field.unrounded === undefined ? [] : `${field.sql ?? name} AS ${name}_unrounded`,
  );
  const replaced = [...fields.map(([name]) => name), ...changeColumns].map(sqlText).join(", ");
  return `
    WITH valued AS (
      SELECT COLUMNS(name -> name NOT IN (${replaced})), ${[...values, ...unrounded].join(", ")}
      FROM ${record}_drafts LEFT JOIN (${changesSql(`${record}_drafts`)}) USING (evidence_id)
        LEFT JOIN report_titles ON report_titles.titled_slug = ${only("report_slugs")}
    ), hashed AS (
      SELECT *, left(sha256(${revisingText(priceFields, record)}), 16) AS hash FROM valued
    ), news AS (
      SELECT record_key, bool_or(issue_id NOT IN (SELECT issue_id FROM previous_issue_cells)) AS is_unread,
        bool_or((issue_id, cell_id) IN (SELECT (issue_id, cell_id) FROM corrected_cells)) AS is_corrected
      FROM (SELECT record_key, cell_id, unnest(issue_ids) AS issue_id FROM hashed WHERE NOT coalesce(withdrawn, false)) GROUP BY record_key
    ), told AS (
      SELECT h.*, coalesce(e.change_status = 'withdrawn' OR e.value_hash <> h.hash, true) AS differs,
        coalesce(is_unread, true) AS is_unread, coalesce(is_corrected, false) AS is_corrected, e.value_hash AS earlier_hash, ${changeStatus} AS change_status,
        CASE WHEN e.record_key IS NOT NULL THEN '{' || ${previousText} || '}' END AS earlier
      FROM hashed AS h LEFT JOIN news USING (record_key) LEFT JOIN previous_${priceFiles[record]} AS e USING (record_key)
    ), compared AS (
      SELECT * EXCLUDE (hash, differs, is_unread, is_corrected, earlier_hash, earlier), CASE WHEN withdrawn THEN earlier_hash ELSE hash END AS value_hash,
        CASE WHEN change_status IN ('revised', 'withdrawn') THEN earlier END AS previous, differs AND change_status IN ('unchanged', 'stale') AS window_moved
      FROM told
    )
    SELECT *, ${recordText(priceFields, record)} AS record FROM compared`;
}

/** A record of the previous build. */
export type PreviousRecord = {record_key: string; value_hash: string; change_status: string};

/** The records of a table of the previous build that decide the change status of those of this one, by key. */
export async function previousRecords(
  run: Run,
  {name}: AnyModel,
): Promise<ReadonlyMap<string, PreviousRecord>> {
  const rows = await run.db.rows<PreviousRecord>(`SELECT record_key, value_hash, change_status FROM ${name}`);
  return new Map(rows.map((row) => [row.record_key, row]));
}

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
