import {isValidOutline, outlineFromWkb, repairOutline, summarizeOutline} from "@open-cattle/parcel-outlines";
import {parquetTypes} from "../../../schemas/vocabulary/described-file.ts";
import {type AnyModel, model} from "../../models/model.ts";
import {type Database, sqlName} from "../../sql/duckdb.ts";
import {duckdbLibrary} from "../../sql/duckdb-library.ts";
import {conformedColumns} from "../conform/conformed-table.ts";

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

/** A stated area belongs to a part if it differs from the part's outline by no more than this share. */
const sameArea = 0.1;

/** The bytes of a BLOB value from DuckDB. Throws for any other value. */
export function blobBytes(value: unknown): Buffer {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof duckdbLibrary().DuckDBBlobValue) return Buffer.from(value.bytes);
  throw new Error("expected the BLOB of an outline");
}

/**
 * The polygons of one source's rows for the same parcel, united because they are its parts, with the point, bounding box and area of all.
 * Where the source gives the area, stated areas of single parts are added up, whoever gives the place; a stated area of the whole stays.
 */
export function unitedOutlines(ranked: AnyModel, merged: AnyModel) {
  return model({
    name: "united_outlines",
    reads: [ranked, merged],
    columns: {
      VARCHAR: "county_key _key entry point_method",
      DOUBLE: "lon lat xmin ymin xmax ymax acres stated",
      BLOB: "wkb",
      BOOLEAN: "of_one_part",
    },
    rows: (run) => unite(run.db, {ranked: ranked.name, merged: merged.name}),
  });
}

async function unite(
  db: Database,
  {ranked, merged}: {ranked: string; merged: string},
): Promise<Record<string, unknown>[]> {
  const groups = await db.rows<ParcelOutlines>(
    `SELECT county_key, _key, _entry AS entry, list(_wkb ORDER BY r) AS outlines, list(stated ORDER BY r) AS stated, list(measured ORDER BY r) AS measured FROM (
       SELECT r.county_key, r._key, r._entry, r._outline, min(r._rank) AS r, arg_min(r._wkb, r._rank) AS _wkb,
         arg_min(struct_pack(a := CASE WHEN NOT r._area_from_outline THEN r.acres END), r._rank).a AS stated, arg_min(r.geom_acres, r._rank) AS measured
       FROM ${sqlName(ranked)} r JOIN ${sqlName(merged)} u ON u.county_key = r.county_key AND u._key = r._key AND r._entry IN (u._outline_entry, u._area_entry)
       WHERE r._outline IS NOT NULL GROUP BY r.county_key, r._key, r._entry, r._outline)
     GROUP BY county_key, _key, _entry HAVING count(*) > 1 ORDER BY county_key, _key, _entry`,
  );
  return groups.flatMap(({county_key, _key, entry, outlines, stated, measured}) => {
    const parts = outlines.flatMap((outline) => outlineFromWkb(blobBytes(outline)));
    // The parts of a parcel may share edges or overlap; they are merged then.
    const summary = summarizeOutline(isValidOutline(parts) ? parts : (repairOutline(parts) ?? parts));
    if (summary === null) return [];
    const {pointMethod: point_method, ...place} = summary;
    return [{county_key, _key, entry, ...place, point_method, ...statedArea(stated, measured)}];
  });
}

/**
 * SELECT of merged parcels with their united outlines: outline, point, bounding box and measured area of all parts where their source gives
 * the place, and their area where it gives that.
 */
export function withUnited(merged: string): string {
  const ofPlace = Object.entries({
    ...{lon: "lon", lat: "lat", point_method: "point_method"},
    ...{xmin: "xmin", ymin: "ymin", xmax: "xmax", ymax: "ymax"},
    ...{geom_acres: "round(p.acres, 6)", _wkb: "wkb"},
  }).map(([column, sql]) => instead(column, "p", sql.includes(".") ? sql : `p.${sql}`));
  const ofParts = (times: string) =>
    `coalesce(a.stated${times}, CASE WHEN u._area_from_outline OR a.of_one_part THEN a.acres${times} END`;
  return `SELECT u.* REPLACE (${[
    ...ofPlace,
    instead("acres", "a", `round(${ofParts("")}, u.acres), 4)`),
    instead("land_area_sqft", "a", `round(${ofParts(" * 43560.0")}, u.land_area_sqft))`),
    instead(
      "acres_basis",
      "a",
      "CASE WHEN a.of_one_part AND a.stated IS NULL THEN 'computed' ELSE u.acres_basis END",
    ),
  ].join(", ")})
    FROM ${merged} u ${["p", "a"].map((alias) => `LEFT JOIN united_outlines ${alias} ON ${alias}.county_key = u.county_key AND ${alias}._key = u._key AND ${alias}.entry = u.${alias === "p" ? "_outline_entry" : "_area_entry"}`).join(" ")}`;
}

/** SQL of a column that outlines united for a place (`p`) or an area (`a`) give instead of the parcel's own row. */
function instead(column: string, alias: "p" | "a", sql: string): string {
  const kind = conformedColumns.find(({name}) => name === column)?.kind;
  return `CASE WHEN ${alias}._key IS NULL THEN u.${column} ELSE ${sql} END::${kind === undefined ? "BLOB" : parquetTypes[kind]} AS ${column}`;
}

/**
 * The total of the stated acres when each row states the area of its own part, else null. `of_one_part` means
 * that the leading row only states its own part's area and another part's area is not stated.
 */
function statedArea(
  stated: readonly (number | null)[],
  measured: readonly (number | null)[],
): {stated: number | null; of_one_part: boolean} {
  const isOwn = stated.map((acres, i) => isSameArea(acres, measured[i] ?? null));
  const sum = (areas: readonly (number | null)[]) =>
    areas.reduce<number>((total, each) => total + (each ?? 0), 0);
  // If the other parts are slivers, the area of the whole cannot be told from that of the largest part.
  if (!isOwn[0] || isSameArea(stated[0] ?? null, sum(measured))) return {stated: null, of_one_part: false};
  return isOwn.every(Boolean) ? {stated: sum(stated), of_one_part: true} : {stated: null, of_one_part: true};
}

function isSameArea(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && Math.abs(one - other) <= sameArea * other;
}
