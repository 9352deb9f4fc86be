import {appendFile, chmod, mkdir, readdir, readFile, stat, symlink, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {afterEach, beforeEach, expect, test} from "vitest";
import {currentBuildId} from "../../../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../../../lib/storage/manifest-file.ts";
import type {BuildOptions} from "../../../pipeline/parts/options.ts";
import {build, dryRun, exitCode} from "../../../pipeline/publish/build.ts";
import {sha256OfFile} from "../../../pipeline/raw/file-digest.ts";
import {asOf, makeWorkshop, parcels, testStages, type Workshop} from "./workshop.ts";

let shop: Workshop;
beforeEach(async () => {
  shop = await makeWorkshop();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 60));
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 50));
  await shop.put("market/mars/a.csv", "mars,2026-08-20,250\nmars,2026-08-21,251\nbroken\n");
});
afterEach(() => shop.remove());

const run = (changes: Partial<BuildOptions> = {}) => build(shop.options(changes));
const manifestOf = (buildId: string) => readManifest(join(shop.data.builds, buildId));

/** Digests of all files of a build except the manifest. */
async function digests(dir: string): Promise<Record<string, string>> {
  const paths = (await filesBelow(dir)).filter((path) => path !== "manifest.json");
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await sha256OfFile(join(dir, path))] as const)),
  );
}

test("publishes market and states, with every row accounted for and a manifest that fits the folder", async () => {
  const result = await run();
  expect(await currentBuildId(shop.data)).toBe(result.buildId);
  const manifest = await manifestOf(result.buildId);
  expect(Object.keys(manifest.states)).toEqual(["AZ", "UT"]);
  expect([manifest.market?.status, manifest.states["AZ"]?.coverage, manifest.states["UT"]?.coverage]).toEqual(
    ["built", "live", "partial"],
  );
  expect(result.report.parts["MARKET"]?.[0]).toMatchObject({rowsIn: 3, accepted: 2, rejected: {bad_row: 1}});
  expect(await buildFaults(join(shop.data.builds, result.buildId), manifest, {depth: "full"})).toEqual([]);
  expect(exitCode(result)).toBe(0);
});

test("gives the same bytes for the same inputs in another folder, but for the clock in the manifest", async () => {
  const first = await run();
  const second = await makeWorkshop();
  try {
    for (const path of ["parcels/us-ut-one/a.csv", "parcels/us-az-one/a.csv", "market/mars/a.csv"]) {
      await second.put(path, await readFile(join(shop.raw, path), "utf8"));
    }
    const {buildId} = await build(second.options({now: () => new Date("2026-08-24T09:00:00Z")}));
    expect(buildId).toBe(first.buildId);
    const other = join(second.data.builds, buildId);
    expect(await digests(other)).toEqual(await digests(join(shop.data.builds, buildId)));
    expect((await readManifest(other)).built_at).toBe("2026-08-24T09:00:00Z");
  } finally {
    await second.remove();
  }
});

test("tells each part's place, its bytes, and the bytes before it and in all, of the parts that it builds", async () => {
  const seen: unknown[] = [];
  await run({
    step: (title, work, extent) => {
      if (extent !== undefined) seen.push([title, extent]);
      return work(() => undefined);
    },
  });
  const sizeOf = async (path: string) => (await stat(join(shop.raw, path))).size;
  const sizes = await Promise.all(
    ["market/mars/a.csv", "parcels/us-az-one/a.csv", "parcels/us-ut-one/a.csv"].map(sizeOf),
  );
  const bytesInAll = sizes.reduce((sum, bytes) => sum + bytes);
  expect(seen).toEqual(
    ["MARKET", "AZ", "UT"].map((title, i) => {
      const bytesBefore = [0, sizes[0]!, sizes[0]! + sizes[1]!][i];
      return [title, {number: i + 1, of: 3, bytes: sizes[i], bytesBefore, bytesInAll}];
    }),
  );
});

test("adopts its own finished folder when nothing changed", async () => {
  const first = await run();
  const again = await run();
  expect([again.outcome, again.buildId]).toEqual(["adopted", first.buildId]);
});

test("links a state whose inputs did not change, and builds the one that did", async () => {
  const first = await run();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
  const second = await run();
  const manifest = await manifestOf(second.buildId);
  expect([manifest.states["AZ"]?.status, manifest.states["UT"]?.status]).toEqual(["built", "reused"]);
  expect(manifest.states["UT"]?.built_in).toBe(first.buildId);
  const inode = async (id: string) =>
    (await stat(join(shop.data.builds, id, "tables/parcels/state=UT/parcels.parquet"))).ino;
  expect(await inode(second.buildId)).toBe(await inode(first.buildId));
});

test("never links a damaged file: the state is built anew from its inputs", async () => {
  const first = await run();
  const path = join(shop.data.builds, first.buildId, "tables/parcels/state=UT/parcels.parquet");
  await chmod(path, 0o640);
  await flipOneBit(path);
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
  const second = await run();
  const manifest = await manifestOf(second.buildId);
  expect(manifest.states["UT"]?.status).toBe("built");
  expect(await buildFaults(join(shop.data.builds, second.buildId), manifest, {depth: "full"})).toEqual([]);
});

test("builds a damaged build of the same inputs again under another id, and so does --no-reuse", async () => {
  const first = await run();
  await appendFile(join(shop.data.builds, first.buildId, "report.html"), "x");
  const second = await run();
  expect(second.outcome).toBe("published");
  expect(second.buildId).not.toBe(first.buildId);
  const third = await run({noReuse: true});
  expect([first.buildId, second.buildId]).not.toContain(third.buildId);
  expect((await manifestOf(third.buildId)).states["UT"]?.status).toBe("built");
});

test("keeps the last good state when its stage fails, publishes the others and exits with 3", async () => {
  const first = await run();
  await shop.put("parcels/us-az-one/b.csv", "!fail\n");
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 51));
  const second = await run();
  const manifest = await manifestOf(second.buildId);
  expect(manifest.states["AZ"]).toMatchObject({status: "held_back", built_in: first.buildId, rows: 60});
  expect(manifest.states["UT"]).toMatchObject({status: "built", rows: 51});
  expect(second.heldBack[0]?.because).toContain("b.csv makes the stage fail");
  expect(exitCode(second)).toBe(3);
});

test("keeps a state whose raw files are gone", async () => {
  await run();
  await shop.drop("parcels/us-az-one/a.csv");
  const second = await run();
  expect((await manifestOf(second.buildId)).states["AZ"]).toMatchObject({status: "held_back", rows: 60});
  expect(second.heldBack).toEqual([{part: "AZ", because: "no raw files any more"}]);
});

test("holds a state back when it loses rows, names the gate, and publishes it when a person accepts that", async () => {
  await run();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 30));
  const held = await run();
  expect(held.heldBack[0]?.because).toMatch(/AZ rows: 0\.5 \(fails above 0\.02\).*AZ county-rows: 0\.5/);
  const acceptances = ["rows", "county-rows"].map((gate) => ({part: "AZ", gate, reason: "the county split"}));
  const accepted = await run({acceptances});
  const manifest = await manifestOf(accepted.buildId);
  expect(manifest.states["AZ"]).toMatchObject({status: "built", rows: 30});
  expect(manifest.acceptances).toEqual(acceptances);
  expect(manifest.gates.filter(({status}) => status === "accepted").map(({gate}) => gate)).toEqual([
    "rows",
    "county-rows",
  ]);
});

test("never accepts a duplicate key", async () => {
  await shop.put("parcels/us-az-one/b.csv", parcels("04013", 1));
  const acceptances = [{part: "AZ", gate: "duplicates", reason: "they look fine"}];
  const result = await run({acceptances});
  expect(result.heldBack[0]?.because).toContain("AZ duplicates: 1");
  expect((await manifestOf(result.buildId)).states["AZ"]).toBeUndefined();
});

test("publishes nothing and exits with 4 when no part can be built", async () => {
  await shop.put("parcels/us-az-one/a.csv", "!fail\n");
  await shop.put("parcels/us-ut-one/a.csv", "!fail\n");
  await shop.put("market/mars/a.csv", "!fail\n");
  const result = await run();
  expect([result.outcome, exitCode(result)]).toEqual(["nothing", 4]);
  expect(await currentBuildId(shop.data)).toBeNull();
  expect(await readdir(shop.data.builds)).toEqual([]);
});

test("reports a file of an unknown feed or entry and exits with 3", async () => {
  await shop.put("market/weather/a.csv", "x");
  await shop.put("parcels/us-zz-none/a.csv", "x");
  const result = await run();
  expect(result.report.left_out.map(({path, status}) => [path, status])).toEqual([
    ["market/weather/a.csv", "no_reader"],
    ["parcels/us-zz-none/a.csv", "no_reader"],
  ]);
  expect(exitCode(result)).toBe(3);
});

test("leaves out a file retrieved after the as-of date, and fails one that differs from its meta digest", async () => {
  await shop.put("market/mars/b.csv", "mars,2026-08-24,1\n", {retrieved_at: "2026-08-24T00:00:00Z"});
  await shop.put("market/mars/c.csv", "x", {retrieved_at: "2026-08-20T00:00:00Z", sha256: "0".repeat(64)});
  const {report} = await run();
  expect(report.left_out.map(({path, status}) => [path, status])).toEqual([
    ["market/mars/b.csv", "left_out"],
    ["market/mars/c.csv", "failed"],
  ]);
});

test("refuses sample and real input in one build, and a sample beside a real build", async () => {
  const sample = {retrieved_at: "2026-08-20T00:00:00Z", sample: true};
  await shop.put("market/mars/b.csv", "mars,2026-08-20,1\n", sample);
  await expect(run()).rejects.toThrow("market/mars/b.csv is sample data, market/mars/a.csv is not");
  await shop.drop("market/mars/b.csv");
  await run();
  for (const path of ["parcels/us-az-one/a.csv", "parcels/us-ut-one/a.csv", "market/mars/a.csv"]) {
    await shop.put(path, await readFile(join(shop.raw, path), "utf8"), sample);
  }
  await expect(run()).rejects.toThrow("holds real data, the input is sample");
});

test("builds only the states that are asked for and links the rest", async () => {
  const first = await run();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 51));
  const {buildId} = await run({only: ["UT"]});
  const manifest = await manifestOf(buildId);
  expect([manifest.states["AZ"]?.rows, manifest.states["UT"]?.rows]).toEqual([60, 51]);
  expect(manifest.market).toMatchObject({status: "reused", built_in: first.buildId});
  await expect(run({only: ["NV"]})).rejects.toThrow("NV: no raw files of this state");
});

test("plans without writing a build", async () => {
  const plan = await dryRun(shop.options());
  expect(plan.parts.map(({name, action, because}) => [name, action, because])).toEqual([
    ["MARKET", "build", "new"],
    ["AZ", "build", "new"],
    ["UT", "build", "new"],
  ]);
  await expect(readdir(shop.data.builds)).rejects.toThrow("ENOENT");
});

test("compares with the newest build of an earlier day", async () => {
  const first = await run({asOf: "2026-08-21"});
  const second = await run({asOf});
  expect((await manifestOf(second.buildId)).earlier_build_id).toBe(first.buildId);
});

test("says so when the raw folder has nothing to build", async () => {
  const empty = join(shop.root, "empty");
  await mkdir(empty);
  await expect(run({rawDir: empty})).rejects.toThrow("no raw file that can be built");
});

test("refuses a stage whose rows do not add up", async () => {
  const stages = {
    ...testStages,
    buildState: async (...args: Parameters<typeof testStages.buildState>) => {
      const made = await testStages.buildState(...args);
      return {...made, files: made.files.map((file) => ({...file, rowsIn: file.rowsIn + 1}))};
    },
  };
  const {heldBack} = await run({stages});
  expect(heldBack.map(({because}) => because)).toEqual([
    "parcels/us-az-one/a.csv: rows in and rows out do not add up.",
    "parcels/us-ut-one/a.csv: rows in and rows out do not add up.",
  ]);
});

test("removes leftovers of dead builds, and nothing else", async () => {
  await mkdir(join(shop.data.builds, ".tmp-20260101-abcdef-1"), {recursive: true});
  const dead = {host: "elsewhere", bootId: "x", pidNamespace: "x", pid: 1, startTicks: "1"};
  await writeFile(join(shop.data.builds, ".tmp-20260101-abcdef-1.owner.json"), JSON.stringify(dead));
  await symlink("builds/none", join(shop.data.root, ".current-1"));
  await run();
  expect(await readdir(shop.data.root)).not.toContain(".current-1");
  expect((await readdir(shop.data.builds)).filter((name) => name.startsWith(".tmp"))).toHaveLength(2);
});

async function flipOneBit(path: string): Promise<void> {
  const content = await readFile(path);
  content[content.length >> 1]! ^= 1;
  await writeFile(path, content);
}
