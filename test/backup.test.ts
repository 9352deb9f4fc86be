import {execFile, execFileSync} from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import {writeFile} from "node:fs/promises";
import {join} from "node:path";
import {promisify} from "node:util";
import {ownIdentity} from "@open-cattle/safe-files";
import {afterEach, beforeEach, expect, test} from "vitest";
import {DeltaReader} from "../lib/delta/delta-folder.ts";
import {DeltaWriter} from "../lib/delta/segment-writer.ts";
import {packageRoot} from "../lib/paths.ts";
import {stateTablePath} from "../lib/storage/build-layout.ts";
import {
  buildFolder,
  buildIds,
  currentBuildId,
  type DataFolder,
  dataFolder,
} from "../lib/storage/data-folder.ts";
import {buildFaults, readManifest} from "../lib/storage/manifest-file.ts";
import {build} from "../pipeline/publish/build.ts";
import {discoveryOf} from "./delta/fake-county.ts";
import {makeWorkshop, parcels, type Workshop} from "./pipeline/publish/workshop.ts";
import {temporaryFolder} from "./temporary-folder.ts";

const script = join(packageRoot, "deploy/backup.sh");
const run = promisify(execFile);

let shop: Workshop;
beforeEach(async () => {
  shop = await makeWorkshop();
});
afterEach(() => shop.remove());

/** Files copied beside the builds. */
const besides = ["keys.json", "terms.json", "first-seen.json"];

/** Two builds, the second with a state linked from the first, and the keys. */
async function twoBuilds(): Promise<void> {
  await shop.put("parcels/us-ut-one/a.csv", parcels("49035", 10));
  for (const count of [10, 11]) {
    await shop.put("parcels/us-az-one/a.csv", parcels("04013", count));
    await build(shop.options());
  }
  for (const name of besides) await writeFile(join(shop.data.root, name), "[]");
}

function restore(archives: string): DataFolder {
  const root = temporaryFolder();
  for (const name of readdirSync(archives)) execFileSync("tar", ["-xf", join(archives, name), "-C", root]);
  return dataFolder(root);
}

/** Moves these names of the data folder to other places under other names, and leaves links. */
function moveAway(names: readonly string[]): void {
  const disk = temporaryFolder();
  for (const [i, name] of names.entries()) {
    renameSync(join(shop.data.root, name), join(disk, `${i}`));
    symlinkSync(join(disk, `${i}`), join(shop.data.root, name));
  }
}

test.each([
  ["", []],
  [" where builds, delta and keys are links", ["builds", "delta", "keys.json"]],
])(
  "R1: a backup made during writes%s restores to a sound build with every record that was acknowledged before",
  async (_, links) => {
    await twoBuilds();
    mkdirSync(join(shop.data.delta, "retired"), {recursive: true});
    moveAway(links);
    const writer = new DeltaWriter({folder: shop.data.delta, writer: ownIdentity(), baseBuildId: ""});
    const write = (id: string) => writer.append(discoveryOf({id, owner: "OWNER A"}).upsert);
    const before = Array.from({length: 50}, (_, i) => `A-${i}`);
    await Promise.all(before.map(write));
    let writing = true;
    const writes = (async () => {
      for (let i = 0; writing; i++) await write(`B-${i}`);
    })();
    const archives = temporaryFolder();
    for (const kind of ["builds", "delta"]) await run(script, [shop.data.root, archives, kind]);
    writing = false;
    await writes;
    await writer.close();

    const restored = restore(archives);
    const buildId = (await currentBuildId(restored))!;
    expect(buildId).toBe(await currentBuildId(shop.data));
    const folder = buildFolder(restored, buildId);
    expect(await buildFaults(folder, await readManifest(folder), {depth: "full"})).toEqual([]);
    expect(await buildIds(restored)).toEqual(await buildIds(shop.data));
    expect(statSync(join(folder, stateTablePath("parcels", "UT"))).nlink).toBe(2);
    const files = besides.filter((name) => lstatSync(join(restored.root, name)).isFile());
    expect(files).toEqual(besides);
    const found = new Set<string>();
    const reader = new DeltaReader(restored.delta);
    await reader.poll(({record}) => record.kind === "upsert" && found.add(record.key.parcelId));
    expect(before.filter((id) => !found.has(id))).toEqual([]);
    expect(reader.segments().map(({state}) => state.badLines)).toEqual([0]);
  },
);

test("a backup without the published build, or of keys that lead nowhere, is refused, and the archives before it stay", async () => {
  await twoBuilds();
  const archives = temporaryFolder();
  await run(script, [shop.data.root, archives, "builds"]);
  const names = readdirSync(archives);
  const manifest = join(buildFolder(shop.data, (await currentBuildId(shop.data))!), "manifest.json");
  renameSync(manifest, `${manifest}.away`);
  await expect(run(script, [shop.data.root, archives, "builds"])).rejects.toThrow(
    /current: leads to builds.*no manifest/,
  );
  renameSync(`${manifest}.away`, manifest);
  rmSync(join(shop.data.root, "keys.json"));
  symlinkSync("nowhere.json", join(shop.data.root, "keys.json"));
  await expect(run(script, [shop.data.root, archives, "builds"])).rejects.toThrow("keys.json");
  expect(readdirSync(archives)).toEqual(names);
});

test("a backup keeps the last archives, leaves no partial one, and refuses other kinds", async () => {
  await twoBuilds();
  const archives = temporaryFolder();
  for (const day of [1, 2, 3]) await writeFile(join(archives, `builds-2026010${day}T120000Z.tar`), "");
  const killed = join(archives, "builds-20260104T120000Z.tar.new");
  await writeFile(killed, "half");
  utimesSync(killed, 0, 0);
  await run(script, [shop.data.root, archives, "builds"]);
  for (const name of besides) rmSync(join(shop.data.root, name));
  await run(script, [shop.data.root, temporaryFolder(), "builds"]);
  const names = readdirSync(archives).sort();
  expect(names.slice(0, 2)).toEqual(["builds-20260102T120000Z.tar", "builds-20260103T120000Z.tar"]);
  expect(names).toHaveLength(3);
  await expect(run(script, [join(shop.data.root, "nowhere"), archives, "builds"])).rejects.toThrow("Cannot");
  await expect(run(script, [shop.data.root, archives, "raw"])).rejects.toMatchObject({code: 2});
  expect(readdirSync(archives).sort()).toEqual(names);
});
