import {asOfDate} from "../../../lib/models/build-facts.ts";
import {type AnyModel, model, value} from "../../../lib/models/model.ts";
import {jsonText, recordModel} from "../../../lib/models/record-model.ts";
import {sqlName} from "../../../lib/sql/duckdb.ts";
import {cleanTexts} from "../../../lib/text/clean-text.ts";
import type {MarketSourceId} from "../../../schemas/market-source.ts";
import {quarantineColumns} from "../../../schemas/report-issue.ts";
import {type SignalTable, signalFiles, signalKey} from "../../../schemas/signal-files.ts";
import {
  column,
  type DescribedColumn,
  instantType,
  workingType,
} from "../../../schemas/vocabulary/described-file.ts";
import {namesOf} from "../../../schemas/vocabulary/market-column.ts";
import type {ReadSignalFile} from "./reading.ts";

/** A file that was read, and the source that its rows cite unless they say another; null for a file without rows of a table. */
type CitedFile = ReadSignalFile & {readonly source: MarketSourceId | null};

/** The files of signals and lists that were read. */
export const signalReadings = value<readonly CitedFile[]>("files of signals");

export const signalTables = Object.keys(signalFiles) as SignalTable[];

/** Columns that a checked row has beside those of its table: its place in the staged rows, and why it is rejected. */
const checkedColumns = [
  column("place", "BIGINT", ""),
  ...["address", "first_day", "misfit", "reason"].map((name) => column(name, "VARCHAR", "")),
];

const stages = Object.fromEntries(signalTables.map((table) => [table, stagesOf(table)])) as Record<
  SignalTable,
  ReturnType<typeof stagesOf>
>;

/**
 * The signals of each table, with one row per signal, key and first day: the one with the latest source date, else from the file
 * fetched last. Extra columns: `seq`, the order in which signals came, and `is_current`, true for rows of the newest fetch from
 * their address (whatever that fetch omits is over).
 */
export const gathered = Object.fromEntries(
  signalTables.map((table) => [table, stages[table].gathered]),
) as Record<SignalTable, AnyModel>;

/** Rows that the readers of their files rejected. */
const signal_reader_rejects = recordModel({
  name: "signal_reader_rejects",
  columns: quarantineColumns,
  rows: async (run) =>
    oldestFirst(await run.value(signalReadings)).flatMap(({file, reading}) =>
      reading.rejected.map(({reason, ordinal, ...row}) => ({
        source_path: file.path,
        row_ordinal: ordinal,
        reject_reason: reason,
        ...row,
      })),
    ),
});

/**
 * A quarantine of signals: rows that readers rejected, those with a value that does not fit its column (`unfit_value`), and those
 * published, or beginning, after the as-of date (`after_as_of`). It quotes no value of the latter, because futures values must not
 * leak.
 */
export const signal_rejects = model({
  name: "signal_rejects",
  reads: [signal_reader_rejects, ...signalTables.map((table) => stages[table].checked)],
  columns: quarantineColumns,
  materialise: "table",
  sql: async (_, run) => {
    const asOf = await run.value(asOfDate);
    const rejects = signalTables.map(
      (
        table,
      ) => `SELECT source_path, NULL, row_number() OVER (PARTITION BY source_path, reason ORDER BY place)::INTEGER, reason,
        coalesce(misfit, 'of ' || source_date || ', after the as-of date ${asOf}'),
        to_json({'signal': signal, 'key': key, 'valid_from': first_day})::VARCHAR
      FROM checked_${table} WHERE reason IS NOT NULL`,
    );
    return `FROM signal_reader_rejects UNION ALL ${rejects.join(" UNION ALL ")}`;
  },
});

function oldestFirst<File extends ReadSignalFile>(files: readonly File[]): File[] {
  const order = ({file}: ReadSignalFile) => `${file.retrievedAt} ${file.path}`;
  return files.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** The columns of the signals of a table. */
export function gatheredColumns(table: SignalTable): readonly DescribedColumn[] {
  const order = [column("seq", "BIGINT", ""), column("is_current", "BOOLEAN", "")];
  return [...signalFiles[table].columns, ...order];
}

/** The models of one table: its rows as texts, with the types of their columns, and one for each signal. */
function stagesOf(table: SignalTable) {
  const columns: readonly DescribedColumn[] = signalFiles[table].columns;
  const staged = model({
    name: `staged_${table}`,
    columns: {VARCHAR: [...columns.map(({name}) => name), "address"].join(" ")},
    rows: async (run) => stagedRows(oldestFirst(await run.value(signalReadings)), table),
  });
  const checked = model({
    name: `checked_${table}`,
    reads: [staged],
    columns: [...columns, ...checkedColumns],
    sql: async (_, run) => checkedSql(table, columns, await run.value(asOfDate)),
  });
  const gathered: AnyModel = model({
    name: `gathered_${table}`,
    reads: [checked],
    columns: gatheredColumns(table),
    materialise: "table",
    sql: () => gatheredSql(table, columns),
  });
  return {checked, gathered};
}

/** The rows of a table with facts of their files; non-text values are staged as JSON. */
function* stagedRows(files: readonly CitedFile[], table: SignalTable): Generator<object> {
  for (const {file, reading, source} of files) {
    const {path, retrievedAt, meta} = file;
    const fetched = {source_path: path, ingested_at: retrievedAt, address: meta?.url ?? path};
    for (const values of reading.table === table ? reading.rows : []) {
      const row = {source_id: source, ...cleanTexts(values), ...fetched};
      yield Object.fromEntries(Object.entries(row).map(([name, member]) => [name, jsonText(member)]));
    }
  }
}

/** SQL: a staged text as a value of its column; null if it does not fit. */
function valueSql(column: DescribedColumn): string {
  const type = workingType(column);
  const text = sqlName(column.name);
  const value = `TRY_CAST(${type.endsWith("[]") ? `TRY_CAST(${text} AS JSON)` : text} AS ${type})`;
  const isDay = column.type === "DATE" || column.type === instantType;
  return isDay ? `CASE WHEN ${value} BETWEEN '1900-01-01' AND '2199-12-31' THEN ${value} END` : value;
}

/** SQL: the staged rows with the types of their columns, and the reason for which one is rejected. */
function checkedSql(table: SignalTable, columns: readonly DescribedColumn[], asOf: string): string {
  const typed = columns.map((column) => `${valueSql(column)} AS ${sqlName(column.name)}`);
  const misfits = columns.map((column) => {
    const isStated = column.name === "valid_from" ? "true" : `${sqlName(column.name)} IS NOT NULL`;
    return `CASE WHEN ${isStated} AND ${valueSql(column)} IS NULL THEN '${column.name}: expected ${column.type}, got another value' END`;
  });
  return `SELECT *, CASE WHEN misfit IS NOT NULL THEN 'unfit_value' WHEN source_date > '${asOf}' THEN 'after_as_of' END AS reason
    FROM (SELECT rowid AS place, address, valid_from AS first_day, coalesce(${misfits.join(", ")}) AS misfit,
      ${typed.join(", ")} FROM staged_${table})`;
}

/** SQL: a table of signals. Facilities and permits merge the columns of several answers, newer values first. */
function gatheredSql(table: SignalTable, columns: readonly DescribedColumn[]): string {
  const whole = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING";
  const filled = columns.map(({name}) => `last_value(${name} IGNORE NULLS) OVER same AS ${name}`).join(", ");
  return `SELECT ${table === "facilities" ? filled : namesOf(columns)}, min(place) OVER same AS seq,
      source_path = last_value(source_path) OVER (PARTITION BY address ORDER BY place ${whole}) AS is_current
    FROM checked_${table} WHERE reason IS NULL
    WINDOW same AS (PARTITION BY ${signalKey.join(", ")} ORDER BY place ${whole})
    QUALIFY row_number() OVER (PARTITION BY ${signalKey.join(", ")} ORDER BY source_date DESC NULLS LAST, place DESC) = 1`;
}

/** SQL: a gathered table and further rows of it, which a query computes. */
export function withFurtherRows(table: SignalTable, select: string): string {
  const columns: readonly DescribedColumn[] = signalFiles[table].columns;
  const typed = columns.map(
    (column) => `${sqlName(column.name)}::${workingType(column)} AS ${sqlName(column.name)}`,
  );
  return `SELECT ${typed.join(", ")}, seq, is_current FROM (FROM gathered_${table} UNION ALL BY NAME ${select})`;
}
