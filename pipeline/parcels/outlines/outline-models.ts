import {isValidOutline, outlineFromWkb, outlineToWkb, repairOutline} from "@open-cattle/parcel-outlines";
import {type AnyModel, model, type Run} from "../../../lib/models/model.ts";
import {sharedOutlineFlags} from "../../../lib/parcels/dedupe/dedupe-sql.ts";
import {blobBytes} from "../../../lib/parcels/dedupe/merge-outlines.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {FileReport} from "../../../schemas/build-report.ts";

/** Notes on outlines, by file number. */
export type OutlineNotes = ReadonlyMap<number, FileReport["notes"]>;

export type OutlineModels = ReturnType<typeof outlineModels>;

/**
 * The models of the outlines of `merged` parcels. `outlines` (`parcel_uid`, `wkb`) are all valid: an invalid one is replaced by a valid one
 * of the same land, or by null if it cannot be repaired, and `repairs` says which; the parcel's point, extent and area stay unchanged
 * (`docs/design/parcels.md` section 4). In `flagged` the parcels are flagged whose outline equals that of another parcel of their county, as is
 * common for units and undivided interests (section 5.4).
 */
export function outlineModels(merged: AnyModel) {
  const repairs = model({
    name: "outline_repairs",
    reads: [merged],
    columns: {VARCHAR: "parcel_uid code", INTEGER: "file", BLOB: "wkb"},
    rows: (run) => repaired(run.db, merged.name),
  });
  const outlines = model({
    name: "outlines",
    reads: [merged, repairs],
    columns: {VARCHAR: "parcel_uid", BLOB: "wkb"},
    materialise: "view",
    sql: () => `SELECT u.parcel_uid, CASE WHEN r.parcel_uid IS NULL THEN u._wkb ELSE r.wkb END AS wkb
      FROM ${merged.name} u LEFT JOIN outline_repairs r ON r.parcel_uid = u.parcel_uid WHERE u._wkb IS NOT NULL`,
  });
  // Outlines are only compared where point, extent and area agree, which is rare.
  const measures = "hash(county_key, lon, lat, xmin, ymin, xmax, ymax, geom_acres)";
  const equal = model({
    name: "equal_outlines",
    reads: [merged],
    columns: {UBIGINT: "measures"},
    materialise: "table",
    sql: () =>
      `SELECT ${measures} AS measures FROM ${merged.name} WHERE _wkb IS NOT NULL GROUP BY measures HAVING count(*) > 1`,
  });
  const shared = model({
    name: "shared_outlines",
    reads: [merged, equal],
    columns: {VARCHAR: "parcel_uid code", INTEGER: "file"},
    materialise: "table",
    nothingWithout: equal,
    sql: () => `SELECT parcel_uid, 'shared_outline' AS code, file FROM (
       SELECT u.parcel_uid, u._file AS file, count(*) OVER (PARTITION BY u.county_key, u._wkb) AS parcels
       FROM ${merged.name} u SEMI JOIN equal_outlines a ON a.measures = ${measures} WHERE _wkb IS NOT NULL)
     WHERE parcels > 1`,
  });
  const flagged = model({
    name: "flagged_parcels",
    reads: [merged, shared],
    columns: merged.columns,
    materialise: "view",
    sql: async (_, run) =>
      (await run.rows(shared, "LIMIT 1")).length === 0
        ? `FROM ${merged.name}`
        : `SELECT u.* REPLACE (CASE WHEN s.parcel_uid IS NULL THEN u.flags ELSE ${sharedOutlineFlags} END AS flags)
      FROM ${merged.name} u LEFT JOIN shared_outlines s ON s.parcel_uid = u.parcel_uid`,
  });
  return {repairs, outlines, shared, flagged};
}

/** The outlines that are not valid, each with a valid one or null. */
async function repaired(db: Database, merged: string): Promise<object[]> {
  const rows = await db.rows<{parcel_uid: string; file: number; wkb: unknown}>(
    `SELECT parcel_uid, _file AS file, _wkb AS wkb FROM ${merged} WHERE _wkb IS NOT NULL AND list_contains(flags, 'invalid_geometry')`,
  );
  return rows.flatMap(({wkb, ...row}): object[] => {
    const parts = outlineFromWkb(blobBytes(wkb));
    if (isValidOutline(parts)) return [];
    const valid = repairOutline(parts);
    return valid === null
      ? [{...row, code: "outline_left_out", wkb: null}]
      : [{...row, code: "outline_repaired", wkb: outlineToWkb(valid)}];
  });
}

/** The numbers of repaired, left out and shared outlines, by file. */
export async function outlineNotes(run: Run, {repairs, shared}: OutlineModels): Promise<OutlineNotes> {
  const rows = await run.db.rows<{file: number; code: string; n: number}>(
    `SELECT file, code, count(*)::INTEGER AS n FROM (SELECT file, code FROM ${repairs.name} UNION ALL SELECT file, code FROM ${shared.name})
     GROUP BY file, code ORDER BY file, code`,
  );
  return new Map(
    [...Map.groupBy(rows, ({file}) => file)].map(([file, own]) => [
      file,
      Object.fromEntries(own.map(({code, n}) => [code, n])),
    ]),
  );
}
