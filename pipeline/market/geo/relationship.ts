import {UserError} from "../../../lib/errors.ts";
import {countyOf} from "../../../lib/geography/counties.ts";
import type {FileReport} from "../../../schemas/build-report.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {folded, type Json, numberOf, textAt} from "../json-values.ts";
import {tableRows} from "../signals/tables.ts";
import type {ZipArea} from "./gazetteer.ts";

/** Land that a ZIP area has in a county, in the unit of the file. */
type LandPart = {countyFips: string; land: number};

/** Land of ZIP areas by county. */
export type ZipParts = Map<string, LandPart[]>;

/** Counties with a smaller share of a ZIP area's land are not listed (`docs/design/market.md` section 4). */
const leastShare = 0.05;

const zctaNames = ["geoidzcta520", "geoidzcta510", "zcta5", "zcta"];
const countyNames = ["geoidcounty20", "geoidcounty10", "geoid", "countyfips", "county"];
const landNames = ["arealandpart", "arealandpt"];

/** True for the header of the Census relationship file of ZIP areas (ZCTA) and counties, of 2010 or 2020. */
export function isRelationship(header: string): boolean {
  const names = header
    .toLowerCase()
    .replaceAll(/[^a-z0-9|,\t]/g, "")
    .split(/[|,\t]/);
  return [zctaNames, countyNames, landNames].every((wanted) => wanted.some((name) => names.includes(name)));
}

/** Reads a relationship file into `parts`. Lines without a ZIP area are the rest of a county: they are no part of any. */
export function readRelationship(file: RawFile, text: string, parts: ZipParts): FileReport {
  const rows = tableRows(file, text.replace(/^\uFEFF/, ""));
  if (rows.length === 0) throw new UserError(`${file.path}: a relationship file without lines.`);
  const read = new Map<string, LandPart[]>();
  const rejected: Record<string, number> = {};
  for (const row of rows) {
    const part = partOf(folded(row));
    if (typeof part === "string") rejected[part] = (rejected[part] ?? 0) + 1;
    else read.set(part.zip, [...(read.get(part.zip) ?? []), {countyFips: part.countyFips, land: part.land}]);
  }
  for (const [zip, found] of read) parts.set(zip, found);
  const out = Object.values(rejected).reduce((sum, count) => sum + count, 0);
  return {
    path: file.path,
    unit: file.unit,
    status: "read",
    reason: null,
    rowsIn: rows.length,
    accepted: rows.length - out,
    rejected,
    merged: 0,
    notes: {},
  };
}

function partOf(row: Json): (LandPart & {zip: string}) | "no_zcta" | "bad_zip_or_county" {
  const zip = textAt(row, ...zctaNames);
  if (zip === null) return "no_zcta";
  const [countyFips, land] = [textAt(row, ...countyNames), numberOf(textAt(row, ...landNames))];
  const valid = /^\d{5}$/.test(zip) && countyFips !== null && /^\d{5}$/.test(countyFips) && land !== null;
  return valid && land >= 0 ? {zip, countyFips, land} : "bad_zip_or_county";
}

/**
 * Puts the counties by share of land into the ZIP areas: the primary one has the largest share, ties go to the lower code.
 * An area without a point of its own gets that of its primary county, and its method says so.
 */
export function applyRelationship(areas: Map<string, ZipArea>, parts: ZipParts): void {
  for (const [zip, found] of parts) {
    const shares = sharesOf(found);
    const primary = shares[0]?.county_fips;
    if (primary === undefined) continue;
    const known = areas.get(zip);
    const point = known ?? countyOf(primary)?.point;
    if (point === undefined) continue;
    const method = known === undefined ? "zcta_county_land_area_county_point" : "zcta_county_land_area";
    const counties = shares.filter(({share}, index) => index === 0 || share >= leastShare);
    areas.set(zip, {zip, lat: point.lat, lon: point.lon, county_fips: primary, method, counties});
  }
}

/** Shares of the land, largest first, 4 decimals; of an area that is all water each county has an equal one. */
function sharesOf(parts: readonly LandPart[]): {county_fips: string; share: number}[] {
  const land = parts.reduce((sum, part) => sum + part.land, 0);
  return parts
    .map(({countyFips, land: own}) => ({
      county_fips: countyFips,
      share: Math.round((land === 0 ? 1 / parts.length : own / land) * 10_000) / 10_000,
    }))
    .sort((a, b) => b.share - a.share || (a.county_fips < b.county_fips ? -1 : 1));
}
