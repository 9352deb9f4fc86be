import {appendFileSync, cpSync, rmSync, statfsSync} from "node:fs";
import {readdir} from "node:fs/promises";
import {join} from "node:path";
import {expect, test} from "vitest";
import {messageOf} from "../../../lib/errors.ts";
import {currentBuildId} from "../../../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../../../lib/storage/manifest-file.ts";
import {bytesNeeded} from "../../../pipeline/parts/preflight.ts";
import {build, exitCode} from "../../../pipeline/publish/build.ts";
import {cannotMount, mountMemory, mountNewImage, unmountMapped} from "../../crash/mounts.ts";
import {long, note, sizeOf} from "../../crash/table.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {makeWorkshop, openWorkshop, parcels, testStages, type Workshop} from "./workshop.ts";

const wanted = sizeOf("B3", {push: 0, long: 1}) > 0;
const reason = cannotMount();
if (reason !== null && long) throw new Error(`B3 ${reason}`);

const disks = [
  {kind: "tmpfs", mount: (folder: string) => mountMemory(folder, 96)},
  {kind: "ext4", mount: (folder: string) => mountNewImage(`${folder}.img`, folder, 128)},
];
const percents = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

const freeOf = (folder: string): number => {
  const {bavail, bsize} = statfsSync(folder);
  return bavail * bsize;
};

/** Fills the disk of a folder up to so many free bytes; returns a function that frees them again. */
function fillUpTo(folder: string, leave: number): () => void {
  const filler = join(folder, "filler");
  for (let more = freeOf(folder) - leave; more >= 4096; more = freeOf(folder) - leave) {
    appendFileSync(filler, Buffer.alloc(Math.min(more, 2 ** 20), 1));
  }
  return () => rmSync(filler, {force: true});
}

/** A published build, and input for a larger one. */
async function madeOrigin(): Promise<Workshop> {
  const origin = await makeWorkshop();
  await origin.put("parcels/us-az-one/a.csv", parcels("04013", 400));
  await origin.put("market/mars/a.csv", "mars,2026-08-20,250\n");
  await build(origin.options());
  await origin.put("parcels/us-az-one/a.csv", parcels("04013", 401));
  return origin;
}

/** The workshop with its data on a separate disk. */
function onDisk(origin: Workshop, mount: (folder: string) => void): Workshop {
  const root = join(temporaryFolder(), "copy");
  cpSync(origin.raw, join(root, "raw"), {recursive: true});
  mount(join(root, "data"));
  cpSync(origin.data.root, join(root, "data"), {recursive: true, verbatimSymlinks: true});
  return openWorkshop(root);
}

async function expectWhole({data}: Workshop): Promise<string> {
  const buildId = (await currentBuildId(data))!;
  const dir = join(data.builds, buildId);
  expect(await buildFaults(dir, await readManifest(dir), {depth: "full"})).toEqual([]);
  return buildId;
}

/** Runs a build whose disk fills up when the first stage begins, after the preflight; returns its output. */
async function buildWhile(shop: Workshop, leave: number): Promise<{told: string; free: () => void}> {
  let free: (() => void) | null = null;
  const fill = () => {
    free ??= fillUpTo(shop.data.root, leave);
  };
  const stages: typeof testStages = {
    ...testStages,
    buildMarket: (input) => {
      fill();
      return testStages.buildMarket(input);
    },
    buildState: (input) => {
      fill();
      return testStages.buildState(input);
    },
  };
  try {
    const result = await build(shop.options({stages}));
    const told = exitCode(result) === 0 ? "" : result.heldBack.map(({because}) => because).join();
    return {told, free: free!};
  } catch (error) {
    return {told: messageOf(error), free: free!};
  }
}

test.runIf(wanted && reason === null).each(disks)(
  "B3: keeps serving the old build on a disk ($kind) that fills up in mid-build, and publishes in a rerun with room",
  async ({kind, mount}) => {
    const origin = await madeOrigin();
    const measured = onDisk(origin, mount);
    const before = freeOf(measured.data.root);
    await build(measured.options());
    const need = before - freeOf(measured.data.root);
    unmountMapped(measured.data.root);
    let stopped = 0;
    for (const percent of percents) {
      const shop = onDisk(origin, mount);
      try {
        const {told, free} = await buildWhile(shop, (need * percent) / 100);
        await expectWhole(shop);
        if (told !== "") stopped += 1;
        if (told !== "") expect(told).toMatch(/ENOSPC|No space left|space/i);
        expect([percent, told !== "" || percent > 50]).toEqual([percent, true]);
        free();
        await build(shop.options({noReuse: told !== ""}));
        const after = await expectWhole(shop);
        expect((await readManifest(join(shop.data.builds, after))).states["AZ"]).toMatchObject({
          rows: 401,
          status: "built",
        });
        expect((await readdir(shop.data.builds)).filter((name) => name.startsWith("."))).toEqual([]);
      } finally {
        unmountMapped(shop.data.root);
      }
    }
    await origin.remove();
    note(
      "B3",
      `${kind} full at 10 to 100 % of the ${Math.round(need / 1024)} KiB that a build takes`,
      `${stopped} of ${percents.length} builds stopped, an old or new one served whole, staging swept`,
    );
  },
  600_000,
);

test.runIf(wanted && reason === null)(
  "B3: the preflight refuses before anything is written if too little space is free",
  async () => {
    const origin = await madeOrigin();
    const mib = bytesNeeded([]) / 2 ** 20;
    const old = (await currentBuildId(origin.data))!;
    for (const percent of percents) {
      const shop = onDisk(origin, (folder) => mountMemory(folder, Math.floor((mib * percent) / 100)));
      try {
        await expect(build(shop.options())).rejects.toThrow(/\d+ MiB free, this build may need \d+ MiB/);
        expect([await expectWhole(shop), await readdir(shop.data.builds)]).toEqual([old, [old]]);
      } finally {
        unmountMapped(shop.data.root);
      }
    }
    await origin.remove();
    note(
      "B3",
      `${mib} MiB wanted, 10 to 100 % of it there`,
      "refused before the first write, the old build served",
    );
  },
);
