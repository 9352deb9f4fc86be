import {spawnSync} from "node:child_process";
import {readdir} from "node:fs/promises";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {buildFaults} from "../../lib/build-files.ts";
import {currentBuildId} from "../../lib/data-folder.ts";
import {readManifest} from "../../lib/manifest.ts";
import {build} from "../../pipeline/build/build.ts";
import {type Failpoint, failpoints} from "../../pipeline/build/failpoint.ts";
import {long, note} from "../crash/table.ts";
import {makeWorkshop, parcels, type Workshop} from "./workshop.ts";

/** Every place in the long runs (`make crash`), else those at which the state on disk changes its nature. */
const places: readonly Failpoint[] = long
  ? failpoints
  : ["part-staged", "after-manifest", "after-rename", "before-swap", "after-swap"];

let shop: Workshop;
beforeEach(async () => {
  shop = await makeWorkshop();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 20));
  await shop.put("market/mars/a.csv", "mars,2026-08-20,250\n");
});
afterEach(() => shop.remove());

test.each(places)(
  "B1: killed at %s, the old or the new build is whole, and a rerun publishes the new one",
  async (place) => {
    const old = await build(shop.options());
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", 21));
    const child = new URL("build-child.ts", import.meta.url).pathname;
    const killed = spawnSync(process.execPath, [child, shop.root], {env: {...process.env, FAILPOINT: place}});
    expect(killed.signal).toBe("SIGKILL");
    const served = await currentBuildId(shop.data);
    await expectWhole(served!);
    expect(served === old.buildId).toBe(place !== "after-swap");

    const rerun = await build(shop.options());
    expect(await currentBuildId(shop.data)).toBe(rerun.buildId);
    expect(rerun.buildId).not.toBe(old.buildId);
    await expectWhole(rerun.buildId);
    expect((await readdir(shop.data.builds)).sort()).toEqual([old.buildId, rerun.buildId].sort());
    note("B1", `a build killed at ${place}`, "current whole, rerun published, staging swept");
  },
);

async function expectWhole(buildId: string): Promise<void> {
  const dir = join(shop.data.builds, buildId);
  expect(await buildFaults(dir, await readManifest(dir), {depth: "full"})).toEqual([]);
}
