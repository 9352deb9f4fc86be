import {DuckDBBlobValue} from "@duckdb/node-api";
import {isValidOutline, outlineFromWkb, outlineToWkb, repairOutline} from "@open-cattle/parcel-outlines";
import {sharedOutlineFlags} from "../../../lib/parcels/dedupe/dedupe-sql.ts";
import {blobBytes} from "../../../lib/parcels/dedupe/merge-outlines.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import type {FileReport} from "../../../schemas/build-report.ts";

/** The view to read instead of the merged parcels, and the number of flagged parcels by file. */
type SharedOutlines = {readonly view: string; readonly notes: OutlineNotes};

/** Flag of a parcel that shares its outline with another parcel of its county. */
const code = "shared_outline";

/** Notes on outlines, by file number. */
export type OutlineNotes = ReadonlyMap<number, FileReport["notes"]>;

/**
 * Creates the table `outlines` (`parcel_uid`, `wkb`) with the outlines of `merged`, all of them valid, and returns notes on the others. An
 * invalid outline is replaced by a valid one of the same land, or by null if it cannot be repaired. The parcel's point, extent and area
 * stay unchanged (`docs/design/parcels.md` section 4).
 */
export async function repairOutlines(db: Database, merged: string): Promise<OutlineNotes> {
  await db.run(
    `CREATE TABLE outlines AS SELECT parcel_uid, _file AS file, list_contains(flags, 'invalid_geometry') AS invalid, _wkb AS wkb
     FROM ${sqlName(merged)} WHERE _wkb IS NOT NULL`,
  );
  const rows = await db.rows<{at: bigint; file: number; wkb: unknown}>(
    "SELECT rowid AS at, file, wkb FROM outlines WHERE invalid ORDER BY rowid",
  );
  const notes = new Map<number, Record<string, number>>();
  for (const {at, file, wkb} of rows) {
    const parts = outlineFromWkb(blobBytes(wkb));
    if (isValidOutline(parts)) continue;
    const repaired = repairOutline(parts);
    await db.run("UPDATE outlines SET wkb = $wkb WHERE rowid = $at", {
      at,
      wkb: repaired === null ? null : new DuckDBBlobValue(outlineToWkb(repaired)),
    });
    const code = repaired === null ? "outline_left_out" : "outline_repaired";
    const known = notes.get(file) ?? {};
    notes.set(file, {...known, [code]: (known[code] ?? 0) + 1});
  }
  return notes;
}

/**
 * Flags the parcels of relation `merged` whose outline equals that of another parcel of their county, as is common for units and undivided
 * interests (`docs/design/parcels.md` section 5.4). Returns the relation to read: a view over `merged`, or `merged` itself if no outline is
 * shared.
 */
export async function flagSharedOutlines(db: Database, merged: string): Promise<SharedOutlines> {
  // Outlines are only compared where point, extent and area agree, which is rare.
  const measures = "hash(county_key, lon, lat, xmin, ymin, xmax, ymax, geom_acres)";
  await db.run(
    `CREATE TABLE equal_outlines AS SELECT ${measures} AS measures FROM ${sqlName(merged)} WHERE _wkb IS NOT NULL GROUP BY measures HAVING count(*) > 1`,
  );
  await db.run(
    `CREATE TABLE shared_outlines AS SELECT parcel_uid, file FROM (
       SELECT u.parcel_uid, u._file AS file, count(*) OVER (PARTITION BY u.county_key, u._wkb) AS parcels
       FROM ${sqlName(merged)} u SEMI JOIN equal_outlines a ON a.measures = ${measures} WHERE _wkb IS NOT NULL)
     WHERE parcels > 1`,
  );
  await db.run("DROP TABLE equal_outlines");
  const rows = await db.rows<{file: number; n: number}>(
    "SELECT file, count(*)::INTEGER AS n FROM shared_outlines GROUP BY file ORDER BY file",
  );
  const notes = new Map(rows.map(({file, n}) => [file, {[code]: n}]));
  if (rows.length === 0) return {view: merged, notes};
  const view = `${merged}_stacks`;
  await db.run(
    `CREATE VIEW ${sqlName(view)} AS SELECT u.* REPLACE (CASE WHEN s.parcel_uid IS NULL THEN u.flags ELSE ${sharedOutlineFlags} END AS flags)
     FROM ${sqlName(merged)} u LEFT JOIN shared_outlines s ON s.parcel_uid = u.parcel_uid`,
  );
  return {view, notes};
}

/** Drops what `flagSharedOutlines` created. */
export async function dropSharedOutlines(db: Database, merged: string): Promise<void> {
  await db.run(`DROP VIEW IF EXISTS ${sqlName(`${merged}_stacks`)}; DROP TABLE shared_outlines`);
}
