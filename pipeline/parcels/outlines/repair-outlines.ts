import {DuckDBBlobValue} from "@duckdb/node-api";
import {isValidOutline} from "../../../lib/geography/geometry/ring-nesting.ts";
import {outlineFromWkb, outlineToWkb} from "../../../lib/geography/geometry/wkb.ts";
import {blobBytes, repairOutline} from "../../../lib/parcels/dedupe/repair-outline.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import type {FileReport} from "../../../schemas/build-report.ts";

/** Notes on outlines, by number of the file. */
export type OutlineNotes = ReadonlyMap<number, FileReport["notes"]>;

/**
 * Makes table `outlines` (`parcel_uid`, `wkb`) of the outlines of `united`, all of them valid, and gives notes on the rest. An
 * invalid outline is replaced by a valid one of the same land, or by null where it cannot be repaired. Point, extent and area of
 * the parcel stay (`docs/design/parcels.md` section 4).
 */
export async function repairOutlines(db: Database, united: string): Promise<OutlineNotes> {
  await db.run(
    `CREATE TABLE outlines AS SELECT parcel_uid, _file AS file, list_contains(flags, 'invalid_geometry') AS invalid, _wkb AS wkb
     FROM ${sqlName(united)} WHERE _wkb IS NOT NULL`,
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
