import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import {columnsOfRecord} from "../../lib/delta/found-parcel.ts";
import {Overlay, type PlacedRecord} from "../../lib/delta/overlay.ts";
import {UserError} from "../../lib/errors.ts";
import {conformedColumns} from "../../lib/parcels/conform/conformed-table.ts";
import {openDatabase, sqlText} from "../../lib/sql/duckdb.ts";
import {makeWhole, writeScratch} from "../../lib/storage/whole-file.ts";
import {parquetTypes} from "../../schemas/column-kind.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";

/** Columns of the export beside those of the parcel row. */
const placeColumns = [
  ["source_id", "VARCHAR"],
  ["vintage", "VARCHAR"],
  ["vintage_basis", "VARCHAR"],
  ["retrieved_at", "VARCHAR"],
  ["authority", "VARCHAR"],
  ["observed_at", "VARCHAR"],
  ["query", "VARCHAR"],
  ["segment", "VARCHAR"],
  ["seq", "INTEGER"],
] as const;

/**
 * Writes the newest record of each parcel of all segments into a Parquet file, sorted by county and parcel, and gives the number
 * of rows. Throws a `UserError` where the file cannot be written.
 */
export async function exportDelta(deltaFolder: string, file: string): Promise<number> {
  const overlay = new Overlay();
  await new DeltaReader(deltaFolder).poll((placed) => void overlay.fold(placed));
  const lines = [...overlay.parcels()].map((placed) => `${JSON.stringify(exportedRow(placed))}\n`);
  const work = await mkdtemp(join(tmpdir(), "cattle-delta-"));
  const db = await openDatabase();
  try {
    const rows = join(work, "rows.ndjson");
    await writeScratch(rows, lines, {mode: 0o600});
    const columns = [
      ...conformedColumns.map(({name, kind}) => [name, parquetTypes[kind]] as const),
      ...placeColumns,
    ];
    const types = columns.map(([name, type]) => `${sqlText(name)}: ${sqlText(type)}`);
    const sql = `SELECT * FROM read_json(${sqlText(rows)}, format = 'newline_delimited', columns = {${types.join(", ")}})
      ORDER BY county_key, parcel_uid`;
    const copy = (beside: string) => db.run(`COPY (${sql}) TO ${sqlText(beside)} (FORMAT parquet)`);
    await makeWhole(file, copy, {replaces: true}).catch((error: Error) => {
      throw error instanceof UserError
        ? error
        : new UserError(`${file}: cannot be written: ${error.message}`);
    });
  } finally {
    db.close();
    await rm(work, {recursive: true, force: true});
  }
  return lines.length;
}

function exportedRow({record, segment}: PlacedRecord<DeltaUpsert>): Record<string, unknown> {
  const {provenance, observedAt, seq, query} = record;
  return {
    ...columnsOfRecord(record),
    source_id: provenance.sourceId,
    vintage: provenance.vintage,
    vintage_basis: provenance.vintageBasis,
    retrieved_at: provenance.retrievedAt,
    authority: provenance.authority,
    observed_at: observedAt,
    query,
    segment,
    seq,
  };
}
