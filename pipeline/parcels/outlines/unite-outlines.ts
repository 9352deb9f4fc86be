import {DuckDBBlobValue} from "@duckdb/node-api";
import {summarizeOutline} from "../../../lib/geography/geometry/summarize.ts";
import {isValidOutline} from "../../../lib/geography/geometry/validity.ts";
import {outlineFromWkb} from "../../../lib/geography/geometry/wkb.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {blobBytes, repairOutline} from "./repair-outlines.ts";

type ParcelOutlines = {county_key: string; _key: string; outlines: unknown[]};

/**
 * Unites the polygons of rows of one source that have the same parcel, because they are its parts: outline, point, extent and
 * measured area of the parcel in table `united` become those of all parts. A stated area stays.
 */
export async function uniteOutlines(
  db: Database,
  {united, ranked}: {united: string; ranked: string},
): Promise<void> {
  const groups = await db.rows<ParcelOutlines>(
    `SELECT county_key, _key, list(_wkb ORDER BY r) AS outlines FROM (
       SELECT r.county_key, r._key, r._outline, min(r._rank) AS r, arg_min(r._wkb, r._rank) AS _wkb
       FROM ${sqlName(ranked)} r JOIN ${sqlName(united)} u ON u.county_key = r.county_key AND u._key = r._key AND u._outline_entry = r._entry
       WHERE r._outline IS NOT NULL GROUP BY r.county_key, r._key, r._outline)
     GROUP BY county_key, _key HAVING count(*) > 1 ORDER BY county_key, _key`,
  );
  for (const {county_key, _key, outlines} of groups) {
    const parts = outlines.flatMap((outline) => outlineFromWkb(blobBytes(outline)));
    // ParcelOutlines of one parcel may share edges or overlap; then they are united.
    const summary = summarizeOutline(isValidOutline(parts) ? parts : (repairOutline(parts) ?? parts));
    if (summary === null) continue;
    const {lon, lat, pointMethod, xmin, ymin, xmax, ymax, acres, wkb} = summary;
    await db.run(
      `UPDATE ${sqlName(united)} SET lon = $lon, lat = $lat, point_method = $pointMethod, xmin = $xmin, ymin = $ymin, xmax = $xmax, ymax = $ymax,
         geom_acres = round($acres, 6), _wkb = $wkb,
         acres = CASE WHEN _area_from_outline THEN round($acres, 4) ELSE acres END,
         land_area_sqft = CASE WHEN _area_from_outline THEN round($acres * 43560.0) ELSE land_area_sqft END
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
        wkb: new DuckDBBlobValue(wkb!),
        county: county_key,
        key: _key,
      },
    );
  }
}
