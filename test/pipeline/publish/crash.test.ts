import {spawnSync} from "node:child_process";
import {cpSync} from "node:fs";
import {readdir} from "node:fs/promises";
import {join} from "node:path";
import {filesBelow} from "@open-cattle/safe-files";
import {afterAll, beforeAll, beforeEach, expect, test} from "vitest";
import {buildFolder, currentBuildId} from "../../../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../../../lib/storage/manifest-file.ts";
import {type Failpoint, failpoints} from "../../../pipeline/parts/durable.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {sha256OfFile} from "../../../pipeline/raw/file-digest.ts";
import {chosenSeed, seeded} from "../../crash/misses.ts";
import {long, note, sizeOf} from "../../crash/table.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {makeWorkshop, openWorkshop, parcels, type Workshop} from "./workshop.ts";

/** Every failpoint in long runs (`make crash`), else those at which the state on disk changes in kind. */
const places: readonly Failpoint[] = long
  ? failpoints
  : ["probed", "part-staged", "after-manifest", "after-rename", "before-swap", "after-swap"];
const kills = sizeOf("B1", {push: 0, long: 300});

/** A folder with a published build and new input, and the result of an uninterrupted build. */
let origin: Workshop;
let old: string;
let made: string;
let bytes: ReadonlyMap<string, string>;
let shop: Workshop;
beforeAll(async () => {
  origin = await makeWorkshop();
  await origin.put("parcels/us-az-one/a.csv", parcels("04013", 20));
  await origin.put("market/mars/a.csv", "mars,2026-08-20,250\n");
  old = (await build(origin.options())).buildId;
  await origin.put("parcels/us-az-one/a.csv", parcels("04013", 21));
  const undisturbed = copyOfOrigin();
  made = (await build(undisturbed.options())).buildId;
  bytes = await digests(undisturbed, made);
});
afterAll(() => origin.remove());
beforeEach(() => {
  shop = copyOfOrigin();
});

function copyOfOrigin(): Workshop {
  const root = join(temporaryFolder(), "copy");
  cpSync(origin.root, root, {recursive: true, verbatimSymlinks: true});
  return openWorkshop(root);
}

async function digests({data}: Workshop, buildId: string): Promise<ReadonlyMap<string, string>> {
  const dir = buildFolder(data, buildId);
  const paths = await filesBelow(dir);
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await sha256OfFile(join(dir, path))] as const)),
  );
}

/** Starts a build in its own process and has it killed; returns the signal that ended it. */
function killedBuild(how: {failpoint: Failpoint} | {afterMs: number}): NodeJS.Signals | null {
  const child = new URL("build-child.ts", import.meta.url).pathname;
  const env = {...process.env, ...("failpoint" in how ? {FAILPOINT: how.failpoint} : {})};
  const timeout =
    "afterMs" in how ? {timeout: Math.max(1, Math.round(how.afterMs)), killSignal: "SIGKILL" as const} : {};
  return spawnSync(process.execPath, [child, shop.root], {env, ...timeout}).signal;
}

/** Milliseconds of an uninterrupted build, on its own copy. */
function undisturbedMs(): number {
  shop = copyOfOrigin();
  const started = performance.now();
  expect(killedBuild({afterMs: 60_000})).toBeNull();
  return performance.now() - started;
}

/**
 * Expects the old or the new build to be served completely; a rerun then publishes a byte-identical new one and leaves nothing
 * else.
 */
async function expectRecovery(): Promise<string> {
  const served = (await currentBuildId(shop.data))!;
  expect([old, made]).toContain(served);
  await expectWhole(served);
  await build(shop.options());
  expect(await currentBuildId(shop.data)).toBe(made);
  expect(await digests(shop, made)).toEqual(bytes);
  await expectWhole(old);
  expect((await readdir(shop.data.builds)).sort()).toEqual([old, made].sort());
  return served;
}

async function expectWhole(buildId: string): Promise<void> {
  const dir = join(shop.data.builds, buildId);
  expect(await buildFaults(dir, await readManifest(dir), {depth: "full"})).toEqual([]);
}

test.each(places)(
  "B1: killed at %s, the old or the new build is whole, and a rerun makes the same bytes",
  async (place) => {
    expect(killedBuild({failpoint: place})).toBe("SIGKILL");
    expect((await expectRecovery()) === old).toBe(place !== "after-swap");
    note("B1", `a build killed at ${place}`, "current whole, rerun byte-identical, staging swept");
  },
);

test.runIf(kills > 0)(
  `B1: killed ${kills} times at random, the old or the new build is whole, and a rerun makes the same bytes`,
  async () => {
    const seed = chosenSeed();
    const random = seeded(seed);
    // The fastest of three, because a kill after the end of a build tests nothing.
    const wholeMs = Math.min(...Array.from({length: 3}, undisturbedMs));
    const counts = {killed: 0, old: 0};
    for (let round = 0; round < kills; round++) {
      shop = copyOfOrigin();
      if (killedBuild({afterMs: wholeMs * (0.2 + 0.85 * random())}) === "SIGKILL") counts.killed += 1;
      if ((await expectRecovery()) === old) counts.old += 1;
    }
    const found = `${counts.killed} before their end, the old build served after ${counts.old}; reruns byte-identical, staging swept`;
    note("B1", `${kills} builds killed at random`, found, seed);
    expect(counts.killed).toBeGreaterThan(kills / 3);
  },
  kills * 10_000 + 60_000,
);
