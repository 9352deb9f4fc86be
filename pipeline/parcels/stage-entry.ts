import {type AnyModel, model} from "../../lib/models/model.ts";
import type {ModelRun, OpenModel} from "../../lib/models/model-run.ts";
import {stagedColumns} from "../../lib/parcels/conform/cells-table.ts";
import {joinNames, mainNames} from "../../lib/parcels/conform/column-references.ts";
import {groupNames} from "../../lib/parcels/conform/file-cells.ts";
import {
  type EntrySources,
  factsSql,
  type GatheredTable,
  type SourceTable,
} from "../../lib/parcels/conform/staged-table.ts";
import {vintageColumn} from "../../lib/parcels/conform/vintage-sql.ts";
import {type Database, sqlName} from "../../lib/sql/duckdb.ts";
import {type FileAccount, type FileReport, fileWithoutRows} from "../../schemas/build-report.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {DescribedColumn} from "../../schemas/vocabulary/described-file.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {type FileRole, fileRole} from "./datasets.ts";
import {stageFile} from "./stage-file.ts";

/** Dates in a row from which its file must be at least as new: row dates that the source states, and dates of sales. */
const dates = [
  "transfer_date",
  "recording_date",
  `CASE WHEN starts_with(${vintageColumn("default")}, 'row_date ') THEN try_cast(split_part(${vintageColumn("default")}, ' ', 2) AS DATE) END`,
];

/** A raw file whose rows are in the database. */
export type StagedFile = {
  /** File number: that of the entry's first file plus its index. */
  readonly number: number;
  readonly file: RawFile;
  readonly role: Exclude<FileRole, "none">;
  readonly rows: number;
  readonly malformed: number;
  /** What a person should know of how the file was read. */
  readonly remarks?: readonly string[];
  /** What of its bytes, rows, quotes and geometry was read; absent for rows that come from no file. */
  readonly account?: FileAccount;
};

export type StagedEntry = {
  readonly sources: EntrySources;
  readonly files: readonly StagedFile[];
  /** Files without rows, with the reason. */
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
 * Reads the raw files of an entry into the database and returns their tables and reports. A file that no reader accepts, that is damaged,
 * or that lacks columns of the field map is reported with the reason, and the others are read. Files without a role, or retrieved after
 * `asOf`, are skipped.
 */
export async function stageEntry(run: ModelRun, request: StageRequest): Promise<StagedEntry> {
  const {entry, files, asOf, firstNumber} = request;
  const tableName = (part: string) => `${entryTable(entry)}_${part}`;
  const staged: StagedFile[] = [];
  const reports: FileReport[] = [];
  const main = new GatheredTables(run, tableName("gathered"), mainNames(entry));
  const joins = new Map<string, GatheredTables>();
  for (const [i, file] of files.entries()) {
    const role = fileRole(entry, file);
    const late = file.retrievedAtFrom === "meta" && file.retrievedAt.slice(0, 10) > asOf;
    if (role === "none" || late) {
      const reason = late
        ? `retrieved ${file.retrievedAt}, after ${asOf}`
        : `fits neither "files" (${entry.files}) nor a join of ${entry.id}`;
      reports.push(fileWithoutRows(file.path, entry.id, "left_out", reason, file.sizeBytes));
      continue;
    }
    const number = firstNumber + i;
    const result = await stageFile(run.db, {...request, file, role, number});
    if ("report" in result) {
      reports.push(result.report);
      continue;
    }
    const {rows, malformed, remarks, account} = result;
    staged.push({number, file, role, rows, malformed, remarks, account});
    reports.push(...result.passedOver);
    const tables =
      role === "main"
        ? main
        : (joins.get(role.join) ??
          new GatheredTables(run, tableName(`gathered_${role.join}`), joinNames(entry, role.join)));
    if (role !== "main") joins.set(role.join, tables);
    await tables.add(result.table, result.rows);
  }
  for (const tables of [main, ...joins.values()]) await tables.close();
  const joined = Object.fromEntries([...joins].map(([prefix, {tables}]) => [prefix, tables]));
  return {sources: {main: main.tables, joins: joined}, files: staged, reports};
}

/** Tables with fewer rows are combined: each table takes 70 KiB and is another part of every statement. */
const fewRows = 10_000;

/** The tables of one role in file order; those with few rows are combined into one. */
class GatheredTables {
  readonly tables: (SourceTable | GatheredTable)[] = [];
  readonly #run: ModelRun;
  readonly #model: AnyModel;
  readonly #staged: DescribedColumn[];
  #open: OpenModel | null = null;

  constructor(run: ModelRun, name: string, names: readonly string[]) {
    this.#run = run;
    this.#model = model({name, columns: stagedColumns(names, true)});
    this.#staged = stagedColumns(names, false);
  }

  async add(source: SourceTable, rows: number): Promise<void> {
    const staged = model({name: source.table, columns: this.#staged});
    await this.#run.adopt(staged, {rows, seconds: 0});
    if (rows >= fewRows) {
      this.tables.push(source);
      return;
    }
    if (this.#open === null) this.tables.push({gathered: this.#model.name});
    this.#open ??= await this.#run.open(this.#model);
    const columns = [...factsSql(source), ...this.#staged.map((column) => sqlName(column.name))].join(", ");
    await this.#open.appendSql(`SELECT ${columns} FROM ${sqlName(source.table)}`);
    await this.#run.release(staged);
  }

  async close(): Promise<void> {
    await this.#open?.close();
  }
}

/** The name of the conformed table of an entry, with which those of its other models begin. */
export function entryTable({id}: Pick<ParcelSource, "id">): string {
  return id.replaceAll("-", "_");
}

/**
 * Returns a view of the conformed rows in which no vintage is a retrieval date if the file has any other date: the newest plausible
 * date of a row, sale or recording is then the vintage (`docs/design/parcels.md` section 2.2). Dates after the file's retrieval are
 * implausible. Without any, the age of a file whose retrieval nobody wrote down is unknown. Returns the table itself if every row states a
 * vintage, or no file has a date.
 */
export async function withStatedAges(
  db: Database,
  table: AnyModel,
  files: readonly StagedFile[],
): Promise<AnyModel> {
  const newest = await db.rows<{file: number; day: string}>(
    `SELECT _file AS file, max(day)::VARCHAR AS day FROM (
       SELECT _file, unnest([${dates.join(", ")}]) AS day, _retrieved FROM ${table.name} WHERE _reject IS NULL
         AND _file IN (SELECT DISTINCT _file FROM ${table.name} WHERE starts_with(${vintageColumn("default")}, 'retrieved ')))
     WHERE day <= _retrieved::DATE GROUP BY _file ORDER BY _file`,
  );
  const dated = new Set(newest.map(({file}) => file));
  const unknown = files.filter(({number, file}) => file.retrievedAtFrom !== "meta" && !dated.has(number));
  if (newest.length + unknown.length === 0) return table;
  const cases = [
    ...newest.map(({file, day}) => `WHEN ${file} THEN 'newest_in_file ${day}'`),
    ...unknown.map(({number}) => `WHEN ${number} THEN 'unknown unknown'`),
  ].join(" ");
  const columns = (["default", ...groupNames] as const).map((group) => {
    const name = sqlName(vintageColumn(group));
    return `CASE WHEN starts_with(${name}, 'retrieved ') THEN coalesce(CASE _file ${cases} END, ${name}) ELSE ${name} END AS ${name}`;
  });
  return model({
    name: `${table.name}_dated`,
    reads: [table],
    columns: table.columns,
    materialise: "view",
    sql: () => `SELECT * REPLACE (${columns.join(", ")}) FROM ${table.name}`,
  });
}
