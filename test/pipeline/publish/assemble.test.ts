import {appendFile, mkdir, readdir, readFile, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {MARKET, stateTablePath} from "../../../lib/storage/build-layout.ts";
import {buildFolder} from "../../../lib/storage/data-folder.ts";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import type {BuildOptions} from "../../../pipeline/parts/options.ts";
import {partText, readPart} from "../../../pipeline/parts/part-folder.ts";
import {assemble} from "../../../pipeline/publish/assemble.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {buildPart} from "../../../pipeline/publish/build-part.ts";
import {sha256OfFile} from "../../../pipeline/raw/file-digest.ts";
import {contents, makeWorkshop, parcels, testStages, type Workshop} from "./workshop.ts";

let shop: Workshop;
let apart: Workshop;
beforeEach(async () => {
  shop = await makeWorkshop();
  apart = await makeWorkshop();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 60));
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 50));
  await shop.put("market/mars/a.csv", "mars,2026-08-20,250\nmars,2026-08-21\n");
  await shop.put("market/nowhere/a.csv", "no feed has this name\n");
});
afterEach(async () => {
  await shop.remove();
  await apart.remove();
});

let made = 0;
async function part(name: string, changes: Partial<BuildOptions> = {}): Promise<string> {
  const dir = join(shop.root, `part-${name}-${made++}`);
  await buildPart(name, dir, shop.options(changes));
  return dir;
}

test("assembles separately built parts into a build that is byte-identical to a whole one", async () => {
  const whole = await build(shop.options());
  const other = await makeWorkshop();
  const elsewhere = {data: other.data};
  const dirs = [await part("UT", elsewhere), await part(MARKET, elsewhere), await part("AZ", elsewhere)];
  await other.remove();
  const assembled = await assemble(dirs, apart.options());
  expect(assembled.report).toEqual(whole.report);
  expect(await contents(apart, assembled.buildId)).toEqual(await contents(shop, whole.buildId));
});

test.each([[["AZ"]], [["MARKET"]], [["AZ", "MARKET"]], [["AZ", "UT"]]])(
  "parts %j with what is published are the same build as those parts built here",
  async (names) => {
    const later = {now: () => new Date("2026-08-23T07:00:00Z")};
    await build(shop.options());
    await assemble([await part("AZ"), await part("UT"), await part(MARKET)], apart.options());
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
    await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 51));
    await shop.put("market/mars/b.csv", "mars,2026-08-22,251\n");
    const dirs: string[] = [];
    for (const name of names) dirs.push(await part(name));
    const here = await build(shop.options({only: names, ...later}));
    const assembled = await assemble(dirs, apart.options(later));
    expect(await contents(apart, assembled.buildId)).toEqual(await contents(shop, here.buildId));
    const {states, market} = await readManifest(buildFolder(apart.data, assembled.buildId));
    const status = {AZ: states["AZ"]?.status, UT: states["UT"]?.status, MARKET: market?.status};
    for (const [name, is] of Object.entries(status))
      expect([name, is]).toEqual([name, names.includes(name) ? "built" : "reused"]);
  },
);

test("gates a part like any build: one that lost rows is held back", async () => {
  await build(shop.options());
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 20));
  const {outcome, heldBack} = await assemble([await part("AZ")], shop.options());
  expect(heldBack[0]?.because).toContain("AZ rows");
  expect(outcome).toBe("published");
});

test("keeps a part's acceptances in the assembled build", async () => {
  const acceptances = [{part: "AZ", gate: "rejected-rows", reason: "a new form"}];
  const dirs = [await part("AZ", {acceptances}), await part("UT", {acceptances})];
  const {buildId} = await assemble(dirs, apart.options());
  expect((await readManifest(buildFolder(apart.data, buildId))).acceptances).toEqual(acceptances);
});

test("a part is made once: a second run keeps it, and other inputs are refused", async () => {
  const dir = await part("AZ");
  const before = await sha256OfFile(join(dir, "part.json"));
  await buildPart("AZ", dir, shop.options());
  expect(await sha256OfFile(join(dir, "part.json"))).toBe(before);
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
  await expect(buildPart("AZ", dir, shop.options())).rejects.toThrow("holds a part of other inputs");
  const other = join(shop.root, "other");
  await mkdir(other);
  await writeFile(join(other, "notes.txt"), "mine");
  await expect(buildPart("AZ", other, shop.options())).rejects.toThrow("not empty");
  await shop.put("parcels/us-az-one/a.csv", "", {retrieved_at: "2026-09-01T00:00:00Z"});
  await expect(buildPart("AZ", dir, shop.options())).rejects.toThrow(
    /^AZ: no raw file can be used: .*: retrieved 2026-09-01/,
  );
});

test("leaves exactly one complete part after two concurrent runs of it", async () => {
  const dir = join(shop.root, "parts", "AZ");
  await Promise.all([1, 2, 3].map(() => buildPart("AZ", dir, shop.options())));
  expect(await readdir(join(shop.root, "parts"))).toEqual(["AZ"]);
  const {outcome} = await assemble([dir], apart.options());
  expect(outcome).toBe("published");
});

test("a part whose stage fails leaves nothing", async () => {
  await shop.put("parcels/us-az-one/b.csv", "!fail\n");
  const dir = join(shop.root, "parts", "AZ");
  await expect(buildPart("AZ", dir, shop.options())).rejects.toThrow("makes the stage fail");
  expect(await readdir(join(shop.root, "parts"))).toEqual([]);
});

test("a part describes itself", async () => {
  const texts = [];
  for (const name of ["AZ", MARKET]) texts.push(partText((await readPart(await part(name))).part));
  expect(texts[0]).toMatch(/^AZ, 60 rows, as of 2026-08-23, real data, made by \d+\.\d+\.\d+\+[0-9a-f]{12}$/);
  expect(texts[1]).toMatch(/^MARKET, 1 rows, as of 2026-08-23, real data, made by /);
});

test("refuses a damaged part, one given twice, and those of another program or registry", async () => {
  const dir = await part("AZ");
  const tried = (dirs: string[], stages = testStages) =>
    expect(assemble(dirs, shop.options({stages}))).rejects;
  await tried([dir, dir]).toThrow("AZ was given already");
  const entries = testStages.entries.map((entry) => ({...entry, licence: "other"}));
  await tried([dir], {...testStages, entries}).toThrow("AZ: the part was made from another registry");
  const newer = {...testStages, codeDigest: () => "other code"};
  await tried([dir], newer).toThrow(/AZ, 60 rows, .* made by .*; this program is .*\. Build the part again/);
  await appendFile(join(dir, stateTablePath("parcels", "AZ")), "x");
  await tried([dir]).toThrow("parcels.parquet: ");
  await writeFile(join(dir, "part.json"), (await readFile(join(dir, "part.json"), "utf8")).slice(0, 99));
  await tried([dir]).toThrow("not JSON");
});

test("refuses parts of two days, of sample and real data, and a market that is compared with another build", async () => {
  const az = await part("AZ");
  const ut = await part("UT", {asOf: "2026-08-24"});
  await expect(assemble([az, ut], apart.options())).rejects.toThrow(
    /different days:\n .*AZ.*\n .*UT.*2026-08-24/,
  );
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 5), {
    retrieved_at: "2026-08-20T00:00:00Z",
    sample: true,
  });
  const sample = await part("UT", {listFiles: onlyUtah(shop)});
  await expect(assemble([az, sample], apart.options())).rejects.toThrow(/different kinds.*sample data/s);
  await shop.drop("parcels/us-ut-one/a.csv");
  await assemble([az], apart.options());
  const market = await part(MARKET, {asOf: "2026-08-24"});
  await expect(assemble([market], apart.options())).rejects.toThrow("compared with no earlier build");
});

function onlyUtah({options}: Workshop): BuildOptions["listFiles"] {
  return async (needsDigest, onProgress) =>
    (await options().listFiles(needsDigest, onProgress)).filter(
      ({feedOrEntryId}) => feedOrEntryId === "us-ut-one",
    );
}
