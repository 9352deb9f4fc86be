import {countyAt, countyOf} from "../../../lib/geography/counties.ts";
import {type Json, numberOf, textAt} from "../json-values.ts";

/** A ZIP area: internal point, primary county, and counties by share of land where a relationship file gives them. */
export type ZipArea = {
  zip: string;
  lat: number;
  lon: number;
  county_fips: string | null;
  method: string;
  counties: {county_fips: string; share: number}[];
};

/** Land that a ZIP area has in a county, in the unit of the file. */
type LandPart = {countyFips: string; land: number};

/** What the files say of ZIP areas, by their five digits: points of gazetteers, and land by county of relationship files. */
export type ZipReading = {readonly areas: Map<string, ZipArea>; readonly parts: Map<string, LandPart[]>};

/** Names of columns in the form of `folded`. */
export const gazetteerNames = {
  zip: ["zcta", "zcta5", "zip", "zipcode", "geoid", "zcta5ce10", "zcta5ce20"],
  lat: ["latitude", "lat", "intptlat", "intptlat10", "intptlat20"],
  lon: ["longitude", "lon", "lng", "intptlong", "intptlong10", "intptlong20"],
};
export const relationshipNames = {
  zip: ["geoidzcta520", "geoidzcta510", "zcta5", "zcta"],
  county: ["geoidcounty20", "geoidcounty10", "geoid", "countyfips", "county"],
  land: ["arealandpart", "arealandpt"],
};

/** Takes the point of a ZIP area, of a folded row; gives the reason of a rejection. Its county is that which holds the point. */
export function takePoint(row: Json, {areas}: ZipReading): string | null {
  const zip = textAt(row, ...gazetteerNames.zip);
  const [lat, lon] = [gazetteerNames.lat, gazetteerNames.lon].map((names) => numberOf(textAt(row, ...names)));
  if (!isZip(zip) || lat == null || lon == null || Math.abs(lat) > 90 || Math.abs(lon) > 180)
    return "bad_zip_or_point";
  const county_fips = countyAt({lat, lon})?.fips ?? null;
  areas.set(zip, {zip, lat, lon, county_fips, method: "zcta_internal_point", counties: []});
  return null;
}

/**
 * Takes the land of a ZIP area in a county, of a folded row; gives the reason of a rejection. Lines without a ZIP area are the rest of a
 * county: they are no part of any.
 */
export function takePart(row: Json, {parts}: ZipReading): string | null {
  const zip = textAt(row, ...relationshipNames.zip);
  if (zip === null) return "no_zcta";
  const countyFips = textAt(row, ...relationshipNames.county);
  const land = numberOf(textAt(row, ...relationshipNames.land));
  if (!isZip(zip) || !isZip(countyFips) || land === null || land < 0) return "bad_zip_or_county";
  const known = parts.get(zip);
  if (known === undefined) parts.set(zip, [{countyFips, land}]);
  else known.push({countyFips, land});
  return null;
}

/** True for five digits, which counties have as well. */
function isZip(text: string | null): text is string {
  return text !== null && /^\d{5}$/.test(text);
}

/** Counties with a smaller share of a ZIP area's land are not listed (`docs/design/market.md` section 4). */
const leastShare = 0.05;

/**
 * Puts the counties by share of land into the ZIP areas: the primary one has the largest share, ties go to the lower code.
 * An area without a point of its own gets that of its primary county, and its method says so.
 */
export function applyParts({areas, parts}: ZipReading): void {
  for (const [zip, found] of parts) {
    const shares = sharesOf(found);
    const county_fips = shares[0]!.county_fips;
    const known = areas.get(zip);
    const point = known ?? countyOf(county_fips)?.point;
    if (point === undefined) continue;
    const method = known === undefined ? "zcta_county_land_area_county_point" : "zcta_county_land_area";
    const counties = shares.filter(({share}, index) => index === 0 || share >= leastShare);
    areas.set(zip, {zip, lat: point.lat, lon: point.lon, county_fips, method, counties});
  }
}

/** Shares of the land, largest first, 4 decimals; of an area that is all water each county has an equal one. */
function sharesOf(parts: readonly LandPart[]): ZipArea["counties"] {
  const land = parts.reduce((sum, part) => sum + part.land, 0);
  return parts
    .map(({countyFips, land: own}) => ({
      county_fips: countyFips,
      share: Math.round((land === 0 ? 1 / parts.length : own / land) * 10_000) / 10_000,
    }))
    .sort((a, b) => b.share - a.share || (a.county_fips < b.county_fips ? -1 : 1));
}
