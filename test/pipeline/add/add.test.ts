import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {basename, join} from "node:path";
import {gzipSync} from "node:zlib";
import {afterEach, beforeAll, expect, test} from "vitest";
import {workbook} from "../../../packages/parcel-files/test/write-workbook.ts";
import {main} from "../../../pipeline/cli.ts";
import {listRawFiles} from "../../../pipeline/raw/raw-files.ts";
import {writeSample} from "../../../pipeline/sample/write-sample.ts";
import {feedNames} from "../../../schemas/market-feed.ts";
import {keptOutput} from "../../kept-output.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {sheetRows} from "../market/signals/write-lists.ts";
import {inventedFiles} from "./invented-files.ts";

let sample: string;
let raw: string;

beforeAll(async () => {
  sample = join(temporaryFolder(), "sample");
  await writeSample(sample, "2026-11-21");
  raw = join(temporaryFolder(), "raw");
});

afterEach(() => {
  process.exitCode = undefined;
});

/** Runs `cattle add` as its user does. */
async function add(...args: string[]) {
  using written = keptOutput();
  process.exitCode = 0;
  const status = await main(["add", "--raw", raw, ...args]);
  const {stdout, stderr} = written;
  return {status, stdout, stderr};
}

/** Sample files below a folder, copied under names that do not reveal the feed. */
function sampleFile(folder: string, name: string): string {
  const [first] = readdirSync(join(sample, folder)).filter((file) => !file.endsWith(".meta.json"));
  const path = join(temporaryFolder(), name);
  cpSync(join(sample, folder, first!), path);
  return path;
}

function file(name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

test("puts one file of every feed where its reader finds it, by its content", async () => {
  const paths = new Map<string, string>(
    Object.entries(inventedFiles).map(([feed, [name, content]]) => [feed, file(name, content)]),
  );
  for (const feed of feedNames.filter((name) => !paths.has(name)))
    paths.set(feed, sampleFile(`market/${feed}`, `${feed.length}.${feed === "mars" ? "json" : "txt"}`));
  const {status, stderr} = await add(...paths.values());
  expect([status, stderr]).toEqual([0, ""]);
  const files = await listRawFiles(raw);
  expect(new Set(files.map(({path}) => path))).toEqual(
    new Set([...paths].map(([feed, path]) => `market/${feed}/${basename(path)}`)),
  );
  expect(new Set(files.map(({retrievedAtFrom}) => retrievedAtFrom))).toEqual(new Set(["assumed"]));
});

test("puts parcels into the folder of the entry that reads them, packed or not", async () => {
  const folders = readdirSync(join(sample, "parcels"));
  expect(folders.length).toBeGreaterThan(1);
  for (const id of folders) {
    const [name] = readdirSync(join(sample, "parcels", id)).filter((each) => !each.endsWith(".meta.json"));
    const extension = name!.split(".").at(-1)!;
    const plain = sampleFile(`parcels/${id}`, `a.${extension}`);
    const packed = file(`b.${extension}.gz`, gzipSync(readFileSync(plain)));
    const {status, stdout, stderr} = await add("--retrieved", "2026-11-20", "--complete", plain, packed);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`added as parcels/${id}/b.${extension}.gz`);
    const meta = JSON.parse(readFileSync(join(raw, "parcels", id, `a.${extension}.meta.json`), "utf8"));
    expect(meta).toMatchObject({source_id: id, retrieved_at: "2026-11-20T00:00:00Z", complete: true});
    expect(meta).not.toHaveProperty("assumed");
  }
});

test("overwrites nothing: the same bytes are there already, other bytes of that name are refused", async () => {
  const [name, content] = inventedFiles.diesel!;
  expect((await add(file(name, content))).status).toBe(0);
  const again = await add(file("other-name.json", content));
  expect([again.status, again.stdout]).toEqual([
    0,
    expect.stringContaining(`already exists, as market/diesel/${name}`),
  ]);
  const changed = await add(file(name, content.replace("3.711", "3.712")));
  expect([changed.status, changed.stderr]).toEqual([
    1,
    expect.stringContaining("already exists with other bytes"),
  ]);
  expect(readFileSync(join(raw, "market/diesel", name), "utf8")).toBe(content);
  expect((await add("--as", "week-47.json", file(name, content.replace("3.711", "3.712")))).stdout).toContain(
    "added as market/diesel/week-47.json",
  );
});

test("reports a lone meta file as such, and copies one together with its file", async () => {
  const name = "with-meta.json";
  // Different bytes from those that an earlier test added.
  const path = file(name, `${inventedFiles.diesel![1]}\n`);
  const meta = `${path}.meta.json`;
  writeFileSync(
    meta,
    JSON.stringify({retrieved_at: "2026-11-20T00:00:00Z", url: "https://example.org/diesel"}),
  );
  const alone = await add(meta);
  expect([alone.status, alone.stdout]).toEqual([1, ""]);
  expect(alone.stderr).toBe(
    `${meta}: a meta file, which says where ${name} came from and when. It goes along by itself: cattle add ${JSON.stringify(path)}\n`,
  );
  const both = await add(path, meta);
  expect([both.status, both.stderr]).toEqual([0, ""]);
  const added = (await listRawFiles(raw)).find(({path}) => path === `market/diesel/${name}`);
  expect(added).toMatchObject({
    retrievedAt: "2026-11-20T00:00:00Z",
    retrievedAtFrom: "meta",
  });
});

test("does not guess the feed of a table that fits several, but shows the commands to choose one", async () => {
  const table = file("names.csv", "name,city,state\nSample Hollow Barn,Yukon,OK\n");
  const {status, stderr} = await add(table);
  expect(status).toBe(1);
  expect(stderr).toContain(`cattle add --feed directory ${JSON.stringify(table)}`);
  expect(stderr).toContain(`cattle add --feed dealers ${JSON.stringify(table)}`);
  expect((await add("--feed", "directory", table)).status).toBe(0);
});

test("a list in a worksheet goes to its feed, and with --list into the folder of its map, which must fit", async () => {
  const rows = (header: readonly string[], cells: readonly string[]) =>
    workbook({Markets: sheetRows([header, cells])});
  const licences = file(
    "l.xlsx",
    rows(["Firm Name", "License Type", "State"], ["Invented Buyers", "Dealer", "OK"]),
  );
  expect((await add(licences)).stdout).toContain("added as market/dealers/l.xlsx");
  const roster = file(
    "r.xlsx",
    rows(["Market", "City", "State", "Sale Day"], ["Invented Barn", "Elm", "KS", "Mon"]),
  );
  expect((await add("--list", "sale-barn-roster", roster)).stdout).toContain(
    "added as market/directory/sale-barn-roster/r.xlsx",
  );
  const misfit = await add("--list", "ams-auction-roster", roster);
  expect([misfit.status, misfit.stderr]).toEqual([
    1,
    expect.stringContaining("expected report_number (slug_id)"),
  ]);
  expect((await add("--list", "no-such-map", roster)).stderr).toContain("the maps are ams-auction-roster,");
});

test("rejects an unknown file, feed or entry, lists the feeds, and writes nothing", async () => {
  const notes = file("notes.txt", "Call the barn on Tuesday.\n");
  for (const args of [[notes], ["--feed", "cows", notes]]) {
    const {status, stderr} = await add(...args);
    expect(status).toBe(1);
    for (const feed of feedNames) expect(stderr).toContain(feed);
  }
  expect((await add("--entry", "us-zz-none", notes)).stderr).toContain(
    "no entry data/sources/parcels/us-zz-none.json",
  );
  expect((await add(file("empty.json", ""))).stderr).toContain("the file is empty");
  expect(existsSync(join(raw, "market/cows"))).toBe(false);
});

test("help names the fourteen feeds; --dry-run writes nothing", async () => {
  const help = (await add("--help")).stdout;
  for (const feed of feedNames) expect(help).toContain(`\n  ${feed} `);
  const [name, content] = inventedFiles.futures!;
  const {stdout} = await add("--dry-run", file(`new-${name}`, content.replace("5123", "5124")));
  expect(stdout).toContain("belongs in market/futures/");
  expect(readdirSync(join(raw, "market/futures"))).not.toContain(`new-${name}`);
});

test("adds a shapefile together with its other files, under one name", async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "lots"));
  for (const extension of ["shp", "dbf", "shx", "prj", "txt"])
    writeFileSync(join(dir, "lots", `LOTS.${extension}`), extension);
  const {status} = await add("--entry", "us-tx-stratmap", "--as", "travis.shp", join(dir, "lots/LOTS.shp"));
  expect(status).toBe(0);
  expect(
    readdirSync(join(raw, "parcels/us-tx-stratmap")).filter((name) => /^travis\.\w+$/.test(name)),
  ).toEqual(["travis.dbf", "travis.prj", "travis.shp", "travis.shx"]);
});

test("a list of references with states and days is no table of notices, and a licence list has its state in its name", async () => {
  const write = (name: string, text: string) => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, text);
    return path;
  };
  const references = write(
    "a.csv",
    "title,url,kind,state,date\nBrands,https://ag.example/b,brand inspection,OK,2026-10-01\n",
  );
  const licences = write("ks-licences.csv", "Name,License Class\nInvented Buyers,Livestock Dealer\n");
  const notices = write("b.csv", "Confirmed,State,Special Id,Species\n18-Nov-26,Texas,TX-1,Cattle\n");
  const {stdout} = await add("--dry-run", "--json", references, licences, notices);
  expect((JSON.parse(stdout) as {folder: string}[]).map(({folder}) => folder)).toEqual([
    ...["market/references", "market/dealers", "market/aphis"],
  ]);
});
