import {appendFile} from "node:fs/promises";
import {join} from "node:path";
import {afterEach, beforeEach, expect, test} from "vitest";
import {stateTablePath} from "../../../lib/storage/build-layout.ts";
import {readManifest} from "../../../lib/storage/manifest.ts";
import {assemble, buildStatePart} from "../../../pipeline/publish/assemble.ts";
import {build} from "../../../pipeline/publish/build.ts";
import {makeWorkshop, parcels, testStages, type Workshop} from "./workshop.ts";

let shop: Workshop;
beforeEach(async () => {
  shop = await makeWorkshop();
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 60));
  await shop.put("parcels/us-ut-one/a.csv", parcels("49011", 50));
});
afterEach(() => shop.remove());

async function part(state: string): Promise<string> {
  const dir = join(shop.root, `part-${state}`);
  await buildStatePart(state, dir, shop.options());
  return dir;
}

test("states built apart make the same build as states built together", async () => {
  const together = await build(shop.options());
  const apart = await makeWorkshop();
  try {
    const dirs = [await part("AZ"), await part("UT")];
    const assembled = await assemble(dirs, apart.options());
    expect(assembled.buildId).toBe(together.buildId);
    const digests = async (home: Workshop) =>
      Object.values((await readManifest(join(home.data.builds, together.buildId))).states).flatMap(
        ({files}) => files.map(({path, sha256}) => [path, sha256]),
      );
    expect(await digests(apart)).toEqual(await digests(shop));
  } finally {
    await apart.remove();
  }
});

test("links the states that no part was given for", async () => {
  await build(shop.options());
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 61));
  const {buildId} = await assemble([await part("AZ")], shop.options());
  const {states} = await readManifest(join(shop.data.builds, buildId));
  expect([states["AZ"]?.rows, states["AZ"]?.status, states["UT"]?.status]).toEqual([61, "built", "reused"]);
});

test("gates a part like any build: one that lost rows is held back", async () => {
  await build(shop.options());
  await shop.put("parcels/us-az-one/a.csv", parcels("04013", 20));
  const {outcome, heldBack} = await assemble([await part("AZ")], shop.options());
  expect(heldBack[0]?.because).toContain("AZ rows");
  expect(outcome).toBe("published");
});

test("refuses a damaged part, one given twice and one made from another registry", async () => {
  const dir = await part("AZ");
  await expect(assemble([dir, dir], shop.options())).rejects.toThrow("AZ was given already");
  const entries = testStages.entries.map((entry) => ({...entry, licence: "other"}));
  const stages = {...testStages, entries};
  await expect(assemble([dir], shop.options({stages}))).rejects.toThrow(
    "another version of the code or the registry",
  );
  await appendFile(join(dir, stateTablePath("parcels", "AZ")), "x");
  await expect(assemble([dir], shop.options())).rejects.toThrow("parcels.parquet: ");
  await expect(buildStatePart("AZ", dir, shop.options())).rejects.toThrow("not empty");
});
