import {isValidOutline, outlineFromWkb, repairOutline, summarizeOutline} from "@open-cattle/parcel-outlines";
import {type Database, sqlName} from "../../sql/duckdb.ts";
import {duckdbLibrary} from "../../sql/duckdb-library.ts";

type ParcelOutlines = {
  county_key: string;
  _key: string;
  entry: string;
  outlines: unknown[];
  /** Stated acres of each part's row, null where none are stated. */
  stated: (number | null)[];
  /** Measured acres of each part. */
  measured: (number | null)[];
};

/** SQL: true for a parcel whose place, or whose area, comes from the source of these outlines. */
const ofPlace = "_outline_entry = $entry";
const ofArea = "_area_entry = $entry";

const ofPlaceSql = Object.entries({
  ...{lon: "$lon", lat: "$lat", point_method: "$pointMethod"},
  ...{xmin: "$xmin", ymin: "$ymin", xmax: "$xmax", ymax: "$ymax"},
  ...{geom_acres: "round($acres, 6)", _wkb: "$wkb"},
})
  .map(([column, sql]) => `${column} = CASE WHEN ${ofPlace} THEN ${sql} ELSE ${column} END`)
  .join(", ");

/** A stated area belongs to a part if it differs from the part's outline by no more than this share. */
const sameArea = 0.1;

/** The bytes of a BLOB value from DuckDB. Throws for any other value. */
export function blobBytes(value: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof duckdbLibrary().DuckDBBlobValue) return Buffer.from(value.bytes);
  throw new Error("expected the BLOB of an outline");
}

/**
 * Unites the polygons of one source's rows for the same parcel, because they are its parts: where the source
 * gives the place, outline, point, bounding box and measured area of the parcel in the table `merged` become
 * those of all parts. Where it gives the area, stated areas of single parts are added up, whoever gives the
 * place; a stated area of the whole stays.
 */
export async function mergeOutlines(
  db: Database,
  {merged, ranked}: {merged: string; ranked: string},
): Promise<void> {
  const groups = await db.rows<ParcelOutlines>(
    `SELECT county_key, _key, _entry AS entry, list(_wkb ORDER BY r) AS outlines, list(stated ORDER BY r) AS stated, list(measured ORDER BY r) AS measured FROM (
       SELECT r.county_key, r._key, r._entry, r._outline, min(r._rank) AS r, arg_min(r._wkb, r._rank) AS _wkb,
         arg_min(struct_pack(a := CASE WHEN NOT r._area_from_outline THEN r.acres END), r._rank).a AS stated, arg_min(r.geom_acres, r._rank) AS measured
       FROM ${sqlName(ranked)} r JOIN ${sqlName(merged)} u ON u.county_key = r.county_key AND u._key = r._key AND r._entry IN (u._outline_entry, u._area_entry)
       WHERE r._outline IS NOT NULL GROUP BY r.county_key, r._key, r._entry, r._outline)
     GROUP BY county_key, _key, _entry HAVING count(*) > 1 ORDER BY county_key, _key, _entry`,
  );
  for (const {county_key, _key, entry, outlines, stated, measured} of groups) {
    const parts = outlines.flatMap((outline) => outlineFromWkb(blobBytes(outline)));
    // The parts of a parcel may share edges or overlap; they are merged then.
    const summary = summarizeOutline(isValidOutline(parts) ? parts : (repairOutline(parts) ?? parts));
    if (summary === null) continue;
    const {lon, lat, pointMethod, xmin, ymin, xmax, ymax, acres, wkb} = summary;
    await db.run(
      `UPDATE ${sqlName(merged)} SET ${ofPlaceSql},
         acres = CASE WHEN ${ofArea} THEN round(coalesce($stated, CASE WHEN _area_from_outline OR $ofOnePart THEN $acres END, acres), 4) ELSE acres END,
         land_area_sqft = CASE WHEN ${ofArea} THEN round(coalesce($stated * 43560.0, CASE WHEN _area_from_outline OR $ofOnePart THEN $acres * 43560.0 END, land_area_sqft)) ELSE land_area_sqft END,
         acres_basis = CASE WHEN ${ofArea} AND $ofOnePart AND $stated IS NULL THEN 'computed' ELSE acres_basis END
       WHERE county_key = $county AND _key = $key`,
      {
        lon,
        lat,
        pointMethod,
        xmin,
        ymin,
        xmax,
        ymax,
        acres,
        wkb: new (duckdbLibrary().DuckDBBlobValue)(wkb!),
        ...statedArea(stated, measured),
        county: county_key,
        key: _key,
        entry,
      },
    );
  }
}

/**
 * The total of the stated acres when each row states the area of its own part, else null. `ofOnePart` means
 * that the leading row only states its own part's area and another part's area is not stated.
 */
function statedArea(
  stated: readonly (number | null)[],
  measured: readonly (number | null)[],
): {stated: number | null; ofOnePart: boolean} {
  const isOwn = stated.map((acres, i) => isSameArea(acres, measured[i] ?? null));
  const sum = (areas: readonly (number | null)[]) =>
    areas.reduce<number>((total, each) => total + (each ?? 0), 0);
  // If the other parts are slivers, the area of the whole cannot be told from that of the largest part.
  if (!isOwn[0] || isSameArea(stated[0] ?? null, sum(measured))) return {stated: null, ofOnePart: false};
  return isOwn.every(Boolean) ? {stated: sum(stated), ofOnePart: true} : {stated: null, ofOnePart: true};
}

function isSameArea(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && Math.abs(one - other) <= sameArea * other;
}
