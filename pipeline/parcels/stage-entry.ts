import {
  type EntrySources,
  factsSql,
  type GatheredTable,
  type SourceTable,
  tableOf,
} from "../../lib/parcels/conform/staged-table.ts";
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
  const main = new GatheredTables(db, `gathered_${firstNumber}`);
  const joins = new Map<string, GatheredTables>();
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
    const tables =
      role === "main"
        ? main
        : (joins.get(role.join) ?? new GatheredTables(db, `gathered_${firstNumber}_${joins.size}`));
    if (role !== "main") joins.set(role.join, tables);
    await tables.add(result.table, result.rows);
  }
  const joined = Object.fromEntries([...joins].map(([prefix, {tables}]) => [prefix, tables]));
  return {sources: {main: main.tables, joins: joined}, files: staged, reports};
}

/** Tables of fewer rows are put together: each takes 70 KiB, and a part of every statement. */
const fewRows = 10_000;

/** The tables of one role, in the order of the files: those of few rows in one. */
class GatheredTables {
  readonly tables: (SourceTable | GatheredTable)[] = [];
  readonly #db: Database;
  readonly #gathered: string;
  #isThere = false;

  constructor(db: Database, gathered: string) {
    this.#db = db;
    this.#gathered = gathered;
  }

  async add(source: SourceTable, rows: number): Promise<void> {
    if (rows >= fewRows) {
      this.tables.push(source);
      return;
    }
    const [table, gathered] = [sqlName(source.table), sqlName(this.#gathered)];
    const into = this.#isThere ? `INSERT INTO ${gathered}` : `CREATE TABLE ${gathered} AS`;
    await this.#db.run(`${into} SELECT ${factsSql(source).join(", ")}, * FROM ${table}; DROP TABLE ${table}`);
    if (!this.#isThere) this.tables.push({gathered: this.#gathered});
    this.#isThere = true;
  }
}

/** Drops the tables of the staged files. */
export async function dropStaged(db: Database, {main, joins}: EntrySources): Promise<void> {
  for (const source of [...main, ...Object.values(joins).flat()])
    await db.run(`DROP TABLE IF EXISTS ${sqlName(tableOf(source))}`);
}
