import {existsSync} from "node:fs";
import {appendFile, mkdir, readdir, readFile, rm, utimes, writeFile} from "node:fs/promises";
import {dirname, join} from "node:path";
import {ownIdentity} from "@open-cattle/safe-files";
import {afterEach, beforeEach, expect, test} from "vitest";
import {carriedPath} from "../../../lib/storage/build-layout.ts";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {readManifest} from "../../../lib/storage/manifest-file.ts";
import type {BuildOptions} from "../../../pipeline/parts/options.ts";
import {assemble} from "../../../pipeline/publish/assemble.ts";
import {build, exitCode} from "../../../pipeline/publish/build.ts";
import {buildPart} from "../../../pipeline/publish/build-part.ts";
import {collectGarbage} from "../../../pipeline/publish/gc.ts";
import {publishBuild, rollback} from "../../../pipeline/publish/publish.ts";
import type {NewDeltaRecord} from "../../../schemas/delta-record.ts";
import {verifyBuild} from "../../../server/generation/verify-build.ts";
import {find, holds, storeIn} from "./finds.ts";
import {makeWorkshop, parcels, type Workshop} from "./workshop.ts";

let shop: Workshop;
beforeEach(async () => {
  shop = await makeWorkshop();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 60));
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 50));
});
afterEach(() => shop.remove());

const run = (changes: Partial<BuildOptions> = {}) => build(shop.options(changes));
const manifestOf = (buildId: string) => readManifest(join(shop.data.builds, buildId));
const live = async () => (await readdir(shop.data.delta)).filter((name) => name.endsWith(".ndjson"));
const retired = () => readdir(join(shop.data.delta, "retired")).catch(() => []);

const store = (...[finds, how]: [readonly NewDeltaRecord[], Parameters<typeof storeIn>[2]?]) =>
  storeIn(shop.data.delta, finds, how);
const has = (buildId: string, state: string, parcelId: string) => holds(shop.data, buildId, state, parcelId);

test("a build contains the discoveries, sets the watermark, and retires the segment; sources name the layer", async () => {
  const first = await run();
  await store([find("AZ", "04013", "NEW1")]);
  const second = await run();
  expect(await has(first.buildId, "AZ", "NEW1")).toBe(false);
  expect(await has(second.buildId, "AZ", "NEW1")).toBe(true);
  const {states, sources} = await manifestOf(second.buildId);
  expect([states["AZ"]?.status, states["UT"]?.status]).toEqual(["built", "reused"]);
  expect(states["UT"]?.delta).toEqual(states["AZ"]?.delta);
  expect(sources.find(({id}) => id === "us-az-layer")).toMatchObject({licence: "CC0-1.0", parts: ["AZ"]});
  expect([await live(), (await retired()).length]).toEqual([[], 1]);
});

test("rejects and counts a discovery from the future, and keeps an earlier one of its parcel as newest", async () => {
  const ahead = find("AZ", "04013", "NEW1", "AHEAD") as Extract<NewDeltaRecord, {kind: "upsert"}>;
  const late = {...ahead, provenance: {...ahead.provenance, retrievedAt: "2041-01-01T00:00:00.000Z"}};
  await store([find("AZ", "04013", "NEW1"), late, {...late, key: {...late.key, parcelId: "NEW2"}}]);
  const {buildId, delta} = await run();
  expect(delta[0]).toMatchObject({rowsIn: 3, accepted: 1, rejected: 2, fromTheFuture: 2, merged: 0});
  expect([await has(buildId, "AZ", "NEW1"), await has(buildId, "AZ", "NEW2")]).toEqual([true, false]);
});

test("keeps a discovered parcel in every later build, even if the segment is gone", async () => {
  await store([find("AZ", "04013", "NEW1")]);
  await run();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
  await rm(join(shop.data.delta, "retired"), {recursive: true});
  const second = await run();
  expect(await has(second.buildId, "AZ", "NEW1")).toBe(true);
});

test("keeps discoveries even if current was removed before the next build", async () => {
  await store([find("AZ", "04013", "NEW1")]);
  await run();
  await rm(join(shop.data.delta, "retired"), {recursive: true});
  await rm(shop.data.current);
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
  const {buildId} = await run();
  expect(await has(buildId, "AZ", "NEW1")).toBe(true);
});

test("a state that is held back keeps its old watermark, and the segment stays live until it is built", async () => {
  await run();
  await store([find("AZ", "04013", "NEW1"), find("UT", "49011", "NEW2")]);
  await shop.put("parcels/us-az-one/b.csv", "!fail\n");
  const held = await run();
  const {states} = await manifestOf(held.buildId);
  expect([states["AZ"]?.status, states["AZ"]?.delta, states["UT"]?.delta.length]).toEqual([
    "held_back",
    [],
    1,
  ]);
  expect(await live()).toHaveLength(1);
  await shop.drop("parcels/us-az-one/b.csv");
  const cured = await run();
  expect([await has(cured.buildId, "AZ", "NEW1"), await has(cured.buildId, "UT", "NEW2")]).toEqual([
    true,
    true,
  ]);
  expect(await live()).toEqual([]);
});

test.each(["cut", "gone"])(
  "carried discoveries that are %s hold back their state alone; restored, they are in the next build",
  async (how) => {
    await store([find("AZ", "04013", "NEW1"), find("UT", "49011", "NEW2")]);
    const first = await run();
    const carried = (buildId: string) => join(shop.data.builds, buildId, carriedPath("AZ"));
    const sound = await readFile(carried(first.buildId));
    await rm(carried(first.buildId));
    if (how === "cut") await writeFile(carried(first.buildId), sound.subarray(9));
    await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 51));
    const held = await run({only: ["UT"]});
    expect(held.heldBack.map(({part}) => part)).toEqual(["AZ"]);
    expect(held.heldBack[0]?.because).toContain(carried(first.buildId));
    expect((await manifestOf(held.buildId)).states["UT"]?.status).toBe("built");
    expect(await has(held.buildId, "AZ", "NEW1")).toBe(true);
    const served = await verifyBuild(join(shop.data.builds, held.buildId), {depth: "full"});
    expect(served).toEqual([]);
    // An operator may go back to it, too.
    await publishBuild(shop.data, held.buildId);
    await mkdir(dirname(carried(held.buildId)), {recursive: true});
    await rm(carried(held.buildId), {force: true});
    await writeFile(carried(held.buildId), sound);
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
    const cured = await run();
    expect([cured.heldBack, await has(cured.buildId, "AZ", "NEW1")]).toEqual([[], true]);
  },
);

test("B8: rolling back and forward loses no discovered parcel, because its segment is kept", async () => {
  const first = await run();
  await store([find("AZ", "04013", "NEW1")]);
  const second = await run();
  await rollback(shop.data, first.buildId);
  expect(await has(first.buildId, "AZ", "NEW1")).toBe(false);
  expect(await retired()).toHaveLength(1);
  const marks = (await manifestOf(first.buildId)).states["AZ"]?.delta;
  expect(marks).toEqual([]);
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
  const third = await run();
  expect([third.buildId === second.buildId, await has(third.buildId, "AZ", "NEW1")]).toEqual([false, true]);
});

test("builds a partial state from discoveries alone", async () => {
  await store([find("NV", "32003", "NEW1")]);
  const {buildId} = await run();
  const part = (await manifestOf(buildId)).states["NV"];
  expect(part).toMatchObject({status: "built", rows: 1, coverage: "partial", country: "US"});
  const later = await run({asOf: "2026-08-24"});
  expect((await manifestOf(later.buildId)).states["NV"]).toMatchObject({rows: 1});
});

test("stops the state for damage in a consumed segment until it is accepted, once", async () => {
  await run();
  await store([find("AZ", "04013", "NEW1"), find("AZ", "04013", "NEW2"), find("AZ", "04013", "NEW3")]);
  const [name] = await live();
  const path = join(shop.data.delta, name!);
  await writeFile(path, (await readFile(path, "utf8")).replace('"parcelId":"NEW2"', '"parcelId":"NEWX"'));
  const held = await run();
  expect(held.heldBack[0]?.because).toMatch(/AZ delta-damage: 1/);
  const accepted = await run({acceptances: [{part: "AZ", gate: "delta-damage", reason: "a bad sector"}]});
  expect(await has(accepted.buildId, "AZ", "NEW3")).toBe(true);
  const next = await run({asOf: "2026-08-24"});
  expect([next.heldBack, await has(next.buildId, "AZ", "NEW1")]).toEqual([[], true]);
});

test("leaves a damaged segment without a sound record alone until its damage is accepted, once", async () => {
  await run();
  await store([find("AZ", "04013", "NEW1")]);
  const [name] = await live();
  const path = join(shop.data.delta, name!);
  await writeFile(path, (await readFile(path, "utf8")).replace('"parcelId":"NEW1"', '"parcelId":"NEWX"'));
  for (const asOf of ["2026-08-23", "2026-08-24", "2026-08-25", "2026-08-26"]) {
    const left = await run({asOf, now: () => new Date(`${asOf}T05:00:00Z`)});
    expect(left.heldBack).toEqual([
      {part: "BUILD", because: expect.stringContaining(`BUILD delta-damage: 1 (fails above 0): ${name}: 1`)},
    ]);
    expect([exitCode(left), (await manifestOf(left.buildId)).states["AZ"]?.status]).toEqual([3, "reused"]);
  }
  await collectGarbage(shop.data, Date.parse("2026-09-26T00:00:00Z"));
  expect([await live(), await retired()]).toEqual([[name], []]);
  const acceptances = [{part: "BUILD", gate: "delta-damage", reason: "a bad sector"}];
  const accepted = await run({asOf: "2026-08-26", acceptances});
  expect([accepted.heldBack, exitCode(accepted), await retired()]).toEqual([[], 0, [name]]);
  expect((await run({asOf: "2026-08-27"})).heldBack).toEqual([]);
});

test("closes the torn segment of a dead server, and reads that of a live one without touching it", async () => {
  await run();
  await store([find("AZ", "04013", "NEW1")], {writer: {...ownIdentity(), startTicks: "0"}, end: false});
  const [torn] = await live();
  await appendFile(join(shop.data.delta, torn!), '{"crc":"0000');
  await store([find("AZ", "04013", "NEW2")], {end: false});
  const {buildId} = await run();
  expect([await has(buildId, "AZ", "NEW1"), await has(buildId, "AZ", "NEW2")]).toEqual([true, true]);
  expect(await retired()).toEqual([torn]);
  expect(existsSync(join(shop.data.delta, "quarantine", torn!))).toBe(true);
  expect(await live()).toHaveLength(1);
});

test("removes a segment that was never started in a build of a later day, keeping a copy", async () => {
  await store([find("AZ", "04013", "NEW1")], {end: false});
  const names = ["20260820T000000Z-1-00000000.ndjson", "20260820T000000Z-1-11111111.ndjson"];
  for (const [i, name] of names.entries()) {
    await writeFile(join(shop.data.delta, name), ["", "\0".repeat(40)][i]!);
    await utimes(join(shop.data.delta, name), new Date(), new Date(Date.now() - 25 * 3_600_000));
  }
  await writeFile(join(shop.data.delta, "20260820T000000Z-1-22222222.ndjson"), "");
  const {buildId} = await run();
  expect([(await live()).length, await has(buildId, "AZ", "NEW1")]).toEqual([2, true]);
  expect(await readdir(join(shop.data.delta, "quarantine"))).toEqual([names[1]]);
});

test("carries the delta from a part into the assembled build, and refuses a part made without it", async () => {
  await run();
  await store([find("AZ", "04013", "NEW1")]);
  const [whole, bare] = [join(shop.root, "whole"), join(shop.root, "bare")];
  const elsewhere = dataFolder(join(shop.root, "elsewhere"));
  await buildPart("AZ", whole, shop.options());
  await buildPart("AZ", bare, shop.options({data: elsewhere}));
  const {buildId} = await assemble([whole], shop.options());
  expect(await has(buildId, "AZ", "NEW1")).toBe(true);
  await expect(assemble([bare], shop.options())).rejects.toThrow(/made without parcels that .* holds/);
});

test("carries the published build's discoveries forward in a part, even after gc removed the segment", async () => {
  await run();
  await store([find("AZ", "04013", "NEW1")]);
  await run();
  await rm(join(shop.data.delta, "retired"), {recursive: true});
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
  const dir = join(shop.root, "later");
  await buildPart("AZ", dir, shop.options());
  const {buildId} = await assemble([dir], shop.options());
  expect(await has(buildId, "AZ", "NEW1")).toBe(true);
});

test("gives a rebuilt part the new watermarks even without further discoveries in its state", async () => {
  const dir = join(shop.root, "again");
  await run();
  await store([find("AZ", "04013", "NEW1")]);
  await buildPart("AZ", dir, shop.options());
  await store([find("UT", "49011", "NEW2")]);
  await buildPart("AZ", dir, shop.options());
  const {buildId} = await assemble([dir], shop.options());
  const segments = (await manifestOf(buildId)).states["AZ"]?.delta.map(({segment}) => segment);
  expect(segments).toEqual((await live()).sort());
});

test("a sample is never built beside real parcels that were found", async () => {
  await store([find("AZ", "04013", "NEW1")]);
  for (const [path, text] of [
    ["parcels/us-az-one/a.csv", parcels("04013", 60)],
    ["parcels/us-ut-one/a.csv", parcels("49011", 50)],
  ] as const) {
    await shop.put(path, text, {retrieved_at: "2026-08-20T00:00:00Z", sample: true});
  }
  await expect(run()).rejects.toThrow("delta holds real parcels, the input is sample: use another --out.");
});

test("gc removes a retired segment once every kept build contains it", async () => {
  const old = Date.parse("2026-12-01T00:00:00Z");
  await run();
  await store([find("AZ", "04013", "NEW1")]);
  await run({now: () => new Date("2026-08-23T07:00:00Z")});
  expect((await collectGarbage(shop.data, old)).segments).toEqual([]);
  for (const n of [61, 62, 63]) {
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", n));
    await run({now: () => new Date(Date.parse("2026-08-23T00:00:00Z") + n * 3_600_000)});
  }
  const plan = await collectGarbage(shop.data, old);
  expect([plan.segments.length, await retired()]).toEqual([1, []]);
});
