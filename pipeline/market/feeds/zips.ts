import {decodedText} from "@open-cattle/usda-reports";
import {folded, foldName, type Json, numberOf, textAt, unreadLine} from "@open-cattle/usda-reports/values";
import {UserError} from "../../../lib/errors.ts";
import {countyAt, countyOf} from "../../../lib/geography/counties.ts";
import {model} from "../../../lib/models/model.ts";
import type {ModelRun} from "../../../lib/models/model-run.ts";
import {ownProgram} from "../../../lib/system/own-child.ts";
import {type FileReport, fileWithoutRows} from "../../../schemas/build-report.ts";
import {DocumentReader, faultOfFile, isSystemFault, placeOf} from "../../raw/document-reader.ts";
import {openRawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {tableRows} from "../documents/file-content.ts";

/** ZIP areas: internal point, primary county, and all counties with their shares of land as JSON. */
export const zips = model({
  name: "zips",
  columns: {VARCHAR: "zip county_fips method counties", DOUBLE: "lat lon"},
  materialise: "table",
});

/**
 * Reads the `geo` feed into the model `zips`: gazetteers of ZIP areas (ZIP, latitude and longitude, under Census or shorter
 * column names), and Census relationship files of ZIP areas and counties, of 2010 or 2020, whose land shares then decide the
 * county. Of two files the one fetched later wins. County outlines are recognised but unused: the us-atlas package has its own.
 */
export async function readZips(run: ModelRun, files: readonly RawFile[]): Promise<FileReport[]> {
  const reading: ZipReading = {areas: new Map(), parts: new Map()};
  const reports = new Map<string, FileReport>();
  const byFetch = [...files].sort((a, b) => (a.retrievedAt + a.path < b.retrievedAt + b.path ? -1 : 1));
  for (const file of byFetch) {
    const {report, areas, parts} = await readBounded(file);
    reports.set(file.path, report);
    for (const [zip, area] of areas) reading.areas.set(zip, area);
    for (const [zip, own] of parts) reading.parts.set(zip, own);
  }
  assignCounties(reading);
  const rows = reading.areas.values().map((area) => ({...area, counties: JSON.stringify(area.counties)}));
  await run.giveRows(zips, rows);
  return files.map((file) => reports.get(file.path)!);
}

/** Tables of others are untrusted, so a separate process reads them. */
const documents = new DocumentReader(ownProgram("./zip-program", import.meta.url));

/** What a file says of ZIP areas, and its report. */
type GeoReading = ZipReading & {readonly report: FileReport};

async function readBounded(file: RawFile): Promise<GeoReading> {
  try {
    return (await documents.read(file, placeOf(file))) as GeoReading;
  } catch (thrown) {
    if (isSystemFault(thrown)) throw thrown;
    return withoutAreas(
      fileWithoutRows(file.path, file.feedOrEntryId, "failed", faultOfFile(thrown, file.path)),
    );
  }
}

function withoutAreas(report: FileReport): GeoReading {
  return {areas: new Map(), parts: new Map(), report};
}

/**
 * Reads a gazetteer or a relationship file. Throws a UserError for a table that is neither, naming its columns, and for one
 * without rows.
 */
export async function readGeoFile(file: RawFile): Promise<GeoReading> {
  const content = await openRawContent(file);
  const text = decodedText(await content.bytes()).replace(/^\uFEFF/, "");
  if (
    /json$/i.test(content.name) &&
    /"type"\s*:\s*"(Topology|FeatureCollection)"/.test(text.slice(0, 4096))
  ) {
    const reason = "county outlines: those of the us-atlas package (Census edition of 2017) are used";
    return withoutAreas(fileWithoutRows(file.path, file.feedOrEntryId, "read", reason));
  }
  const [header = ""] = text.split(/\r?\n/, 1);
  const names = header.split(/[|,;\t]/);
  const has = (wanted: Readonly<Record<string, readonly string[]>>) =>
    Object.values(wanted).every((choices) => names.some((name) => choices.includes(foldName(name))));
  const isRelationship = has(relationshipNames);
  if (!isRelationship && !has(gazetteerNames)) {
    throw new UserError(
      `${file.path}: columns ${names.map((name) => name.trim()).join(", ")}; expected a ZIP, a latitude and a longitude.`,
    );
  }
  const rows = tableRows(file, text);
  if (rows.length === 0) throw new UserError(`${file.path}: a table of ZIP areas without lines.`);
  const own: ZipReading = {areas: new Map(), parts: new Map()};
  const reasons = rows.flatMap((row) =>
    unreadLine in row
      ? "unread_line"
      : ((isRelationship ? addPart(folded(row), own) : addPoint(folded(row), own)) ?? []),
  );
  const outside = [...own.areas.values()].filter(({county_fips}) => county_fips === null).length;
  const rejected = Object.fromEntries(
    [...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => [reason, all.length]),
  );
  const report: FileReport = {
    path: file.path,
    unit: file.feedOrEntryId,
    status: "read",
    reason: null,
    rowsIn: rows.length,
    accepted: rows.length - reasons.length,
    rejected,
    merged: 0,
    notes: outside === 0 ? {} : {point_outside_counties: outside},
  };
  return {...own, report};
}

/** A ZIP area: internal point, primary county, and counties by land share if a relationship file gives them. */
type ZipArea = {
  zip: string;
  lat: number;
  lon: number;
  county_fips: string | null;
  method: string;
  counties: {county_fips: string; share: number}[];
};

/** Land of a ZIP area within a county, in the file's unit. */
type LandPart = {countyFips: string; land: number};

/** ZIP areas by their five digits: points from gazetteers, and land by county from relationship files. */
type ZipReading = {readonly areas: Map<string, ZipArea>; readonly parts: Map<string, LandPart[]>};

/** Folded column names. */
const gazetteerNames = {
  zip: ["zcta", "zcta5", "zip", "zipcode", "geoid", "zcta5ce10", "zcta5ce20"],
  lat: ["latitude", "lat", "intptlat", "intptlat10", "intptlat20"],
  lon: ["longitude", "lon", "lng", "intptlong", "intptlong10", "intptlong20"],
};
const relationshipNames = {
  zip: ["geoidzcta520", "geoidzcta510", "zcta5", "zcta"],
  county: ["geoidcounty20", "geoidcounty10", "geoid", "countyfips", "county"],
  land: ["arealandpart", "arealandpt"],
};

/** Stores the point of a ZIP area and the county that holds it; returns the reason if the row is rejected. */
function addPoint(row: Json, {areas}: ZipReading): string | null {
  const zip = textAt(row, ...gazetteerNames.zip);
  const [lat, lon] = [gazetteerNames.lat, gazetteerNames.lon].map((names) => numberOf(textAt(row, ...names)));
  if (!isZip(zip) || lat == null || lon == null || Math.abs(lat) > 90 || Math.abs(lon) > 180)
    return "bad_zip_or_point";
  const county_fips = countyAt({lat, lon})?.fips ?? null;
  areas.set(zip, {zip, lat, lon, county_fips, method: "zcta_internal_point", counties: []});
  return null;
}

/**
 * Stores the land of a ZIP area within a county; returns the reason if the row is rejected. A row without a ZIP area is the
 * remainder of a county.
 */
function addPart(row: Json, {parts}: ZipReading): string | null {
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

/** True for five digits; county codes have that format too. */
function isZip(text: string | null): text is string {
  return text !== null && /^\d{5}$/.test(text);
}

/** Counties with a smaller land share are not listed (`docs/design/market.md` section 4). */
const minShare = 0.05;

/**
 * Assigns counties by land share: the largest share is the primary county, ties go to the lower code. An area without a point
 * of its own gets that of its primary county, and `method` says so.
 */
function assignCounties({areas, parts}: ZipReading): void {
  for (const [zip, found] of parts) {
    const shares = sharesOf(found);
    const county_fips = shares[0]!.county_fips;
    const known = areas.get(zip);
    const point = known ?? countyOf(county_fips)?.point;
    if (point === undefined) continue;
    const method = known === undefined ? "zcta_county_land_area_county_point" : "zcta_county_land_area";
    const counties = shares.filter(({share}, index) => index === 0 || share >= minShare);
    areas.set(zip, {zip, lat: point.lat, lon: point.lon, county_fips, method, counties});
  }
}

/** Land shares, largest first, rounded to 4 decimals; an area that is all water is split equally. */
function sharesOf(parts: readonly LandPart[]): ZipArea["counties"] {
  const land = parts.reduce((sum, part) => sum + part.land, 0);
  return parts
    .map(({countyFips, land: own}) => ({
      county_fips: countyFips,
      share: Math.round((land === 0 ? 1 / parts.length : own / land) * 10_000) / 10_000,
    }))
    .sort((a, b) => b.share - a.share || (a.county_fips < b.county_fips ? -1 : 1));
}
