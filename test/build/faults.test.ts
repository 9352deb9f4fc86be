import {readdir} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {buildFaults} from "../../lib/build-files.ts";
import {currentBuildId, type DataFolder} from "../../lib/data-folder.ts";
import {messageOf} from "../../lib/errors.ts";
import {readManifest} from "../../lib/manifest.ts";
import {build, exitCode} from "../../pipeline/build/build.ts";
import {collectGarbage} from "../../pipeline/build/gc.ts";
import {note, sizeOf} from "../crash/table.ts";
import {withFault} from "./faults.ts";
import {makeWorkshop, parcels, type Workshop} from "./workshop.ts";

/** Every so-manieth call fails in a build of its own. */
const step = sizeOf("B2", {push: 9, long: 1});

/** What makes a build; what removes a failed one is done by the next process, when this one is gone. */
const makers = ["rename", "symlink", "link"] as const;

async function workshop(): Promise<Workshop> {
  const shop = await makeWorkshop();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 20));
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 20));
  await build(shop.options());
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 21));
  return shop;
}

async function expectWhole(data: DataFolder): Promise<void> {
  const buildId = await currentBuildId(data);
  const dir = join(data.builds, buildId!);
  expect(await buildFaults(dir, await readManifest(dir), {depth: "full"})).toEqual([]);
}

test("B2: whatever call of a build fails, current is a whole build, the fault is told, and a rerun publishes", async () => {
  for (let k = 1; ; k += step) {
    const shop = await workshop();
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
    await shop.remove();
    if (calls < k) {
      note("B2", `each of ${calls} calls of a build fails`, "current whole, the fault told, rerun published");
      break;
    }
  }
}, 600_000);

test("B2: a clean-up that fails half way harms no build that is kept, and the next one ends it", async () => {
  const shop = await workshop();
  for (const n of [21, 22, 23, 24]) {
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", n));
    await build(shop.options({now: () => new Date(Date.parse("2026-08-23T00:00:00Z") + n * 3_600_000)}));
  }
  const later = Date.parse("2026-12-01T00:00:00Z");
  for (const k of [1, 2, 3, 4]) {
    await withFault(k, ["rm", ...makers], () => collectGarbage(shop.data, later).catch(() => undefined));
    await expectWhole(shop.data);
  }
  await collectGarbage(shop.data, later);
  expect(await readdir(shop.data.builds)).toHaveLength(3);
  await shop.remove();
});
