import {mkdirSync, readdirSync, renameSync} from "node:fs";
import promises from "node:fs/promises";
import {syncBuiltinESMExports} from "node:module";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {ownIdentity} from "@open-cattle/safe-files";
import {afterEach, beforeEach, expect, test, vi} from "vitest";
import type {PlacedRecord} from "../../../lib/delta/overlay.ts";
import {DeltaWriter} from "../../../lib/delta/segment-writer.ts";
import {GrowingView} from "../../../server/delta/delta-view.ts";
import type {DeltaMetrics} from "../../../server/discoveries/delta-metrics.ts";
import {openDeltaStore} from "../../../server/discoveries/delta-store.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import {discoveryOf} from "../../delta/fake-county.ts";
import {silentLog} from "../../silent-log.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

let store: ReturnType<typeof openDeltaStore>;
let writer: DeltaWriter;
let placed: PlacedRecord[];
let clock: Date;
let folder: string;
let held: unknown;
beforeEach(() => {
  folder = join(temporaryFolder(), "delta");
  mkdirSync(folder);
  placed = [];
  const onPersisted = (each: PlacedRecord) => void placed.push(each);
  writer = new DeltaWriter({folder, writer: ownIdentity(), baseBuildId: "", onPersisted});
  const nothing = () => undefined;
  const metrics = {
    damaged: nothing,
    flushed: nothing,
    poisoned: nothing,
    appended: nothing,
    held: (each: unknown) => (held = each),
  };
  clock = new Date("2026-11-22T00:00:00Z");
  store = openDeltaStore({
    folder,
    log: silentLog,
    metrics: metrics as unknown as DeltaMetrics,
    now: () => clock,
    probeMs: 20,
  });
});
afterEach(async () => {
  await writer.close();
  await store.close();
});

/** Another process stores finds with these numbers. */
async function storeElsewhere(...ids: string[]): Promise<void> {
  for (const id of ids)
    await writer.append(
      discoveryOf({id, situs: "101 ELM ST", owner: "QUISTAD JUNE", lon: -97.7, lat: 30.3}).upsert,
    );
}

/** A build that has merged so many of the finds. */
const build = (merged: number) => {
  const last = placed[merged - 1];
  const delta = last === undefined ? [] : [{segment: last.segment, bytes: last.end}];
  return {
    buildId: "20261121-aaaaaa",
    builtAt: "2026-11-21T06:00:00Z",
    manifest: {states: {TX: {delta, sources: []}}, as_of_date: "2026-11-21"},
    states: new Map(),
  } as unknown as Generation;
};

async function serve(merged: number): Promise<Generation> {
  const generation = await store.prepare(build(merged));
  store.adopted(generation);
  return generation;
}

const shown = ({delta}: Generation) => {
  const [set] = delta!.sets("TX");
  const ids = ["1-1", "1-2", "1-3"];
  return ids.map((id) => set?.ids.find(id.replace("-", "")).map(({row}) => set.record(row).facts)[0] ?? null);
};

test("a build takes over the finds beside the one before, as they were made, and what was stored since", async () => {
  await storeElsewhere("1-1", "1-2");
  const before = shown(await serve(0));
  await storeElsewhere("1-3");
  const after = shown(await serve(0));
  expect(before.map((facts) => facts === null)).toEqual([false, false, true]);
  expect(after[0]).toBe(before[0]);
  expect(after[1]).toBe(before[1]);
  expect(after[2]).not.toBeNull();
});

test("a build does not take over what it has merged, and one that has merged less reads it again", async () => {
  await storeElsewhere("1-1", "1-2", "1-3");
  const position = (await serve(0)).delta!.position();
  expect(shown(await serve(2)).map((facts) => facts === null)).toEqual([true, true, false]);
  const back = await serve(0);
  expect(shown(back)).not.toContain(null);
  expect(back.delta!.position()).toBe(position);
});

test("the metrics count the parcels that the served build has not merged, and how long ago the oldest was found", async () => {
  await storeElsewhere("1-1");
  const pause = 40;
  await sleep(pause);
  await storeElsewhere("1-2", "1-3");
  await serve(0);
  expect(held).toMatchObject({records: 3, live: 1, retired: 0});
  expect((held as {oldestMs: number}).oldestMs).toBeGreaterThanOrEqual(pause - 1);
  await serve(2);
  expect(held).toMatchObject({records: 1});
  await serve(3);
  expect(held).toMatchObject({records: 0, oldestMs: 0});
});

test("a find that comes alone keeps no memory but its own bytes", async () => {
  await storeElsewhere("1-1");
  const [set] = (await serve(0)).delta!.sets("TX");
  const {facts, provenance} = set!.record(0);
  for (const bytes of [facts, provenance.json]) expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
});

test("a find that is stored while a build is prepared is beside it", async () => {
  await storeElsewhere("1-1");
  await serve(0);
  const [generation] = await Promise.all([
    store.prepare(build(0)),
    storeElsewhere("1-2"),
    store.refresh(),
    storeElsewhere("1-3"),
  ]);
  store.adopted(generation);
  await generation.delta!.catchUp();
  expect(shown(generation)).not.toContain(null);
});

test("catching up says whether another process has stored something since", async () => {
  await storeElsewhere("1-1");
  const {delta} = await serve(0);
  expect(await delta!.catchUp()).toBe(false);
  await storeElsewhere("1-2");
  expect([await delta!.catchUp(), await delta!.catchUp()]).toEqual([true, false]);
});

/** Other processes store one find each, beside the folder; returns their segments. */
async function segmentsOfOthers(...ids: string[]): Promise<string[]> {
  mkdirSync(`${folder}-others`);
  for (const id of ids) {
    const other = new DeltaWriter({folder: `${folder}-others`, writer: ownIdentity(), baseBuildId: ""});
    await other.append(
      discoveryOf({id, situs: "101 ELM ST", owner: "QUISTAD JUNE", lon: -97.7, lat: 30.3}).upsert,
    );
    await other.close();
  }
  return readdirSync(`${folder}-others`).sort();
}

/** Moves the segments of other processes into the folder. */
function show(segments: readonly string[]): void {
  for (const name of segments) renameSync(join(`${folder}-others`, name), join(folder, name));
}

/** Makes each opening of one segment fail, as where a process has too many files open; returns what ends that. */
function spoil(segment: string): () => void {
  const {open} = promises;
  const put = (to: typeof open) => {
    promises.open = to;
    syncBuiltinESMExports();
  };
  put(async (path, ...rest) => {
    if (String(path).endsWith(segment))
      throw Object.assign(new Error(`EMFILE: ${segment}`), {code: "EMFILE"});
    return open(path, ...rest);
  });
  return () => put(open);
}

test("a segment that cannot be read costs no record of another, and none of its own once it can", async () => {
  const generation = await serve(0);
  const segments = await segmentsOfOthers("1-1", "1-2", "1-3");
  const [first] = segments;
  const mend = spoil(first!);
  show(segments);
  await store.refresh();
  expect(shown(generation).filter((facts) => facts === null)).toHaveLength(1);
  expect(store.reasons()).toEqual([`delta_unreadable:${first}`]);
  mend();
  await store.refresh();
  expect(shown(generation)).not.toContain(null);
  expect(store.reasons()).toEqual([]);
});

test("a start with an unreadable segment shows the others, and a build after it all", async () => {
  const segments = await segmentsOfOthers("1-1", "1-2", "1-3");
  const mend = spoil(segments[1]!);
  show(segments);
  expect(shown(await serve(0)).filter((facts) => facts === null)).toHaveLength(1);
  mend();
  expect(shown(await serve(0))).not.toContain(null);
});

test("records that could not be shown are shown by the next poll", async () => {
  const generation = await serve(0);
  const segments = await segmentsOfOthers("1-1", "1-2", "1-3");
  const spy = vi.spyOn(GrowingView.prototype, "fold").mockRejectedValue(new Error("no memory"));
  show(segments);
  await store.refresh();
  expect([shown(generation), store.reasons()]).toEqual([[null, null, null], ["delta_not_shown"]]);
  spy.mockRestore();
  await store.refresh();
  expect(shown(generation)).not.toContain(null);
  expect(store.reasons()).toEqual([]);
});

test.each([
  ["2026-11-21T05:59:59Z", false],
  ["2026-11-21T06:00:00Z", true],
  ["2027-12-26T05:59:59Z", true],
  ["2027-12-27T06:00:00Z", false],
])("a find of the instant %s beside a build of 2026-11-21 is stored: %s", async (at, isStored) => {
  await serve(0);
  clock = new Date(at);
  const find = discoveryOf({id: "1-1", situs: "101 ELM ST", owner: "QUISTAD JUNE", lon: -97.7, lat: 30.3});
  expect(await store.append(find)).toMatchObject({persisted: isStored});
  expect(store.reasons()).toEqual(isStored ? [] : ["clock_wrong"]);
  clock = new Date("2026-11-22T00:00:00Z");
  expect([(await store.append(find)).persisted, store.reasons()]).toEqual([true, []]);
});

test("a folder that cannot be written any more is told without a find, and no longer when it can", async () => {
  await serve(0);
  expect(store.reasons()).toEqual([]);
  // An absent folder refuses every user, the superuser too.
  renameSync(folder, `${folder}-away`);
  await expect.poll(() => store.reasons()).toEqual(["delta_not_writable"]);
  renameSync(`${folder}-away`, folder);
  await expect.poll(() => store.reasons()).toEqual([]);
  await store.close();
  await expect.poll(() => readdirSync(folder).filter((name) => name.endsWith(".new"))).toEqual([]);
});
