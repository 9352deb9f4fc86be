import {join} from "node:path";
import {columnsOfRecord, provenanceOf} from "../../lib/delta/found-parcel.ts";
import {conformedColumns, conformedExtras} from "../../lib/parcels/conform/conformed-table.ts";
import {groupNames} from "../../lib/parcels/conform/file-cells.ts";
import {vintageColumn} from "../../lib/parcels/conform/vintage-sql.ts";
import type {ProvenanceFacts} from "../../lib/parcels/record/provenance.ts";
import {registeredSource} from "../../lib/parcels/record/source-facts.ts";
import {type Database, sqlName, sqlText} from "../../lib/sql/duckdb.ts";
import {jsonRelation} from "../../lib/sql/sql-path.ts";
import {writeScratch} from "../../lib/system/whole-file.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import {parquetTypes} from "../../schemas/vocabulary/described-file.ts";
import type {AcceptedEntry} from "./state-facts.ts";

/** Discoveries of one source and day, with their file number. */
type Batch = {readonly number: number; readonly records: readonly DeltaUpsert[]};

/**
 * Creates a conformed table per source of parcels found on misses, and returns them as entries. Discoveries are conformed already; they
 * enter deduplication like rows of files, with negative numbers in `_file`. All discoveries of one source, map kind and day form one
 * "file", retrieved at the time of the first of them.
 */
export async function stageFound(
  db: Database,
  found: readonly DeltaUpsert[],
  tempDir: string,
): Promise<AcceptedEntry[]> {
  const bySource = Map.groupBy(
    found,
    ({provenance, proposedMap}) => `${provenance.sourceId} ${provenance.authority} ${proposedMap}`,
  );
  const accepted: AcceptedEntry[] = [];
  let number = 0;
  for (const [, records] of [...bySource].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const days = Map.groupBy(records, ({provenance}) => provenance.retrievedAt.slice(0, 10));
    const batches = [...days]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, own]): Batch => ({number: --number, records: own}));
    const table = `found_${-number}`;
    await makeTable(db, {table, batches, path: join(tempDir, `${table}.ndjson`)});
    const {
      provenance: {sourceId: id, authority},
      proposedMap,
    } = records[0]!;
    accepted.push({
      entry: {id, authority, licence: registeredSource(id)?.licence ?? "not stated by the publisher"},
      table,
      isFound: true,
      complete: false,
      joined: [],
      refused: [],
      files: batches.map((batch) => stagedFile(id, batch, proposedMap)),
    });
  }
  return accepted;
}

async function makeTable(
  db: Database,
  {table, batches, path}: {table: string; batches: readonly Batch[]; path: string},
): Promise<void> {
  const lines = batches.flatMap(({number, records}) =>
    records.map((record, row) => `${JSON.stringify(rowOf(record, number, row))}\n`),
  );
  await writeScratch(path, [lines.join("")]);
  const columns = [
    ...conformedColumns.map(({name, kind}) => [name, parquetTypes[kind]] as const),
    ...conformedExtras.filter(([name]) => name !== "_wkb"),
  ];
  const types = columns.map(([name, type]) => `${sqlText(name)}: ${sqlText(type)}`);
  // Outlines are never stored with a discovery.
  const picked = [
    ...conformedColumns.map(({name}) => sqlName(name)),
    ...conformedExtras.map(([name]) => (name === "_wkb" ? "NULL::BLOB AS _wkb" : sqlName(name))),
  ];
  await db.run(
    `CREATE TABLE ${sqlName(table)} AS SELECT ${picked.join(", ")}
     FROM ${jsonRelation(path, "format = 'newline_delimited'", `columns = {${types.join(", ")}}`)}`,
  );
}

function rowOf(record: DeltaUpsert, file: number, row: number): Record<string, unknown> {
  const vintages = (["default", ...groupNames] as const).map((group) => [
    vintageColumn(group),
    group === "default" || record.groups?.[group] !== undefined
      ? vintageText(provenanceOf(record, group))
      : null,
  ]);
  const columns = columnsOfRecord(record);
  return {
    ...columns,
    ...Object.fromEntries(vintages),
    _file: file,
    _row: row,
    _key: record.key.parcelId,
    _area_from_outline: columns["acres_basis"] === "computed" && columns["geom_acres"] !== undefined,
    _retrieved: record.provenance.retrievedAt.slice(0, 10),
    _cure: null,
  };
}

function vintageText({vintage, vintageBasis, retrievedAt}: ProvenanceFacts): string {
  return vintage === null ? `retrieved ${retrievedAt?.slice(0, 10)}` : `${vintageBasis} ${vintage}`;
}

function stagedFile(
  id: string,
  {number, records}: Batch,
  proposedMap: boolean,
): AcceptedEntry["files"][number] {
  const instants = records.map(({provenance}) => provenance.retrievedAt).sort();
  const retrievedAt = `${instants[0]!.slice(0, 19)}Z`;
  const path = `delta/${id}/${retrievedAt.slice(0, 10)}`;
  return {number, file: {path, retrievedAt, proposedMap}, role: "main", rows: records.length, malformed: 0};
}
