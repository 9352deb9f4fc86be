import {UserError} from "../../../lib/errors.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {type ColumnMatch, matchColumns, missingColumns, type SpecialColumn} from "../column-aliases.ts";
import {type RawColumn, rawDateColumns, rawNumberColumns, rawTextColumns} from "../staging.ts";
import {noUnitColumn} from "../words/price-unit.ts";
import {reportSlugSql} from "../words/report-slug.ts";

type Export = {
  /** SQL that reads the file: `read_parquet('…')` or `read_csv('…', …)`. */
  relation: string;
  path: string;
  fileNo: number;
  slug: string | null;
  /** Gives the SQL to read instead where the rows, once they were read, turn out to be wrong; null where they are right. */
  again?: () => Promise<string | null>;
};

type SourceColumns = ReadonlyMap<string, string>;

/**
 * Puts a table file (Parquet, CSV) into the staging tables without touching a row in JavaScript.
 * Throws a UserError for a file without rows, without a needed column, or that nowhere names its report.
 */
export async function stageExport(
  db: Database,
  {relation, path, fileNo, slug, again = async () => null}: Export,
): Promise<void> {
  const described = await db.rows<{column_name: string; column_type: string}>(
    `DESCRIBE SELECT * FROM ${relation}`,
  );
  const types: SourceColumns = new Map(described.map((column) => [column.column_name, column.column_type]));
  const names = [...types.keys()];
  const match = matchColumns(names);
  const missing = missingColumns(match, names);
  if (missing !== null) throw new UserError(`${path}: ${missing}.`);
  if (!match.has("slug") && slug === null) {
    throw new UserError(
      `${path}: no report number: expected a column slug_id, an address .../reports/<number> in the meta file or ams_<number> in the file name.`,
    );
  }
  const columns = stagedColumns(match, types, slug);
  const insert = (from: string) =>
    db.run(`INSERT INTO raw_rows BY NAME SELECT ${fileNo} AS file_no,
      ${columns.map(([name, sql]) => `${sql} AS ${name}`).join(", ")} FROM ${from}`);
  await insert(relation);
  const better = await again();
  if (better !== null) {
    await db.run(`DELETE FROM raw_rows WHERE file_no = ${fileNo}`);
    await insert(better);
  }
  const [{count}] = (await db.rows<{count: number}>(
    `SELECT count(*)::INTEGER AS count FROM raw_rows WHERE file_no = ${fileNo}`,
  )) as [{count: number}];
  if (count === 0) throw new UserError(`${path}: no rows below the header.`);
  await rangesOutOfBreaks(db, fileNo);
  if (match.has("total_receipts"))
    await stageReceipts(db, {relation: better ?? relation, fileNo}, match, types, columns);
}

type StagedColumn = readonly [RawColumn | "narrative", string];

function stagedColumns(match: ColumnMatch, types: SourceColumns, slug: string | null): StagedColumn[] {
  const texts = rawTextColumns
    .filter((name) => match.has(name))
    .map((name): StagedColumn => [name, textSql(match.get(name)!, types)]);
  const dates = rawDateColumns
    .filter((name) => match.has(name))
    .map((name): StagedColumn => [name, dateTextSql(match.get(name)!, types)]);
  const numbers = rawNumberColumns
    .filter((name) => match.has(name))
    .map((name): StagedColumn => [name, numberSql(match.get(name)!, types)]);
  const receipts = match.has("receipts") ? [] : receiptsByCommodity(match, types);
  const narrative: StagedColumn[] = match.has("narrative")
    ? [["narrative", saysSomething(textSql(match.get("narrative")!, types))]]
    : [];
  const unit: StagedColumn[] = match.has("price_unit") ? [] : [["price_unit", sqlText(noUnitColumn)]];
  return [
    ...unit,
    ...(match.has("slug") ? [] : [["slug", sqlText(slug ?? "")] as const]),
    ...texts,
    ...dates,
    ...numbers,
    ...receipts,
    ...narrative,
  ];
}

/**
 * SQL: true for a text with other words than `N/A`. Most begin with a plain letter other than N, which settles it: to trim a comment of
 * some hundred letters would cost more than all numbers of the row.
 */
function saysSomething(text: string): string {
  return `CASE WHEN ascii(${text}) BETWEEN 33 AND 126 AND ascii(${text}) <> ascii('N') THEN true
    ELSE coalesce(trim(${text}), '') NOT IN ('', 'N/A') END`;
}

function textSql(name: string, types: SourceColumns): string {
  return types.get(name) === "VARCHAR" ? sqlName(name) : `${sqlName(name)}::VARCHAR`;
}

/** Gives SQL of a column as a number; null for text without a number, and for `nan` and `inf`, which break sums and JSON. */
function numberSql(name: string, types: SourceColumns): string {
  const number =
    types.get(name) === "VARCHAR"
      ? `coalesce(try_cast(${sqlName(name)} AS DOUBLE), try_cast(replace(${sqlName(name)}, ',', '') AS DOUBLE))`
      : `try_cast(${sqlName(name)} AS DOUBLE)`;
  return `CASE WHEN isfinite(${number}) THEN ${number} END`;
}

function dateTextSql(name: string, types: SourceColumns): string {
  return types.get(name) === "VARCHAR" ? sqlName(name) : `${sqlName(name)}::DATE::VARCHAR`;
}

function dateSql(name: string, types: SourceColumns): string {
  if (types.get(name) !== "VARCHAR") return `${sqlName(name)}::DATE`;
  const column = sqlName(name);
  return `coalesce(try_cast(left(${column}, 10) AS DATE), try_strptime(split_part(${column}, ' ', 1), '%m/%d/%Y')::DATE)`;
}

const perCommodity = [
  ["feeder_receipts", "feeder"],
  ["slaughter_receipts", "slaughter"],
  ["replacement_receipts", "replacement"],
] as const satisfies readonly (readonly [SpecialColumn, string])[];

/** An export with one receipts column for each commodity: a row's receipts are those of its own, as upstream has it. */
function receiptsByCommodity(match: ColumnMatch, types: SourceColumns): StagedColumn[] {
  const cases = perCommodity.flatMap(([column, word]) =>
    match.has(column)
      ? [
          `WHEN lower(${sqlName(match.get("commodity")!)}) LIKE '${word}%' THEN ${numberSql(match.get(column)!, types)}`,
        ]
      : [],
  );
  return cases.length === 0 ? [] : [["receipts", `CASE ${cases.join(" ")} END`]];
}

async function stageReceipts(
  db: Database,
  {relation, fileNo}: {relation: string; fileNo: number},
  match: ColumnMatch,
  types: SourceColumns,
  columns: readonly StagedColumn[],
): Promise<void> {
  const sqlOf = (name: string) => columns.find(([ours]) => ours === name)?.[1];
  const dateOf = (name: RawColumn) => (match.has(name) ? dateSql(match.get(name)!, types) : undefined);
  const end = dateOf("report_end_date") ?? dateOf("report_date") ?? dateOf("report_begin_date")!;
  const entries = [
    ["total", "total_receipts"],
    ["Feeder Cattle", "feeder_receipts"],
    ["Slaughter Cattle", "slaughter_receipts"],
    ["Replacement Cattle", "replacement_receipts"],
  ] as const;
  const present = entries.filter(([, column]) => match.has(column));
  const amounts = present.map(([, column]) => `max(${numberSql(match.get(column)!, types)})`);
  await db.run(`INSERT INTO raw_headers BY NAME
    SELECT ${fileNo} AS file_no, ${reportSlugSql(sqlOf("slug")!)} AS slug, ${sqlOf("report_title") ?? "NULL"} AS report_title,
      ${dateOf("report_begin_date") ?? end} AS report_begin_date, ${end} AS report_end_date,
      ${sqlOf("published") ?? "NULL"} AS published, ${sqlOf("final_ind") ?? "NULL"} AS final_ind,
      false AS is_correction, NULL::BOOLEAN AS narrative, false AS no_sale,
      map([${present.map(([label]) => sqlText(label)).join(", ")}], [${amounts.join(", ")}]) AS receipts,
      map()::MAP(VARCHAR, DOUBLE) AS receipts_prior, map()::MAP(VARCHAR, DOUBLE) AS receipts_year_ago
    FROM ${relation} GROUP BY ALL HAVING report_end_date IS NOT NULL`);
}

/**
 * Old exports put the actual weight range of a lot into the weight-break columns. A file is taken so where it has no
 * other range and most of its "breaks" are no 50-lb bins.
 */
async function rangesOutOfBreaks(db: Database, fileNo: number): Promise<void> {
  const [found] = await db.rows<{ranges: boolean}>(`SELECT count(avg_weight_min) = 0 AND
      count(*) FILTER (weight_break_high - weight_break_low <> 50 OR weight_break_low % 50 <> 0) > 0.5 * count(weight_break_low) AS ranges
    FROM raw_rows WHERE file_no = ${fileNo}`);
  if (found?.ranges !== true) return;
  await db.run(`UPDATE raw_rows SET avg_weight_min = weight_break_low, avg_weight_max = weight_break_high,
    weight_break_low = NULL, weight_break_high = NULL WHERE file_no = ${fileNo}`);
}
