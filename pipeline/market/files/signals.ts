import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {tablePath} from "../../../lib/storage/build-layout.ts";
import {fileColumnsOf} from "../../../schemas/market-column.ts";
import {quarantineColumns} from "../../../schemas/report-issue.ts";
import {type SignalTable, signalFiles, signalKey} from "../../../schemas/signal-files.ts";
import type {ReadSignalFile, SignalTables} from "../signals/reading.ts";
import {type MarketFiles, writeParquet} from "./parquet.ts";
import {fillTable} from "./record-table.ts";

const signalTables = Object.keys(signalFiles) as SignalTable[];

/** Name of a signal's table in the build's database. */
function tableName(table: SignalTable): string {
  return `signal_${table}`;
}

/** Fills the tables of signals and adds their rejected rows to the quarantine. */
export async function fillSignalTables(
  db: Database,
  {tables, readFiles}: {tables: SignalTables; readFiles: readonly ReadSignalFile[]},
): Promise<void> {
  for (const table of signalTables)
    await fillTable(db, tableName(table), signalFiles[table].columns, tables.get(table) ?? []);
  await fillTable(db, "signal_quarantine", quarantineColumns, quarantined(readFiles));
  await db.run(
    `INSERT INTO quarantine BY NAME SELECT * FROM signal_quarantine; DROP TABLE signal_quarantine`,
  );
}

function quarantined(files: readonly ReadSignalFile[]): Record<string, unknown>[] {
  return files.flatMap(({file, reading}) =>
    reading.rejected.map(({reason, detail, ordinal, raw}) => ({
      source_path: file.path,
      issue_id: null,
      row_ordinal: ordinal,
      reject_reason: reason,
      detail,
      raw: raw === null ? null : JSON.stringify(raw),
    })),
  );
}

/** Writes the tables of signals, each in the order of its key; a table without rows is a file without rows. */
export async function writeSignalFiles(db: Database, files: MarketFiles): Promise<void> {
  for (const table of signalTables) {
    const select = `SELECT ${fileColumnsOf(signalFiles[table].columns)} FROM ${sqlName(tableName(table))}`;
    await writeParquet(db, {select, order: signalKey.join(", ")}, tablePath(`signals/${table}`), files);
  }
}

/** Rows of each signal file, under its name among the tables, `signals/<name>`. */
export async function countSignals(db: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of signalTables) {
    const [row] = await db.rows<{n: number}>(
      `SELECT count(*)::INTEGER AS n FROM ${sqlName(tableName(table))}`,
    );
    counts[`signals/${table}`] = row!.n;
  }
  return counts;
}

/** Sources that contributed a signal, with the newest date they state and the newest fetch. */
export const signalSourcesSql = signalTables
  .filter((table) => table !== "basis")
  .map((table) => `SELECT source_id, source_date, ingested_at FROM ${sqlName(tableName(table))}`)
  .join(" UNION ALL ");
