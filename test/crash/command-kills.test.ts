import {once} from "node:events";
import {cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {afterAll, beforeAll, expect, test} from "vitest";
import {buildIds, currentBuildId} from "../../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../../lib/storage/manifest-file.ts";
import {build} from "../../pipeline/publish/build.ts";
import {planGc} from "../../pipeline/publish/gc.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {makeWorkshop, openWorkshop, parcels, type Workshop} from "../pipeline/publish/workshop.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {kill, startChild} from "./children.ts";
import {chosenSeed, seeded} from "./misses.ts";
import {note, sizeOf} from "./table.ts";

const kills = sizeOf("B13", {push: 5, long: 300});
const later = Date.parse("2026-12-01T00:00:00Z");

/** Six builds, three of which may be removed. */
let origin: Workshop;
beforeAll(async () => {
  origin = await makeWorkshop();
  await origin.put("parcels/us-ut-one/a.csv", parcels("49011", 20));
  for (const n of [20, 21, 22, 23, 24, 25]) {
    await origin.put("parcels/us-az-one/a.csv", parcels("04013", n));
    await build(origin.options({now: () => new Date(Date.parse("2026-08-23T00:00:00Z") + n * 3_600_000)}));
  }
});
afterAll(() => origin.remove());

function copyOfOrigin(): Workshop {
  const root = join(temporaryFolder(), "copy");
  cpSync(origin.root, root, {recursive: true, verbatimSymlinks: true});
  return openWorkshop(root);
}

const expectWhole = async ({data}: Workshop, buildId: string) => {
  const dir = join(data.builds, buildId);
  expect(await buildFaults(dir, await readManifest(dir), {depth: "full"})).toEqual([]);
};

/**
 * Runs a command in its own process, killed after so many milliseconds or, without a time, run to its end; returns whether it
 * ended, and when.
 */
async function run(args: readonly string[], afterMs: number | null): Promise<{ended: boolean; ms: number}> {
  const child = startChild("command-child.ts", args);
  await child.ready;
  const began = performance.now();
  const done = once(child.process, "message");
  const ended = afterMs === null ? await done : await Promise.race([done, sleep(afterMs)]);
  const ms = performance.now() - began;
  await kill(child);
  return {ended: ended !== undefined, ms};
}

/** Kills a command at random moments on copies of the folder; counts the kills that hit it at work. */
async function killOften(
  argsOf: (shop: Workshop) => readonly string[],
  check: (shop: Workshop, args: readonly string[]) => Promise<void>,
): Promise<{killed: number; seed: number}> {
  const seed = chosenSeed();
  const random = seeded(seed);
  const first = copyOfOrigin();
  const {ms: wholeMs} = await run(argsOf(first), null);
  let killed = 0;
  for (let i = 0; i < kills; i++) {
    const shop = copyOfOrigin();
    const args = argsOf(shop);
    if (!(await run(args, random() * wholeMs)).ended) killed += 1;
    await check(shop, args);
  }
  return {killed, seed};
}

test(
  `B13: gc killed ${kills} times while it removes harms no kept build, and the next one ends it`,
  async () => {
    const current = (await currentBuildId(origin.data))!;
    const {keep} = await planGc(origin.data, later);
    const kept = keep.map(({buildId}) => buildId);
    const {killed, seed} = await killOften(
      ({data}) => ["gc", data.root, String(later)],
      async (shop, args) => {
        expect(await currentBuildId(shop.data)).toBe(current);
        for (const buildId of kept) await expectWhole(shop, buildId);
        await run(args, null);
        expect((await buildIds(shop.data)).sort()).toEqual([...kept].sort());
        await expectWhole(shop, current);
      },
    );
    note(
      "B13",
      `gc killed ${kills} times`,
      `${killed} in its work; kept builds whole, 0 lost, the next one ended it`,
      seed,
    );
  },
  kills * 20_000 + 60_000,
);

test(
  `B13: publish killed ${kills} times leaves current at the old or the new build, and the next one ends it`,
  async () => {
    const old = (await currentBuildId(origin.data))!;
    const [other = ""] = (await buildIds(origin.data)).filter((id) => id !== old);
    let moved = 0;
    const {killed, seed} = await killOften(
      ({data}) => ["publish", data.root, other],
      async (shop, args) => {
        const served = (await currentBuildId(shop.data))!;
        expect([old, other]).toContain(served);
        if (served === other) moved += 1;
        await expectWhole(shop, served);
        await run(args, null);
        expect(await currentBuildId(shop.data)).toBe(other);
      },
    );
    note(
      "B13",
      `publish killed ${kills} times`,
      `${killed} in its work, ${moved} with the new build; current whole each time`,
      seed,
    );
  },
  kills * 20_000 + 60_000,
);

test(
  `B13: add killed ${kills} times leaves the whole file or none, and the next one adds it`,
  async () => {
    const file = join(temporaryFolder(), "large.csv");
    writeFileSync(file, "mars,2026-08-20,250\n".repeat(200_000));
    const text = readFileSync(file, "utf8");
    let there = 0;
    const {killed, seed} = await killOften(
      ({data}) => {
        mkdirSync(data.raw, {recursive: true});
        return ["add", data.root, file];
      },
      async ({data}, args) => {
        const placed = join(data.raw, "market/mars/large.csv");
        if (existsSync(placed)) {
          there += 1;
          expect(readFileSync(placed, "utf8") === text).toBe(true);
        }
        const before = await listRawFiles(data.raw);
        expect(before.filter(({fault}) => fault !== undefined)).toEqual([]);
        await run(args, null);
        expect(readFileSync(placed, "utf8") === text).toBe(true);
        expect(readdirSync(join(data.raw, "market/mars")).sort()).toEqual([
          "large.csv",
          "large.csv.meta.json",
        ]);
      },
    );
    note(
      "B13",
      `add killed ${kills} times`,
      `${killed} in its work, ${there} with the file; whole or none, nothing left over`,
      seed,
    );
  },
  kills * 20_000 + 60_000,
);
