import {mkdirSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {ModelRun} from "../../../../lib/models/model-run.ts";
import {conformEntry} from "../../../../lib/parcels/conform/entry-models.ts";
import {factColumns} from "../../../../lib/parcels/conform/staged-table.ts";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";
import {type StagedEntry, stageEntry} from "../../../../pipeline/parcels/stage-entry.ts";
import {listRawFiles} from "../../../../pipeline/raw/raw-files.ts";
import type {ParcelSource} from "../../../../schemas/parcel-source.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";
import {sampleEntry} from "./sample-entry.ts";

type Row = Record<string, unknown>;

/** An entry whose raw folder holds these files, read as in a build. */
export type Staging = StagedEntry & {
  readonly db: Database;
  /** Report of the file of that name; undefined for one that gave rows. */
  reason(name: string): string | undefined;
  /** Staged rows of all files, without their position. */
  rows(): Promise<Row[]>;
  /** Conformed rows, without their position and outline bytes. */
  conformed(): Promise<Row[]>;
};

/** Writes the files into the raw folder of the entry and reads them. */
export async function stage(
  files: Readonly<Record<string, Buffer | string>>,
  entry: ParcelSource = sampleEntry,
): Promise<Staging> {
  const raw = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(raw, "parcels", entry.id, name);
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, content);
  }
  const db = await openDatabase();
  const staged = await stageEntry(new ModelRun(db), {
    entry,
    files: await listRawFiles(raw),
    asOf: "2026-11-21",
    tempDir: temporaryFolder(),
    firstNumber: 0,
  });
  return {
    ...staged,
    db,
    reason: (name) => {
      const report = staged.reports.find(({path}) => path === `parcels/${entry.id}/${name}`);
      return report === undefined ? undefined : `${report.status}: ${report.reason}`;
    },
    async rows() {
      const tables = staged.sources.main.map((source) =>
        "gathered" in source
          ? `SELECT * EXCLUDE (${factColumns.join(", ")}) FROM ${source.gathered}`
          : `SELECT * FROM ${source.table}`,
      );
      return tables.length === 0 ? [] : db.rows(tables.join(" UNION ALL "));
    },
    async conformed() {
      await conformEntry(db, {entry, sources: staged.sources, asOf: "2026-11-21", into: "conformed"});
      return db.rows(
        "SELECT * EXCLUDE (_file, _row, _wkb, _retrieved), md5(_wkb) AS outline FROM conformed ORDER BY _file, _row",
      );
    },
  };
}
