import {DOUBLE, VARCHAR} from "@duckdb/node-api";
import {UserError} from "../../../lib/errors.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {type FileReport, fileWithoutRows} from "../../../schemas/build-report.ts";
import {faultOfFile} from "../../raw/document-reader.ts";
import {openRawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {decodedText} from "../decoded-text.ts";
import {unreadLine} from "../json-text.ts";
import {folded, foldName} from "../json-values.ts";
import {fillMap} from "../normalise/map-table.ts";
import {tableRows} from "../signals/content.ts";
import {
  applyParts,
  gazetteerNames,
  relationshipNames,
  takePart,
  takePoint,
  type ZipReading,
} from "./zip-areas.ts";

const columns = {
  zip: VARCHAR,
  lat: DOUBLE,
  lon: DOUBLE,
  county_fips: VARCHAR,
  method: VARCHAR,
  counties: VARCHAR,
} as const;

/**
 * Reads the `geo` feed into the table `zips`: every gazetteer of ZIP areas (columns for the five digits, latitude and
 * longitude, under the Census' or shorter names), and the Census relationship files of ZIP areas and counties, of 2010 or 2020, whose
 * shares of land then decide the county. Of two files the later fetched one wins. County outlines in the feed are recognised and
 * not used, because those of the us-atlas package are.
 */
export async function readZips(db: Database, files: readonly RawFile[]): Promise<FileReport[]> {
  const reading: ZipReading = {areas: new Map(), parts: new Map()};
  const reports = new Map<string, FileReport>();
  const byFetch = [...files].sort((a, b) => (a.retrievedAt + a.path < b.retrievedAt + b.path ? -1 : 1));
  for (const file of byFetch) reports.set(file.path, await readGeoFile(file, reading));
  applyParts(reading);
  const rows = reading.areas.values().map((area) => ({...area, counties: JSON.stringify(area.counties)}));
  await fillMap(db, "zips", columns, rows);
  return files.map((file) => reports.get(file.path)!);
}

async function readGeoFile(file: RawFile, reading: ZipReading): Promise<FileReport> {
  const {path, unit} = file;
  try {
    const content = await openRawContent(file);
    const text = decodedText(await content.bytes()).replace(/^\uFEFF/, "");
    if (
      /json$/i.test(content.name) &&
      /"type"\s*:\s*"(Topology|FeatureCollection)"/.test(text.slice(0, 4096))
    ) {
      const reason = "county outlines: those of the us-atlas package (Census edition of 2017) are used";
      return fileWithoutRows(path, unit, "read", reason);
    }
    return readTable(file, text, reading);
  } catch (thrown) {
    return fileWithoutRows(path, unit, "failed", faultOfFile(thrown, path));
  }
}

/** Reads a gazetteer or a relationship file. Throws a UserError that names the columns of a table that is neither, and for one without lines. */
function readTable(file: RawFile, text: string, reading: ZipReading): FileReport {
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
      : ((isRelationship ? takePart(folded(row), own) : takePoint(folded(row), own)) ?? []),
  );
  for (const [zip, area] of own.areas) reading.areas.set(zip, area);
  for (const [zip, parts] of own.parts) reading.parts.set(zip, parts);
  const outside = [...own.areas.values()].filter(({county_fips}) => county_fips === null).length;
  const rejected = Object.fromEntries(
    [...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => [reason, all.length]),
  );
  return {
    path: file.path,
    unit: file.unit,
    status: "read",
    reason: null,
    rowsIn: rows.length,
    accepted: rows.length - reasons.length,
    rejected,
    merged: 0,
    notes: outside === 0 ? {} : {point_outside_counties: outside},
  };
}
