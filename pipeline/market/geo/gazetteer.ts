import {UserError} from "../../../lib/errors.ts";
import {countyAt} from "../../../lib/geography/counties.ts";
import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import type {RawFile} from "../../raw/raw-files.ts";

/** A ZIP area: internal point, primary county, and counties by share of land where a relationship file gives them. */
export type ZipArea = {
  zip: string;
  lat: number;
  lon: number;
  county_fips: string | null;
  method: string;
  counties: {county_fips: string; share: number}[];
};

/** The county is the one that holds the internal point of the ZIP's Census area (ZCTA). */
const method = "zcta_internal_point";

type RawArea = {zip: string | null; lat: number | null; lon: number | null};

/**
 * Reads a gazetteer of ZIP areas into `areas` and gives its report; rows without five digits or a point are rejected.
 * Throws a UserError that names the columns for a table without a ZIP, a latitude or a longitude.
 */
export async function readGazetteer(
  db: Database,
  path: string,
  file: RawFile,
  areas: Map<string, ZipArea>,
): Promise<FileReport> {
  const shape = "header = true, all_varchar = true, normalize_names = true, null_padding = true";
  const from = `read_csv(${sqlText(path)}, ${shape}, ignore_errors = true)`;
  const kept = `read_csv(${sqlText(path)}, ${shape}, store_rejects = true, rejects_table = 'zip_faults', rejects_scan = 'zip_scans')`;
  const names = (await db.rows<{column_name: string}>(`DESCRIBE SELECT * FROM ${from}`)).map(
    (row) => row.column_name,
  );
  const named = (wanted: readonly string[]) =>
    names.find((name) => wanted.includes(name.trim().toLowerCase()));
  const zip = named(["zcta", "zcta5", "zip", "zipcode", "zip_code", "geoid", "zcta5ce10", "zcta5ce20"]);
  const lat = named(["latitude", "lat", "intptlat", "intptlat10", "intptlat20"]);
  const lon = named(["longitude", "lon", "lng", "intptlong", "intptlong10", "intptlong20"]);
  if (zip === undefined || lat === undefined || lon === undefined) {
    throw new UserError(
      `${file.path}: columns ${names.join(", ")}; expected a ZIP, a latitude and a longitude.`,
    );
  }
  const rows = await db.rows<RawArea>(
    `SELECT trim("${zip}") AS zip, TRY_CAST(trim("${lat}") AS DOUBLE) AS lat, TRY_CAST(trim("${lon}") AS DOUBLE) AS lon FROM ${kept}`,
  );
  const [unread] = await db.rows<{n: number}>("SELECT count(DISTINCT line)::INTEGER AS n FROM zip_faults");
  await db.run("DROP TABLE zip_faults; DROP TABLE zip_scans");
  return report(file, rows, unread!.n, areas);
}

function report(
  file: RawFile,
  rows: readonly RawArea[],
  unread: number,
  areas: Map<string, ZipArea>,
): FileReport {
  let bad = 0;
  let outside = 0;
  for (const {zip, lat, lon} of rows) {
    if (
      zip === null ||
      !/^\d{5}$/.test(zip) ||
      lat === null ||
      lon === null ||
      Math.abs(lat) > 90 ||
      Math.abs(lon) > 180
    ) {
      bad += 1;
      continue;
    }
    const county = countyAt({lat, lon})?.fips ?? null;
    if (county === null) outside += 1;
    areas.set(zip, {zip, lat, lon, county_fips: county, method, counties: []});
  }
  return {
    path: file.path,
    unit: file.unit,
    status: "read",
    reason: null,
    rowsIn: rows.length + unread,
    accepted: rows.length - bad,
    rejected: {
      ...(bad === 0 ? {} : {bad_zip_or_point: bad}),
      ...(unread === 0 ? {} : {unread_line: unread}),
    },
    merged: 0,
    notes: outside === 0 ? {} : {point_outside_counties: outside},
  };
}
