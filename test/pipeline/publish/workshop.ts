import {mkdir, mkdtemp, readFile, rm, writeFile} from "node:fs/promises";
import {tmpdir} from "node:os";
import {basename, dirname, join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {type Database, openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {stateServing, yearPath} from "../../../lib/storage/build-layout.ts";
import {buildFolder, type DataFolder, dataFolder} from "../../../lib/storage/data-folder.ts";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import type {MarketInput} from "../../../pipeline/market/build-market.ts";
import type {StateRequest} from "../../../pipeline/parcels/build-state.ts";
import type {BuildOptions} from "../../../pipeline/parts/options.ts";
import type {SourceEntry, Stages} from "../../../pipeline/parts/stages.ts";
import {sha256OfFile} from "../../../pipeline/raw/file-digest.ts";
import {listRawFiles, type RawFile} from "../../../pipeline/raw/raw-files.ts";
import {type FileReport, fileWithoutRows} from "../../../schemas/build-report.ts";
import type {DeltaUpsert} from "../../../schemas/delta-record.ts";
import {wholeBuild} from "../../raw-build.ts";
import {type Origin, workshopColumns, writeStateFiles} from "./workshop-state.ts";

/** The data folder and raw folder of one test. */
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
  terms: {store: true, redistributeOwners: true, bulk: true},
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

/** A new workshop in its own temporary folder. */
export async function makeWorkshop(): Promise<Workshop> {
  const root = await mkdtemp(join(tmpdir(), "cattle-build-"));
  await mkdir(join(root, "raw"));
  return openWorkshop(root);
}

/** The workshop in an existing folder. */
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
      ...wholeBuild({rawDir: raw, data, asOf}),
      listFiles: () => listRawFiles(changes.rawDir ?? raw),
      stages: testStages,
      ...changes,
    }),
    remove: () => rm(root, {recursive: true, force: true}),
  };
}

/** Digests of all files of a build; of the manifest without the build time. */
export async function contents({data}: Workshop, buildId: string): Promise<unknown> {
  const dir = buildFolder(data, buildId);
  const paths = (await filesBelow(dir)).filter((path) => path !== "manifest.json").sort();
  const digests = await Promise.all(paths.map(async (path) => [path, await sha256OfFile(join(dir, path))]));
  return {digests, manifest: {...(await readManifest(dir)), built_at: null}};
}

/** Rows for `buildState`: `n` parcels of one county, numbered from `from`. */
export function parcels(county: string, n: number, {from = 1, category = "agriculture"} = {}): string {
  return Array.from(
    {length: n},
    (_, i) => `${county},P${from + i},OWNER ${i},${category},-111.${i + 1},33.5\n`,
  ).join("");
}

async function buildState({state, files, found = [], outDir, asOf}: StateRequest<SourceEntry>) {
  const serving = await madeFolder(join(outDir, stateServing(state)));
  const units = [...new Set(files.map(({feedOrEntryId}) => feedOrEntryId))].sort();
  const read = await Promise.all(
    units.map((unit) =>
      csvRows(
        files.filter((file) => file.feedOrEntryId === unit),
        6,
        ["1.5", "1 MAIN ST", "A"],
      ),
    ),
  );
  const filed = read.flatMap(({rows}, origin) => rows.map((row) => [...row, String(origin)]));
  const reports = read.flatMap((each) => each.reports);
  const {rows, origins} = withFound(filed, found, units);
  return withDatabase(async (db) => {
    await fill(db, "parcel", workshopColumns.join(", "), rows);
    await writeStateFiles(db, {rows: rows.length, origins}, {outDir, serving, state, asOf});
    const sources = [...new Set(origins.map(({source}) => source))].sort();
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

/** The rows, with discovered parcels replacing file rows of the same number, followed by the other discovered parcels. */
function withFound(
  filed: readonly string[][],
  found: readonly DeltaUpsert[],
  units: readonly string[],
): {rows: string[][]; origins: Origin[]} {
  const keys = new Set(found.map(({key}) => `${key.county},${key.parcelId}`));
  const left = filed.filter(([county, id]) => !keys.has(`${county},${id}`));
  const fresh = found.map(({key, row}, i) => [
    key.county,
    key.parcelId,
    String(row["owner_name"] ?? ""),
    "",
    String(row["lon"] ?? -111),
    String(row["lat"] ?? 33),
    "1.5",
    "1 MAIN ST",
    "A",
    String(units.length + i),
  ]);
  const origins = [
    ...units.map((source) => ({source, vintage: null})),
    ...found.map(({sourceId: source, vintage}) => ({source, vintage: vintage ?? "2000"})),
  ];
  return {rows: [...left, ...fresh], origins};
}

async function buildMarket({files, outDir}: MarketInput) {
  const read = await Promise.all(files.map((file) => csvRows([file], 3)));
  const reports = read.flatMap((each) => each.reports);
  const rows = read.flatMap((each, i) => each.rows.map((row) => [...row, files[i]!.path]));
  return withDatabase(async (db) => {
    await fill(db, "price", "source_id, day, price, source_path", rows);
    const path = join(outDir, yearPath("price_rows", 2026));
    await madeFolder(dirname(path));
    await db.run(`COPY (SELECT source_id, source_path, 'issue' AS issue_id, line AS row_ordinal, 'report ' || line % 3 AS report_slug, day::DATE AS report_end_date, 'steers' AS class,
        'per_cwt' AS price_unit, 'OK' AS state, price::DECIMAL(9,2) AS price_avg FROM price ORDER BY line)
      TO ${sqlText(path)} (FORMAT parquet)`);
    const ids = [...new Set(rows.map((row) => row[0]!))].sort();
    return {
      files: reports,
      rows: {price_rows: rows.length},
      sources: ids.map((id) => ({id, sourceDate: asOf, retrievedAt: null})),
    };
  });
}

async function madeFolder(path: string): Promise<string> {
  await mkdir(path, {recursive: true});
  return path;
}

async function csvRows(
  files: readonly RawFile[],
  width: number,
  rest: readonly string[] = [],
): Promise<{rows: string[][]; reports: FileReport[]}> {
  const rows: string[][] = [];
  const reports: FileReport[] = [];
  for (const file of files) {
    if (file.fault !== undefined) {
      reports.push(fileWithoutRows(file.path, file.feedOrEntryId, "failed", file.fault));
      continue;
    }
    const lines = (await readFile(file.absolutePath, "utf8")).split("\n").filter((line) => line !== "");
    if (lines.includes("!fail")) throw new Error(`${basename(file.path)} makes the stage fail`);
    const good = lines
      .map((line) => line.split(","))
      .filter((row) => row.length === width || row.length === width + rest.length)
      .map((row) => [...row, ...rest.slice(row.length - width)]);
    const bad = lines.length - good.length;
    rows.push(...good);
    reports.push({
      ...fileWithoutRows(file.path, file.feedOrEntryId, "read", null),
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
