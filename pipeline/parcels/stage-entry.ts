import type {EntrySources, SourceTable} from "../../lib/parcels/conform/sources.ts";
import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import {type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {type FileRole, fileRole} from "./entry-files.ts";
import {stageFile} from "./stage-file.ts";

/** A raw file whose rows are in the database. */
export type StagedFile = {
  /** Number of the file: that of the first file of its entry plus its place among them. */
  readonly number: number;
  readonly file: RawFile;
  readonly role: Exclude<FileRole, "none">;
  readonly rows: number;
  readonly malformed: number;
};

export type StagedEntry = {
  readonly sources: EntrySources;
  readonly files: readonly StagedFile[];
  /** Files that gave no rows, with the reason. */
  readonly reports: readonly FileReport[];
};

type StageRequest = {
  readonly entry: ParcelSource;
  readonly files: readonly RawFile[];
  readonly asOf: string;
  readonly tempDir: string;
  /** Number of the entry's first file. */
  readonly firstNumber: number;
};

/**
 * Reads the raw files of an entry into the database and gives their tables and reports. A file that no reader knows, that is
 * damaged or lacks columns of the field map gives a report with the reason, and the others are read. Files without a role and
 * files retrieved after `asOf` are left out.
 */
export async function stageEntry(db: Database, request: StageRequest): Promise<StagedEntry> {
  const {entry, files, asOf, firstNumber} = request;
  const staged: StagedFile[] = [];
  const reports: FileReport[] = [];
  const main: SourceTable[] = [];
  const joins: Record<string, SourceTable[]> = {};
  for (const [i, file] of files.entries()) {
    const role = fileRole(entry, file);
    const late = file.retrievedAtFrom === "meta" && file.retrievedAt.slice(0, 10) > asOf;
    if (role === "none" || late) {
      const reason = late
        ? `retrieved ${file.retrievedAt}, after ${asOf}`
        : `fits neither "files" (${entry.files}) nor a join of ${entry.id}`;
      reports.push(fileWithoutRows(file.path, entry.id, "left_out", reason));
      continue;
    }
    const number = firstNumber + i;
    const result = await stageFile(db, {...request, file, role, number});
    if ("report" in result) {
      reports.push(result.report);
      continue;
    }
    staged.push({number, file, role, rows: result.rows, malformed: result.malformed});
    reports.push(...result.passedOver);
    if (role === "main") main.push(...result.tables);
    else joins[role.join] = [...(joins[role.join] ?? []), ...result.tables];
  }
  return {sources: {main, joins}, files: staged, reports};
}

/** Drops the tables of the staged files. */
export async function dropStaged(db: Database, {main, joins}: EntrySources): Promise<void> {
  for (const {table} of [...main, ...Object.values(joins).flat()])
    await db.run(`DROP TABLE IF EXISTS ${sqlName(table)}`);
}
