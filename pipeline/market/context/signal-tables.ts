import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {quarantineColumns} from "../../../schemas/report-issue.ts";
import {type SignalTable, signalFiles, signalKey} from "../../../schemas/signal-files.ts";
import {instantType} from "../../../schemas/vocabulary/described-file.ts";
import {type MarketColumn, namesOf, workingType} from "../../../schemas/vocabulary/market-column.ts";
import {sourceOfFeed} from "../feeds/feeds.ts";
import {fillTable} from "../records/record-table.ts";
import type {ReadSignalFile} from "../signals/reading.ts";

export const signalTables = Object.keys(signalFiles) as SignalTable[];

/**
 * Makes the tables `signal_<name>` with one row per signal, key and first day: the one with the latest source date, else from
 * the file fetched last. Extra columns: `seq`, the order in which signals came, and `is_current`, true for rows of the newest
 * fetch from their address (whatever that fetch omits is over). Rejected rows go into `signal_rejects`, a quarantine: those
 * that readers rejected, those with a value that does not fit its column (`unfit_value`), and those published, or beginning,
 * after the as-of date (`after_as_of`).
 */
export async function gatherSignals(
  db: Database,
  files: readonly ReadSignalFile[],
  asOf: string,
): Promise<void> {
  const order = ({file}: ReadSignalFile) => `${file.retrievedAt} ${file.path}`;
  const oldestFirst = files.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  const rejected = oldestFirst.flatMap(({file, reading}) =>
    reading.rejected.map(({reason, ordinal, ...row}) => ({
      source_path: file.path,
      row_ordinal: ordinal,
      reject_reason: reason,
      ...row,
    })),
  );
  await fillTable(db, "signal_rejects", quarantineColumns, rejected);
  for (const table of signalTables) {
    const columns: readonly MarketColumn[] = signalFiles[table].columns;
    const names = [...columns.map(({name}) => name), "address"];
    const texts = names.map((name) => ({name, type: "VARCHAR", about: "", json: true as const}));
    await fillTable(db, "staged_signals", texts, stagedRows(oldestFirst, table));
    await db.run(`${checkedSql(columns, asOf)}; ${gatheredSql(table, columns)};
      DROP TABLE staged_signals; DROP TABLE checked_signals`);
  }
}

/** The rows of a table with facts of their files; non-text values are staged as JSON. */
function* stagedRows(files: readonly ReadSignalFile[], table: SignalTable): Generator<object> {
  for (const {file, reading} of files) {
    const {path, feedOrEntryId, retrievedAt, meta} = file;
    const fetched = {source_path: path, ingested_at: retrievedAt, address: meta?.url ?? path};
    for (const values of reading.table === table ? reading.rows : [])
      yield {source_id: sourceOfFeed(feedOrEntryId), ...values, ...fetched};
  }
}

/** SQL: a staged text as a value of its column; null if it does not fit. */
function valueSql(column: MarketColumn): string {
  const type = workingType(column);
  const text = sqlName(column.name);
  const value = `TRY_CAST(${type.endsWith("[]") ? `TRY_CAST(${text} AS JSON)` : text} AS ${type})`;
  const isDay = column.type === "DATE" || column.type === instantType;
  return isDay ? `CASE WHEN ${value} BETWEEN '1900-01-01' AND '2199-12-31' THEN ${value} END` : value;
}

/**
 * SQL: converts the staged rows to column types and rejects those that do not fit. Rejects quote no value, because futures
 * values must not leak.
 */
function checkedSql(columns: readonly MarketColumn[], asOf: string): string {
  const typed = columns.map((column) => `${valueSql(column)} AS ${sqlName(column.name)}`);
  const misfits = columns.map((column) => {
    const came = column.name === "valid_from" ? "true" : `${sqlName(column.name)} IS NOT NULL`;
    return `CASE WHEN ${came} AND ${valueSql(column)} IS NULL THEN '${column.name}: a value came that is no ${column.type}' END`;
  });
  return `CREATE OR REPLACE TEMP TABLE checked_signals AS
      SELECT *, CASE WHEN misfit IS NOT NULL THEN 'unfit_value' WHEN source_date > '${asOf}' THEN 'after_as_of' END AS reason
      FROM (SELECT rowid AS place, address, valid_from AS first_day, coalesce(${misfits.join(", ")}) AS misfit,
        ${typed.join(", ")} FROM staged_signals);
    INSERT INTO signal_rejects SELECT source_path, NULL, row_number() OVER (PARTITION BY source_path, reason ORDER BY place), reason,
        coalesce(misfit, 'of ' || source_date || ', after the as-of date ${asOf}'),
        to_json({'signal': signal, 'key': key, 'valid_from': first_day})
      FROM checked_signals WHERE reason IS NOT NULL`;
}

/** SQL: a table of signals. Facilities and permits merge the columns of several answers, newer values first. */
function gatheredSql(table: SignalTable, columns: readonly MarketColumn[]): string {
  const whole = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING";
  const filled = columns.map(({name}) => `last_value(${name} IGNORE NULLS) OVER same AS ${name}`).join(", ");
  return `CREATE OR REPLACE TABLE signal_${table} AS
    SELECT ${table === "facilities" ? filled : namesOf(columns)}, min(place) OVER same AS seq,
      source_path = last_value(source_path) OVER (PARTITION BY address ORDER BY place ${whole}) AS is_current
    FROM checked_signals AS came WHERE reason IS NULL
    WINDOW same AS (PARTITION BY ${signalKey.join(", ")} ORDER BY place ${whole})
    QUALIFY row_number() OVER (PARTITION BY ${signalKey.join(", ")} ORDER BY source_date DESC NULLS LAST, place DESC) = 1`;
}
