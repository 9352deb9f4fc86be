import {cpSync, mkdirSync} from "node:fs";
import {readdir} from "node:fs/promises";
import {join} from "node:path";
import {ownIdentity} from "@open-cattle/safe-files";
import {afterAll, beforeAll, expect, test} from "vitest";
import {DeltaWriter} from "../../../lib/delta/segment-writer.ts";
import {messageOf} from "../../../lib/errors.ts";
import {currentBuildId, type DataFolder} from "../../../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../../../lib/storage/manifest-file.ts";
import {build, exitCode} from "../../../pipeline/publish/build.ts";
import {collectGarbage} from "../../../pipeline/publish/gc.ts";
import {note, sizeOf} from "../../crash/table.ts";
import {find} from "../../lib/delta/records.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {withBadRead, withFault} from "./faults.ts";
import {makeWorkshop, openWorkshop, parcels, type Workshop} from "./workshop.ts";

/** Every `step`-th call fails, each in its own build. */
const step = sizeOf("B2", {push: 3, long: 1});

/** Calls that create a build. Calls that remove a failed one do not count: the next process removes it if this one is gone. */
const makers = ["rename", "symlink", "link"] as const;
const later = Date.parse("2026-12-01T00:00:00Z");

/** A folder with a published build and new input, and one with builds and a merged segment that may be removed. */
let origin: Workshop;
let aged: Workshop;
beforeAll(async () => {
  origin = await makeWorkshop();
  await origin.put("parcels/us-az-one/a.csv", parcels("04013", 20));
  await origin.put("parcels/us-ut-one/a.csv", parcels("49011", 20));
  await build(origin.options());
  aged = copyOf(origin);
  await storeDiscovery(aged);
  for (const n of [21, 22, 23, 24]) {
    await aged.put("parcels/us-az-one/a.csv", parcels("04013", n));
    const now = () => new Date(Date.parse("2026-08-23T00:00:00Z") + n * 3_600_000);
    await build(aged.options({now}));
  }
  await origin.put("parcels/us-az-one/a.csv", parcels("04013", 21));
});
afterAll(() => origin.remove());

function copyOf({root: from}: Workshop): Workshop {
  const root = join(temporaryFolder(), "copy");
  cpSync(from, root, {recursive: true, verbatimSymlinks: true});
  return openWorkshop(root);
}

async function storeDiscovery({data}: Workshop): Promise<void> {
  mkdirSync(data.delta, {recursive: true});
  const delta = new DeltaWriter({folder: data.delta, writer: ownIdentity(), baseBuildId: ""});
  const upsert = find("NEW1") as Extract<ReturnType<typeof find>, {kind: "upsert"}>;
  const provenance = {...upsert.provenance, sourceId: "us-az-layer"};
  expect(await delta.append({...upsert, sourceId: "us-az-layer", provenance})).toBe(true);
  await delta.close();
}

async function expectWhole(data: DataFolder): Promise<void> {
  const buildId = await currentBuildId(data);
  const dir = join(data.builds, buildId!);
  expect(await buildFaults(dir, await readManifest(dir), {depth: "full"})).toEqual([]);
}

async function rowsOfArizona(data: DataFolder): Promise<unknown> {
  const dir = join(data.builds, (await currentBuildId(data))!);
  return (await readManifest(dir)).states["AZ"]?.rows;
}

test("B2: whatever call of a build fails, current stays a complete build, the fault is reported, and a rerun publishes", async () => {
  for (let k = 1; ; k += step) {
    const shop = copyOf(origin);
    let told = "";
    const {calls, failed} = await withFault(k, makers, async () => {
      try {
        const result = await build(shop.options());
        told = exitCode(result) === 0 ? "" : result.heldBack.map(({because}) => because).join();
      } catch (error) {
        told = messageOf(error);
      }
    });
    await expectWhole(shop.data);
    if (failed !== null) {
      expect([k, told]).toEqual([k, expect.stringMatching(/EIO/)]);
      expect(told).toContain(failed === "" ? "fsync" : shop.root);
      await build(shop.options());
    }
    await expectWhole(shop.data);
    expect((await readdir(shop.data.builds)).filter((name) => name.startsWith(".tmp"))).toEqual([]);
    if (calls < k) {
      const each = step === 1 ? "each" : `each ${step}th`;
      note(
        "B2",
        `${each} of ${calls} calls of a build fails`,
        "current whole, the fault told, rerun published",
      );
      break;
    }
  }
}, 600_000);

test("B2: whatever read of a build fails, current stays a complete build, the fault is named, and a rerun publishes every row", async () => {
  let named = 0;
  for (let k = 1; ; k += step) {
    const shop = copyOf(origin);
    let told = "";
    const reads = await withBadRead(k, async () => {
      try {
        const {heldBack, report} = await build(shop.options());
        const reports = [...Object.values(report.parts).flat(), ...report.left_out];
        told = [...heldBack.map(({because}) => because), ...reports.map(({reason}) => reason)].join();
      } catch (error) {
        told = messageOf(error);
      }
    });
    await expectWhole(shop.data);
    if (reads >= k) {
      // A read that a build can do without fails silently and harms nothing.
      if (!told.includes("EIO")) expect([k, await rowsOfArizona(shop.data)]).toEqual([k, 21]);
      if (told.includes("cannot be read (EIO)")) named += 1;
      await build(shop.options());
    }
    expect([k, await rowsOfArizona(shop.data)]).toEqual([k, 21]);
    await expectWhole(shop.data);
    if (reads >= k) continue;
    const each = step === 1 ? "each" : `each ${step}th`;
    note(
      "B2",
      `${each} of ${reads} reads of a build fails`,
      `${named} times a raw file left out by name; current whole, rerun published`,
    );
    break;
  }
}, 600_000);

test("B2: whatever call of a clean-up fails, no kept build is harmed, and the next clean-up completes it", async () => {
  for (let k = 1; ; k++) {
    const {data} = copyOf(aged);
    let told = "";
    const {calls, failed} = await withFault(k, ["rm", ...makers], () =>
      collectGarbage(data, later).catch((error: unknown) => {
        told = messageOf(error);
      }),
    );
    await expectWhole(data);
    if (failed !== null) expect([k, told]).toEqual([k, expect.stringMatching(/EIO/)]);
    await collectGarbage(data, later);
    expect(await readdir(data.builds)).toHaveLength(3);
    expect(await readdir(join(data.delta, "retired"))).toEqual([]);
    await expectWhole(data);
    if (calls >= k) continue;
    note("B2", `each of ${calls} calls of a clean-up fails`, "kept builds whole, the next one ends it");
    break;
  }
});
