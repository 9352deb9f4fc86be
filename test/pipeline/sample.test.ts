import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {afterAll, beforeAll, expect, test} from "vitest";
import {type Database, openDatabase} from "../../lib/sql/duckdb.ts";
import {buildFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import {tableFacts} from "../../pipeline/parts/table-files.ts";
import {type BuildResult, build, exitCode} from "../../pipeline/publish/build.ts";
import {sha256OfFile} from "../../pipeline/raw/file-digest.ts";
import {allReports} from "../../pipeline/results/report-counts.ts";
import {writeSample} from "../../pipeline/sample/write-sample.ts";
import {addsUp} from "../../schemas/build-report.ts";
import {describedFile} from "../../schemas/described-files.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {wholeBuild} from "../raw-build.ts";

const asOf = "2026-11-21";
let root: string;
let result: BuildResult;
let manifest: Manifest;
let dir: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "cattle-sample-"));
  await writeSample(join(root, "sample"), asOf);
  result = await buildInto("data");
  dir = buildFolder(dataFolder(join(root, "data")), result.buildId);
  manifest = await readManifest(dir);
});
afterAll(() => rm(root, {recursive: true}));

function buildInto(folder: string): Promise<BuildResult> {
  return build(wholeBuild({rawDir: join(root, "sample"), data: dataFolder(join(root, folder)), asOf}));
}

test("every file of the sample is read, every row accepted, nothing held back", () => {
  const reports = allReports(result.report);
  expect(reports.filter((report) => report.status !== "read")).toEqual([]);
  expect(reports.filter((report) => !addsUp(report) || report.accepted !== report.rowsIn)).toEqual([]);
  expect([result.heldBack, exitCode(result), manifest.sample]).toEqual([[], 0, true]);
});

test("it has prices, barns and parcels with owners, outlines and land-use categories in two states", () => {
  expect(manifest.market?.rows).toMatchObject({barns: 5, price_rows: 1300, dealers: 1});
  expect(Object.keys(manifest.states)).toEqual(["AZ", "TX"]);
  for (const part of Object.values(manifest.states)) {
    expect(part.point_count).toBe(part.rows);
    expect(part.figures["outside_county"]).toBe(0);
    const missing = Object.entries(part.figures).filter(([name]) =>
      /^(null_owner|null_address|unmapped_use):/.test(name),
    );
    expect(missing.length).toBeGreaterThanOrEqual(3);
    expect(missing.filter(([, share]) => share !== 0)).toEqual([]);
  }
});

test("the same sample gives the same bytes again", async () => {
  const again = await buildInto("again");
  const other = buildFolder(dataFolder(join(root, "again")), again.buildId);
  const digests = async (folder: string) =>
    Promise.all(
      (await filesBelow(folder)).map(async (path) => [path, await sha256OfFile(join(folder, path))]),
    );
  expect(await digests(other)).toEqual(await digests(dir));
});

test("S12: FORMAT.md tells every table of the build with exactly its columns", async () => {
  const paths = (await filesBelow(dir)).filter((path) => /\.(parquet|arrow)$/.test(path));
  const db: Database = await openDatabase();
  try {
    for (const path of paths) {
      const {columns} = await tableFacts(db, join(dir, path));
      const told = describedFile(path)?.columns.map(({name, type}) => [name, type]);
      // Types of Arrow files are named as in that format, types of Parquet files as DuckDB shows them.
      const found = path.endsWith(".parquet") ? columns : columns?.map(([name], i) => [name, told?.[i]?.[1]]);
      expect(told, path).toEqual(found);
    }
  } finally {
    db.close();
  }
});
