import {mkdirSync, writeFileSync} from "node:fs";
import {rename} from "node:fs/promises";
import {basename, dirname, extname, join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {expect, test} from "vitest";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {copySql, parquetRelation} from "../../lib/sql/sql-path.ts";
import {MARKET, stateTablePath} from "../../lib/storage/build-layout.ts";
import {buildFolder, dataFolder} from "../../lib/storage/data-folder.ts";
import {build} from "../../pipeline/publish/build.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {writeSample} from "../../pipeline/sample/write-sample.ts";
import {everyParcel} from "../crash/known-county.ts";
import {sizeOf} from "../crash/table.ts";
import {deltaWorkshop} from "../delta/delta-workshop.ts";
import {randomName} from "../random-names.ts";
import {wholeBuild} from "../raw-build.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {type Random, randomOf} from "./hostile-files.ts";
import {csv, row} from "./parcels/invented-source.ts";

// Whole builds of files, folders of an entry, raw folders and data folders with random names, against the same files under plain names.
const seed = Number(process.env["SEED"] ?? 51);
const filesPerBuild = 40;
const names = sizeOf("BUILDNAMES", {push: 40, long: 2_000});
const marketBuilds = sizeOf("MARKETNAMES", {push: 1, long: 20});
const meta = JSON.stringify({retrieved_at: "2026-11-01T00:00:00Z"});

/** A name that the raw folder takes for a file's: one with a leading dot, or `README…`, is no input. */
const fileName = (random: Random, end: string) => `${randomName(random).replace(/^\./, "_")}${end}`;

/** Rows of the build of `paths`, below the entry's folder; each file has two parcels of its own. */
async function rowsUnder(paths: readonly string[], rawName: string, dataName: string): Promise<object[]> {
  const root = temporaryFolder();
  const raw = join(root, "r", rawName);
  const data = dataFolder(join(root, "d", dataName));
  mkdirSync(data.root, {recursive: true});
  using db = await openDatabase();
  for (const [at, path] of paths.entries()) {
    const file = join(raw, "parcels/us-tx-invented", path);
    mkdirSync(dirname(file), {recursive: true});
    const rows = [0, 1].map((i) => row(`${1000 + 2 * at + i}-A`, {OWNER: `HARLOW ${at}`, VALUE: `${at}`}));
    if (path.endsWith(".parquet")) {
      const values = rows.map((each) => `('${Object.values(each).join("', '")}')`);
      const query = `SELECT * FROM (VALUES ${values}) AS t(${Object.keys(rows[0]!)})`;
      await db.run(copySql(query, file, "FORMAT parquet"));
    } else writeFileSync(file, path.endsWith(".json") ? JSON.stringify(rows) : csv(rows));
    writeFileSync(`${file}.meta.json`, meta);
  }
  const shop = deltaWorkshop(join(root, "shop"), everyParcel());
  const {buildId} = await build(shop.options({rawDir: raw, data, listFiles: () => listRawFiles(raw)}));
  const table = parquetRelation([join(buildFolder(data, buildId), stateTablePath("parcels", "TX"))]);
  return await db.rows(`SELECT * FROM ${table} ORDER BY ALL`);
}

test(`S13: ${names} files of random names, in folders of random names, give the rows that they give under plain names`, async () => {
  const random = randomOf(seed);
  // Few of JSON: each is read in a process of its own.
  const endOf = (at: number) => (at % 10 === 0 ? "json" : at % 5 === 0 ? "parquet" : "csv");
  const plain = Array.from({length: filesPerBuild}, (_, at) => `${at}.${endOf(at)}`);
  const wanted = await rowsUnder(plain, "raw", "data");
  expect(wanted).toHaveLength(2 * filesPerBuild);
  for (let built = 0; built < names; built += filesPerBuild) {
    const odd = plain.map(
      (path, at) =>
        `${at % 2 === 0 ? `${fileName(random, "")}/` : ""}${fileName(random, `${at}${extname(path)}`)}`,
    );
    const folders = [randomName(random), randomName(random)] as const;
    expect([seed, folders, odd, await rowsUnder(odd, ...folders)]).toEqual([seed, folders, odd, wanted]);
  }
}, 900_000);

const asOf = "2026-11-21";

/**
 * Rows of a market's build in which each file was renamed by `nameOf`, but for the sample's own list of barns, a list of licences, whose
 * name is its title, and forecasts, whose names tell their place.
 */
async function marketUnder(
  nameOf: (name: string, at: number) => string,
  rawName: string,
  dataName: string,
): Promise<string[]> {
  const root = temporaryFolder();
  const raw = join(root, "r", rawName);
  await writeSample(raw, asOf);
  const reports = (await filesBelow(raw)).filter((path) =>
    /^market\/(?!(?:directory|dealers|nws)\/).*(?<!\.meta\.json)$/.test(path),
  );
  for (const [at, path] of reports.entries()) {
    const renamed = join(dirname(path), nameOf(basename(path), at));
    await rename(join(raw, path), join(raw, renamed));
    await rename(join(raw, `${path}.meta.json`), join(raw, `${renamed}.meta.json`));
  }
  const data = dataFolder(join(root, "d", dataName));
  const {buildId} = await build({...wholeBuild({rawDir: raw, data, asOf}), only: [MARKET]});
  using db = await openDatabase();
  const rows: string[] = [];
  for (const table of [
    "price_rows/year=2026/rows",
    "county_prices",
    "dealers",
    "signals/drought",
    "signals/futures",
  ]) {
    const path = join(buildFolder(data, buildId), `tables/${table}.parquet`);
    const found = await db.rows<{row: string}>(
      `SELECT to_json(t)::VARCHAR AS row FROM ${parquetRelation([path])} AS t ORDER BY row`,
    );
    // The path is all that may differ.
    const withoutPath = (name: string, value: unknown) => (name === "source_path" ? undefined : value);
    rows.push(...found.map((each) => `${table} ${JSON.stringify(JSON.parse(each.row), withoutPath)}`));
  }
  return rows;
}

test(`S13: ${marketBuilds} markets of reports with random names are those of plain names`, async () => {
  const random = randomOf(seed);
  const wanted = await marketUnder((name) => name, "raw", "data");
  for (let built = 0; built < marketBuilds; built += 1) {
    const folders = [randomName(random), randomName(random)] as const;
    const found = await marketUnder((name, at) => fileName(random, `${at}${extname(name)}`), ...folders);
    const own = new Set(wanted);
    expect([seed, folders, found.filter((each) => !own.has(each))]).toEqual([seed, folders, []]);
    expect(found).toHaveLength(wanted.length);
  }
}, 900_000);
