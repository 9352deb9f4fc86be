import {chmod, readdir, readFile, rm, stat, truncate, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {ownIdentity} from "@open-cattle/safe-files";
import {afterEach, beforeEach, expect, test} from "vitest";
import {holdLease} from "../../../lib/process/run-folder.ts";
import {currentBuildId} from "../../../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../../../lib/storage/manifest-file.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {collectGarbage, planGc} from "../../../pipeline/publish/gc.ts";
import {publishBuild, rollback} from "../../../pipeline/publish/publish.ts";
import {makeWorkshop, parcels, type Workshop} from "./workshop.ts";

let shop: Workshop;
beforeEach(async () => {
  shop = await makeWorkshop();
});
afterEach(() => shop.remove());

async function builds(count: number, builtAt = "2026-08-01T00:00:00Z"): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", 100 + i));
    const now = () => new Date(Date.parse(builtAt) + i * 60_000);
    ids.push((await build(shop.options({now}))).buildId);
  }
  return ids;
}

test("verify finds a flipped bit, a missing file, an extra one and a cut one", async () => {
  const [id] = await builds(1);
  const dir = join(shop.data.builds, id!);
  const manifest = await readManifest(dir);
  const path = join(dir, "tables/parcels/state=AZ/parcels.parquet");
  await chmod(path, 0o640);
  const whole = await readFile(path);
  const flipped = Buffer.from(whole);
  flipped[100]! ^= 4;
  await writeFile(path, flipped);
  const faults = async () =>
    (await buildFaults(dir, manifest, {depth: "full"})).map((found) => `${found.path}: ${found.fault}`);
  expect(await faults()).toEqual([
    "tables/parcels/state=AZ/parcels.parquet: damaged between bytes 0 and 1048576",
  ]);
  await writeFile(path, whole.subarray(1));
  expect(await faults()).toEqual([
    `tables/parcels/state=AZ/parcels.parquet: ${whole.length - 1} bytes; the manifest says ${whole.length}`,
  ]);
  await rm(path);
  await writeFile(join(dir, "extra"), "");
  expect(await faults()).toEqual([
    "tables/parcels/state=AZ/parcels.parquet: is missing",
    "extra: is not in the manifest",
  ]);
});

test("rolls back to the previous build, and forward again by name", async () => {
  const [first, second] = await builds(2);
  expect(await rollback(shop.data)).toBe(first);
  expect(await currentBuildId(shop.data)).toBe(first);
  await publishBuild(shop.data, second!);
  expect(await currentBuildId(shop.data)).toBe(second);
});

test("refuses to publish a damaged build or anything that is not a build", async () => {
  const [first, second] = await builds(2);
  await rm(join(shop.data.builds, first!, "report.html"));
  await expect(rollback(shop.data)).rejects.toThrow("report.html: is missing");
  await expect(publishBuild(shop.data, "../../etc")).rejects.toThrow("is not a build id");
  expect(await currentBuildId(shop.data)).toBe(second);
});

test("rolls back from a build whose manifest is torn, to the one that was made last before it", async () => {
  // Ids of one day are in no order of time.
  const ids = await builds(4);
  await tear(ids[3]!);
  expect(await rollback(shop.data)).toBe(ids[2]);
  await publishBuild(shop.data, ids[2]!);
  await rm(join(shop.data.builds, ids[1]!), {recursive: true});
  expect(await rollback(shop.data)).toBe(ids[0]);
});

test("gc beside a kept build without a readable manifest removes builds alone, and names it", async () => {
  const ids = await builds(6);
  await tear(ids[0]!);
  await publishBuild(shop.data, ids[4]!);
  const lease = holdLease(shop.data);
  await lease.moveTo({build_id: ids[0]!});
  const plan = await collectGarbage(shop.data, Date.now() + 60 * 86_400_000);
  expect([plan.unreadable, plan.raw, plan.segments, plan.models]).toEqual([[ids[0]], [], [], []]);
  expect(plan.remove).toContain(ids[1]);
  await lease.release();
});

async function tear(buildId: string): Promise<void> {
  const path = join(shop.data.builds, buildId, "manifest.json");
  await chmod(path, 0o640);
  await truncate(path, 100);
}

test("gc keeps the last three, the young, the published and the leased builds, and removes the rest", async () => {
  const ids = await builds(6);
  await publishBuild(shop.data, ids[0]!);
  const lease = holdLease(shop.data);
  await lease.moveTo({build_id: ids[1]!});
  const later = Date.parse("2026-09-01T00:00:00Z");
  const plan = await planGc(shop.data, later);
  expect(plan.remove).toEqual([ids[2]]);
  expect(Object.fromEntries(plan.keep.map(({buildId, because}) => [buildId, because]))).toMatchObject({
    [ids[0]!]: "published",
    [ids[1]!]: "a server has it open",
    [ids[5]!]: "one of the last 3",
  });
  expect(await readdir(shop.data.builds)).toHaveLength(6);
  await lease.release();
  expect((await collectGarbage(shop.data, later)).remove).toEqual([ids[2], ids[1]]);
  expect((await readdir(shop.data.builds)).sort()).toEqual([ids[0]!, ...ids.slice(3)].sort());
  expect((await planGc(shop.data, Date.parse("2026-08-02T00:00:00Z"))).remove).toEqual([]);
});

test("gc sweeps the leases of dead servers, names one that cannot be read, and goes on", async () => {
  const ids = await builds(5);
  const lease = holdLease(shop.data);
  await lease.moveTo({build_id: ids[0]!});
  const gone = {...ownIdentity(), startTicks: "1"};
  const put = (name: string, value: unknown) =>
    writeFile(join(shop.data.run, `${name}.lease.json`), JSON.stringify(value));
  await put("1-dead", {build_id: ids[1], process: gone});
  await put("2-newer", {build_id: ids[1], process: ownIdentity(), more: 1});
  const plan = await collectGarbage(shop.data, Date.now() + 60 * 86_400_000);
  expect([plan.remove, plan.leases]).toEqual([[ids[1]], ["1-dead.lease.json"]]);
  expect(plan.unreadableLeases).toEqual([{name: "2-newer.lease.json", fault: "not of this version"}]);
  expect(await readdir(shop.data.run)).toEqual(expect.arrayContaining(["2-newer.lease.json"]));
  await lease.release();
});

test("makes published files read-only", async () => {
  const [id] = await builds(1);
  const {mode} = await stat(join(shop.data.builds, id!, "manifest.json"));
  expect(mode & 0o777).toBe(0o440);
});
