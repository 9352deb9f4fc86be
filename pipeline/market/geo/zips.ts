import {mkdtemp, readFile} from "node:fs/promises";
import {join} from "node:path";
import {UserError} from "../../../lib/errors.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {type FileReport, fileWithoutRows} from "../../../schemas/build-report.ts";
import {openRawContent} from "../../raw/raw-content.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {faultOfFile} from "../file-faults.ts";
import {fillTable} from "../files/record-table.ts";
import {readGazetteer, type ZipArea} from "./gazetteer.ts";
import {applyRelationship, isRelationship, readRelationship, type ZipParts} from "./relationship.ts";

const columns = [
  {name: "zip", type: "VARCHAR", about: "Five digits"},
  {name: "lat", type: "DOUBLE", about: "WGS 84 degrees"},
  {name: "lon", type: "DOUBLE", about: "WGS 84 degrees"},
  {name: "county_fips", type: "VARCHAR", about: "Primary county"},
  {name: "method", type: "VARCHAR", about: "How the county was found"},
  {
    name: "counties",
    type: "VARCHAR",
    about: "Counties with their shares of the land, JSON; empty without a relationship file",
    json: true as const,
  },
];

/**
 * Reads the `geo` feed into the table `zips`: every gazetteer of ZIP areas (columns for the five digits, latitude and
 * longitude, under the Census' or shorter names), and the Census relationship files of ZIP areas and counties, whose shares
 * of land then decide the county. Of two files the later fetched one wins. County outlines in the feed are recognised and
 * not used, because those of the us-atlas package are.
 */
export async function readZips(
  db: Database,
  files: readonly RawFile[],
  tempDir: string,
): Promise<FileReport[]> {
  const areas = new Map<string, ZipArea>();
  const parts: ZipParts = new Map();
  const reports = new Map<string, FileReport>();
  const byFetch = [...files].sort((a, b) => (a.retrievedAt + a.path < b.retrievedAt + b.path ? -1 : 1));
  for (const file of byFetch) reports.set(file.path, await readGeoFile(db, file, {areas, parts, tempDir}));
  applyRelationship(areas, parts);
  await fillTable(db, "zips", columns, areas.values());
  return files.map((file) => reports.get(file.path)!);
}

type GeoReading = {areas: Map<string, ZipArea>; parts: ZipParts; tempDir: string};

async function readGeoFile(db: Database, file: RawFile, reading: GeoReading): Promise<FileReport> {
  const {path, unit} = file;
  try {
    const folder = await mkdtemp(join(reading.tempDir, "geo-"));
    const [inner] = await (await openRawContent(file)).extractTo(folder);
    if (inner === undefined) throw new UserError(`${path}: an empty archive.`);
    if (await isTopology(inner)) {
      const reason = "county outlines: those of the us-atlas package (Census edition of 2017) are used";
      return fileWithoutRows(path, unit, "read", reason);
    }
    const text = await relationshipText(inner);
    if (text !== null) return readRelationship(file, text, reading.parts);
    return await readGazetteer(db, inner, file, reading.areas);
  } catch (thrown) {
    return fileWithoutRows(path, unit, "failed", faultOfFile(thrown, path));
  }
}

async function isTopology(path: string): Promise<boolean> {
  if (!/json$/i.test(path)) return false;
  return /"type"\s*:\s*"(Topology|FeatureCollection)"/.test(
    (await readFile(path)).subarray(0, 4096).toString("utf8"),
  );
}

/** The text of a relationship file; null for another file. */
async function relationshipText(path: string): Promise<string | null> {
  const bytes = await readFile(path);
  const [header = ""] = bytes.subarray(0, 4096).toString("utf8").split(/\r?\n/, 1);
  return isRelationship(header) ? bytes.toString("utf8") : null;
}
