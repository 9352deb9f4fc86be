import {
  type ColumnMatch,
  emptyWords,
  type issueDateColumns,
  matchColumns,
  missingColumns,
  noUnitColumn,
  type RawColumn,
  rawColumns,
  rawNumberColumns,
  type SpecialColumn,
} from "@open-cattle/usda-reports";
import {UserError} from "../../../lib/errors.ts";
import {type Database, isNumberType, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import type {Staging} from "../staging/staging.ts";

type Export = {
  /** SQL that reads the file: `read_parquet('…')` or `read_csv('…', …)`. */
  relation: string;
  path: string;
  fileNo: number;
  slug: string | null;
};

/** SQL of each column of a row, and which columns the file has. */
type Columns = {
  readonly match: ColumnMatch;
  sql(column: RawColumn | SpecialColumn): string;
};

/**
 * Stages the rows of a table file (Parquet, CSV) entirely in SQL and returns their number; call it within `whole` of the run, and then
 * `refuseEmpty`. Throws a UserError for a file that lacks a required column or does not say which report it is.
 */
export async function stageExport(staging: Staging, {relation, path, fileNo, slug}: Export): Promise<number> {
  const columns = await columnsOf(staging.run.db, relation, path, slug);
  const listed = rawColumns.map((name) => `${columns.sql(name)} AS ${name}`);
  const rows = await staging.stageRows(
    `(SELECT ${fileNo} AS file_no, ${listed.join(", ")}, NULL::VARCHAR AS reject_reason, NULL::VARCHAR AS reject_detail FROM ${relation})`,
  );
  if (columns.match.has("total_receipts"))
    await staging.stageHeaders(receiptsSql(relation, fileNo, columns), [
      "report_title",
      "published",
      "final_ind",
    ]);
  return rows;
}

/** Throws a UserError for a file without rows. */
export function refuseEmpty(path: string, rows: number): void {
  if (rows === 0) throw new UserError(`${path}: no rows below the header.`);
}

async function columnsOf(
  db: Database,
  relation: string,
  path: string,
  slug: string | null,
): Promise<Columns> {
  const described = await db.rows<{name: string; type: string}>(
    `SELECT column_name AS name, column_type AS type FROM (DESCRIBE SELECT * FROM ${relation})`,
  );
  const names = described.map(({name}) => name);
  const match = matchColumns(names);
  const missing = missingColumns(match, names);
  if (missing !== null) throw new UserError(`${path}: ${missing}.`);
  if (!match.has("slug") && slug === null) {
    throw new UserError(
      `${path}: no report number: expected a column slug_id, an address .../reports/<number> in the meta file or ams_<number> in the file name.`,
    );
  }
  const typeOf = new Map(described.map(({name, type}) => [name, type]));
  // A time of day tells the editions of one day apart; other columns hold days.
  const text = (name: string) =>
    !match.get("published")?.includes(name) && /^TIMESTAMP/.test(typeOf.get(name)!)
      ? `${sqlName(name)}::DATE::VARCHAR`
      : `${sqlName(name)}::VARCHAR`;
  const constants: Readonly<Record<string, string>> = {
    slug: sqlText(slug ?? ""),
    price_unit: sqlText(noUnitColumn),
    receipts: receiptsByCommodity(match, typeOf),
  };
  const sql = (column: RawColumn | SpecialColumn): string => {
    const names = match.get(column);
    const isNumber = numberColumns.has(column);
    if (names === undefined) return constants[column] ?? (isNumber ? "NULL::DOUBLE" : "NULL::VARCHAR");
    if (isNumber) return firstOf(names.map((name) => numberSql(name, typeOf)));
    const texts = names.map(text);
    if (column === "narrative") return firstOf(texts.map(givenSql));
    return firstOf(texts.length === 1 ? texts : [...texts.map(givenSql), texts[0]!]);
  };
  return {match, sql};
}

/** SQL: the first of these values that is not null. */
function firstOf(values: readonly string[]): string {
  return values.length === 1 ? values[0]! : `coalesce(${values.join(", ")})`;
}

/** SQL: a text, null for what publishers write for a missing value. */
function givenSql(text: string): string {
  return `CASE WHEN lower(trim(${text})) NOT IN (${[...emptyWords].map(sqlText).join(", ")}) THEN ${text} END`;
}

/**
 * SQL: a column as a number, accepting thousands separators and a leading dollar sign; null for other text, such as a decimal
 * comma.
 */
function numberSql(name: string, typeOf: ReadonlyMap<string, string>): string {
  const column = sqlName(name);
  return isNumberType(typeOf.get(name)!)
    ? `${column}::DOUBLE`
    : `coalesce(try_cast(${column} AS DOUBLE), CASE WHEN regexp_full_match(${column}::VARCHAR, '\\s*-?\\$?\\s*(\\d{1,3}(,\\d{3})+|\\d+)(\\.\\d*)?\\s*')
    THEN try_cast(regexp_replace(${column}::VARCHAR, '[,$\\s]', '', 'g') AS DOUBLE) END)`;
}

/** Columns with the receipts of one commodity, and the commodity's name. */
const perCommodity = [
  ["feeder_receipts", "Feeder Cattle"],
  ["slaughter_receipts", "Slaughter Cattle"],
  ["replacement_receipts", "Replacement Cattle"],
] as const satisfies readonly (readonly [SpecialColumn, string])[];

const numberColumns = new Set<string>([
  ...rawNumberColumns,
  "total_receipts",
  ...perCommodity.map(([column]) => column),
]);

/**
 * SQL: receipts in an export with a column per commodity; a row gets those of its own commodity, as in the original service.
 */
function receiptsByCommodity(match: ColumnMatch, typeOf: ReadonlyMap<string, string>): string {
  const cases = perCommodity.flatMap(([column, label]) =>
    match.has(column)
      ? `WHEN lower(${sqlName(match.get("commodity")![0])}) LIKE '${label.split(" ")[0]!.toLowerCase()}%' THEN ${numberSql(match.get(column)![0], typeOf)}`
      : [],
  );
  return cases.length === 0 ? "NULL::DOUBLE" : `CASE ${cases.join(" ")} END`;
}

/** SQL: the receipts of each issue in an export, as headers. */
function receiptsSql(relation: string, fileNo: number, {match, sql}: Columns): string {
  const dateOf = (name: (typeof issueDateColumns)[number]) =>
    match.has(name)
      ? `coalesce(try_cast(left(${sql(name)}, 10) AS DATE), try_strptime(split_part(${sql(name)}, ' ', 1), '%m/%d/%Y')::DATE)`
      : undefined;
  const end = dateOf("report_end_date") ?? dateOf("report_date") ?? dateOf("report_begin_date")!;
  const present = [["total_receipts", "total"] as const, ...perCommodity].filter(([column]) =>
    match.has(column),
  );
  return `SELECT ${fileNo} AS file_no, ${reportSlugSql(sql("slug"))} AS slug, ${sql("report_title")} AS report_title,
      ${dateOf("report_begin_date") ?? end} AS report_begin_date, ${end} AS report_end_date,
      ${sql("published")} AS published, ${sql("final_ind")} AS final_ind,
      map([${present.map(([, label]) => sqlText(label)).join(", ")}], [${present.map(([column]) => `max(${sql(column)})`).join(", ")}]) AS receipts
    FROM ${relation} GROUP BY ALL HAVING report_end_date IS NOT NULL`;
}

/** SQL: as `reportSlug`, for a text column. */
function reportSlugSql(column: string): string {
  const text = `regexp_replace(lower(trim(${column})), '\\.0$', '')`;
  return `CASE WHEN regexp_full_match(${text}, '\\d+') THEN 'ams-' || ${text}
    ELSE trim(regexp_replace(${text}, '[^a-z0-9]+', '-', 'g'), '-') END`;
}
