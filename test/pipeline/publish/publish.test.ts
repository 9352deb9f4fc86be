import {chmod, mkdir, readdir, readFile, rm, stat, writeFile} from "node:fs/promises";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {holdLease} from "../../../lib/process/leases.ts";
import {ownIdentity} from "../../../lib/process/process-identity.ts";
import {buildFaults} from "../../../lib/storage/build-files.ts";
import {currentBuildId} from "../../../lib/storage/data-folder.ts";
import {readManifest} from "../../../lib/storage/manifest.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {collectGarbage, planGc} from "../../../pipeline/publish/gc.ts";
import {lockBuild} from "../../../pipeline/publish/lock.ts";
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
    `tables/parcels/state=AZ/parcels.parquet: ${whole.length - 1} bytes, the manifest says ${whole.length}`,
  ]);
  await rm(path);
  await writeFile(join(dir, "extra"), "");
  expect(await faults()).toEqual([
    "tables/parcels/state=AZ/parcels.parquet: is missing",
    "extra: is not in the manifest",
  ]);
});

test("rolls back to the build before, and forward again by name", async () => {
  const [first, second] = await builds(2);
  expect(await rollback(shop.data)).toBe(first);
  expect(await currentBuildId(shop.data)).toBe(first);
  await publishBuild(shop.data, second!);
  expect(await currentBuildId(shop.data)).toBe(second);
});

test("publishes no damaged build and nothing that is no build", async () => {
  const [first, second] = await builds(2);
  await rm(join(shop.data.builds, first!, "report.html"));
  await expect(rollback(shop.data)).rejects.toThrow("report.html: is missing");
  await expect(publishBuild(shop.data, "../../etc")).rejects.toThrow("is no build id");
  expect(await currentBuildId(shop.data)).toBe(second);
});

test("B4: a second build names the one that runs", async () => {
  const release = await lockBuild(shop.data);
  await expect(lockBuild(shop.data)).rejects.toThrow(
    `held by process ${process.pid} on ${ownIdentity().host}`,
  );
  await release();
  await (await lockBuild(shop.data))();
});

test("B4: takes over the lock of a process that is proven dead, and of no other", async () => {
  await mkdir(shop.data.run, {recursive: true});
  const lock = join(shop.data.run, "build.lock");
  const own = ownIdentity();
  const write = (change: object) => writeFile(lock, JSON.stringify({...own, ...change}));
  await write({host: "another-machine", pid: 1});
  await expect(lockBuild(shop.data)).rejects.toThrow("held by process 1 on another-machine");
  await write({pidNamespace: "pid:[1]"});
  await expect(lockBuild(shop.data)).rejects.toThrow("held by process");
  for (const dead of [{bootId: "before-the-restart"}, {startTicks: "1"}]) {
    await write(dead);
    await (await lockBuild(shop.data))();
  }
  await writeFile(lock, "not json");
  await expect(lockBuild(shop.data)).rejects.toThrow("its owner cannot be read");
});

test("gc keeps the last three, the young, the published and the leased builds, and removes the rest", async () => {
  const ids = await builds(6);
  await publishBuild(shop.data, ids[0]!);
  const lease = holdLease(shop.data);
  lease.moveTo(ids[1]!);
  const later = Date.parse("2026-09-01T00:00:00Z");
  const plan = await planGc(shop.data, later);
  expect(plan.remove).toEqual([ids[2]]);
  expect(Object.fromEntries(plan.keep.map(({buildId, because}) => [buildId, because]))).toMatchObject({
    [ids[0]!]: "published",
    [ids[1]!]: "a server has it open",
    [ids[5]!]: "one of the last 3",
  });
  expect(await readdir(shop.data.builds)).toHaveLength(6);
  lease.release();
  expect((await collectGarbage(shop.data, later)).remove).toEqual([ids[2], ids[1]]);
  expect((await readdir(shop.data.builds)).sort()).toEqual([ids[0]!, ...ids.slice(3)].sort());
  expect((await planGc(shop.data, Date.parse("2026-08-02T00:00:00Z"))).remove).toEqual([]);
});

test("a published file cannot be written to by its mode", async () => {
  const [id] = await builds(1);
  const {mode} = await stat(join(shop.data.builds, id!, "manifest.json"));
  expect(mode & 0o777).toBe(0o440);
});
