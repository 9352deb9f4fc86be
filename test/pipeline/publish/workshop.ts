import {mkdir, mkdtemp, readFile, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {basename, dirname, join} from "node:path";
import {writeSpatialIndex} from "../../../lib/search/spatial-index.ts";
import {type Database, openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {type DataFolder, dataFolder} from "../../../lib/storage/data-folder.ts";
import type {BuildOptions} from "../../../pipeline/publish/options.ts";
import {silently} from "../../../pipeline/publish/options.ts";
import type {MarketInput, SourceEntry, Stages, StateInput} from "../../../pipeline/publish/stages.ts";
import {listRawFiles, type RawFile} from "../../../pipeline/raw/raw-files.ts";
import {type FileReport, fileWithoutRows} from "../../../schemas/build-report.ts";
import type {DeltaUpsert} from "../../../schemas/delta-record.ts";
import {type Origin, writeSearchFiles} from "./workshop-search.ts";

/** A data folder and a raw folder of one test. */
export type Workshop = {
  readonly root: string;
  readonly raw: string;
  readonly data: DataFolder;
  put(path: string, text: string, meta?: object): Promise<void>;
  drop(path: string): Promise<void>;
  options(changes?: Partial<BuildOptions>): BuildOptions;
  remove(): Promise<void>;
};

/** The day of all test builds. */
export const asOf = "2026-08-23";

const entry = (id: string, state: string): SourceEntry => ({
  id,
  name: `Parcels of ${state}`,
  licence: "CC0-1.0",
  terms: {store: true, redistributeOwners: false, bulk: true},
  coverage: {country: "US", state},
});

/**
 * Stages that read CSV lines `county,id,owner,category,lon,lat` (and, where given, `,acres,address,use code`) and `source,date,price`;
 * `!fail` in a file throws.
 */
export const testStages: Stages = {
  entries: [entry("us-az-one", "AZ"), entry("us-az-two", "AZ"), entry("us-ut-one", "UT")],
  waves: [{state: "AZ", required: ["us-az-one"]}],
  marketFeeds: ["mars", "ams-text"],
  marketSources: [{id: "mars", name: "Market news", terms: "public domain", publisher: "USDA AMS"}],
  layers: (country, state) => [
    {...entry(`us-${state.toLowerCase()}-layer`, state), coverage: {country, state}},
  ],
  codeDigest: () => "code of the tests",
  buildMarket,
  buildState,
};

/** A new workshop in a temporary folder of its own. */
export async function makeWorkshop(): Promise<Workshop> {
  const root = await mkdtemp(join(tmpdir(), "cattle-build-"));
  await mkdir(join(root, "raw"));
  return openWorkshop(root);
}

/** The workshop of a folder that is there. */
export function openWorkshop(root: string): Workshop {
  const raw = join(root, "raw");
  const data = dataFolder(join(root, "data"));
  return {
    root,
    raw,
    data,
    async put(path, text, meta = {retrieved_at: "2026-08-20T00:00:00Z"}) {
      await mkdir(dirname(join(raw, path)), {recursive: true});
      await writeFile(join(raw, path), text);
      await writeFile(join(raw, `${path}.meta.json`), JSON.stringify(meta));
    },
    async drop(path) {
      await rm(join(raw, path));
      await rm(join(raw, `${path}.meta.json`));
    },
    options: (changes = {}) => ({
      rawDir: raw,
      listFiles: () => listRawFiles(changes.rawDir ?? raw),
      data,
      asOf,
      only: null,
      noReuse: false,
      acceptances: [],
      allowNetworkFs: true,
      stages: testStages,
      now: () => new Date("2026-08-23T06:00:00Z"),
      step: silently,
      ...changes,
    }),
    remove: () => rm(root, {recursive: true, force: true}),
  };
}

/** Rows for `buildState`: `n` parcels of one county, from a number on. */
export function parcels(county: string, n: number, {from = 1, category = "agriculture"} = {}): string {
  return Array.from(
    {length: n},
    (_, i) => `${county},P${from + i},OWNER ${i},${category},-111.${i + 1},33.5\n`,
  ).join("");
}

async function buildState({files, found, outDir}: StateInput<SourceEntry>) {
  const {rows: filed, reports} = await csvRows(files, 6, ["1.5", "1 MAIN ST", "A"]);
  const {rows, provenance} = withFound(filed, found);
  return withDatabase(async (db) => {
    const sources = [
      ...new Set([...files.map(({unit}) => unit), ...found.map(({sourceId}) => sourceId)]),
    ].sort();
    const sourceOf = new Map(provenance.map(({row, source}) => [row, sources.indexOf(source)]));
    const firstFile = String(sources.indexOf(files[0]?.unit ?? ""));
    const withSources = rows.map((row, i) => [...row, String(sourceOf.get(i) ?? firstFile)]);
    await fill(
      db,
      "parcel",
      "county, id, owner, category, lon, lat, acres, address, use, source",
      withSources,
    );
    await db.run(`COPY (SELECT 'US' AS country, county AS county_key, county || '-' || id AS parcel_uid,
        nullif(owner, '') AS owner_raw, false AS owner_withheld, nullif(address, '') AS situs_raw, NULL::VARCHAR AS situs_name,
        nullif(acres, '')::DOUBLE AS acres, nullif(use, '') AS use_code, NULL::VARCHAR AS use_description, nullif(category, '') AS land_use_category,
        CASE WHEN lon = '0' THEN ['point_outside'] ELSE []::VARCHAR[] END AS flags, source::INTEGER AS prov_default
      FROM parcel ORDER BY parcel_uid, line) TO ${sqlText(join(outDir, "parcels.parquet"))} (FORMAT parquet)`);
    const values = sources.map((id, i) => `(${i}, ${sqlText(id)})`).join(", ");
    await db.run(`COPY (SELECT * FROM (VALUES ${values}) AS t(provenance_id, source_id) ORDER BY 1)
      TO ${sqlText(join(outDir, "provenance.parquet"))} (FORMAT parquet)`);
    await writeSearchFiles(db, outDir, provenance);
    const lon = Float64Array.from(rows, (row) => Number(row[4]));
    const lat = Float64Array.from(rows, (row) => Number(row[5]));
    await writeSpatialIndex({
      path: join(outDir, "parcels.flatbush"),
      minX: lon,
      minY: lat,
      maxX: lon,
      maxY: lat,
    });
    const counties = [...Map.groupBy(rows, (row) => row[0]!)].map(([key, found]) => ({
      county_key: key,
      county_name: `COUNTY ${key}`,
      rows: found.length,
      complete: true,
      vintage: null,
      sources,
    }));
    return {
      files: reports,
      rows: rows.length,
      pointCount: rows.length,
      counties,
      sources: sources.map((id) => ({id, vintage: null, complete: true})),
      fill: {},
    };
  });
}

/** Gives the rows with found parcels in place of file rows of the same number, and the other found parcels after them. */
function withFound(
  filed: readonly string[][],
  found: readonly DeltaUpsert[],
): {rows: string[][]; provenance: Origin[]} {
  const keys = new Set(found.map(({key}) => `${key.county},${key.parcelId}`));
  const left = filed.filter(([county, id]) => !keys.has(`${county},${id}`));
  const fresh = found.map(({key, row}) => [
    key.county,
    key.parcelId,
    String(row["owner_name"] ?? ""),
    "",
    String(row["lon"] ?? -111),
    String(row["lat"] ?? 33),
    "1.5",
    "1 MAIN ST",
    "A",
  ]);
  const provenance = found.map(({sourceId: source, vintage}, i) => ({
    row: left.length + i,
    source,
    vintage: vintage ?? "2000",
  }));
  return {rows: [...left, ...fresh], provenance};
}

async function buildMarket({files, outDir}: MarketInput) {
  const {rows, reports} = await csvRows(files, 3);
  return withDatabase(async (db) => {
    await fill(db, "price", "source_id, day, price", rows);
    await mkdir(join(outDir, "price_rows", "year=2026"), {recursive: true});
    await db.run(`COPY (SELECT source_id, 'issue' AS issue_id, line AS row_ordinal, day::DATE AS report_end_date, 'steers' AS class,
        'per_cwt' AS price_unit, 'OK' AS state, price::DECIMAL(9,2) AS price_avg FROM price ORDER BY line)
      TO ${sqlText(join(outDir, "price_rows/year=2026/rows.parquet"))} (FORMAT parquet)`);
    const ids = [...new Set(rows.map((row) => row[0]!))].sort();
    return {
      files: reports,
      rows: {price_rows: rows.length},
      sources: ids.map((id) => ({id, sourceDate: asOf, retrievedAt: null})),
    };
  });
}

async function csvRows(
  files: RawFile[],
  width: number,
  rest: readonly string[] = [],
): Promise<{rows: string[][]; reports: FileReport[]}> {
  const rows: string[][] = [];
  const reports: FileReport[] = [];
  for (const file of files) {
    const lines = (await readFile(file.absolutePath, "utf8")).split("\n").filter((line) => line !== "");
    if (lines.includes("!fail")) throw new Error(`${basename(file.path)} makes the stage fail`);
    const good = lines
      .map((line) => line.split(","))
      .filter((row) => row.length === width || row.length === width + rest.length)
      .map((row) => [...row, ...rest.slice(row.length - width)]);
    const bad = lines.length - good.length;
    rows.push(...good);
    reports.push({
      ...fileWithoutRows(file.path, file.unit, "read", null),
      rowsIn: lines.length,
      accepted: good.length,
      rejected: bad === 0 ? {} : {bad_row: bad},
    });
  }
  return {rows, reports};
}

async function fill(db: Database, table: string, columns: string, rows: string[][]): Promise<void> {
  const names = columns.split(", ").map((name) => `${name} VARCHAR`);
  await db.run(`CREATE TABLE ${table} (line INTEGER, ${names.join(", ")})`);
  const values = rows.map((row, i) => `(${i + 1}, ${row.map(sqlText).join(", ")})`);
  if (values.length > 0) await db.run(`INSERT INTO ${table} VALUES ${values.join(", ")}`);
}

async function withDatabase<T>(use: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({threads: 1});
  try {
    return await use(db);
  } finally {
    db.close();
  }
}
