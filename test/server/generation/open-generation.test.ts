import {truncateSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {openStateArtifacts} from "../../../lib/parcels/parcel-set.ts";
import {marketServing} from "../../../lib/storage/build-layout.ts";
import {buildFolder} from "../../../lib/storage/data-folder.ts";
import {build} from "../../../pipeline/publish/build.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import {openGeneration} from "../../../server/generation/open-generation.ts";
import {deltaWorkshop} from "../../delta/delta-workshop.ts";
import {temporaryFolder} from "../../temporary-folder.ts";
import {writeBuild} from "../build-fixture.ts";

test("a state whose files stay the same keeps its mappings from build to build, and nothing of the builds between", async () => {
  const shop = deltaWorkshop(temporaryFolder(), {up: false, asked: 0, parcels: new Map()});
  shop.roll(["100-A"], 1000);
  const {buildId} = await build(shop.options());
  let previous: Generation | null = null;
  const opened: Generation[] = [];
  for (let turn = 0; turn < 3; turn++) {
    previous = await openGeneration(buildFolder(shop.data, buildId), {
      openState: openStateArtifacts,
      previous,
    });
    opened.push(previous);
  }
  const [first, , last] = opened.map(({states}) => [...states.values()][0]!);
  expect(last!.parcels).toBe(first!.parcels);
  expect(last!.part).not.toBe(first!.part);
  expect(Object.getPrototypeOf(last)).toBe(Object.prototype);
  expect(last!.record(0)).toEqual(first!.record(0));
});

test("a state that was made anew with the same bytes is opened anew, for it may be the cure of damage in the open file", async () => {
  const shop = deltaWorkshop(temporaryFolder(), {up: false, asked: 0, parcels: new Map()});
  shop.roll(["100-A"], 1000);
  let previous: Generation | null = null;
  const parcels = [];
  for (const noReuse of [false, true]) {
    const {buildId} = await build({...shop.options(), noReuse});
    const folder = buildFolder(shop.data, buildId);
    previous = await openGeneration(folder, {openState: openStateArtifacts, previous});
    parcels.push([...previous.states.values()][0]!.parcels);
  }
  expect(parcels[1]).not.toBe(parcels[0]);
});

test("a build with a damaged file is refused with its name, or opened without the part that has it", async () => {
  const folder = await writeBuild(temporaryFolder(), "20261120-aaaaaa");
  const openState = () => {
    throw new Error("no state is in this build");
  };
  expect(await openGeneration(folder, {openState})).toMatchObject({
    ...{buildId: "20261120-aaaaaa", asOf: "2026-11-21", builtAt: "2026-11-21T06:10:00Z", sample: true},
    market: {dealers: {keys: [{state: "OK"}]}},
  });
  truncateSync(join(folder, marketServing, "barns.arrow"), 10);
  await expect(openGeneration(folder, {openState})).rejects.toThrow(
    /serving\/market\/barns\.arrow: (?!.*more)/,
  );
  truncateSync(join(folder, marketServing, "zips.arrow"), 10);
  await expect(openGeneration(folder, {openState})).rejects.toThrow(/and 1 more/);
  expect(await openGeneration(folder, {openState, withoutDamaged: true})).toMatchObject({market: null});
});
