import type {Database} from "../../../lib/sql/duckdb.ts";
import {tablePath} from "../../../lib/storage/build-layout.ts";
import {fileColumnsOf} from "../../../schemas/market-column.ts";
import {signalFiles, signalKey} from "../../../schemas/signal-files.ts";
import {signalTables} from "../signals/gather.ts";
import {type MarketFiles, writeParquet} from "./parquet.ts";

/** Writes the tables of signals, each in the order of its key; a table without rows is a file without rows. */
export async function writeSignalFiles(db: Database, files: MarketFiles): Promise<void> {
  for (const table of signalTables) {
    const select = `SELECT ${fileColumnsOf(signalFiles[table].columns)} FROM signal_${table}`;
    await writeParquet(db, {select, order: signalKey.join(", ")}, tablePath(`signals/${table}`), files);
  }
}

/** Rows of each signal file, under its name among the tables, `signals/<name>`. */
export async function countSignals(db: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of signalTables) {
    const [row] = await db.rows<{n: number}>(`SELECT count(*)::INTEGER AS n FROM signal_${table}`);
    counts[`signals/${table}`] = row!.n;
  }
  return counts;
}

/** Sources that contributed a signal, with the newest date they state and the newest fetch. */
export const signalSourcesSql = signalTables
  .filter((table) => table !== "basis")
  .map((table) => `SELECT source_id, source_date, ingested_at FROM signal_${table}`)
  .join(" UNION ALL ");
