import {expect, test} from "vitest";
import {openStateArtifacts} from "../../../lib/parcels/artifacts.ts";
import {buildFolder} from "../../../lib/storage/data-folder.ts";
import {build} from "../../../pipeline/publish/build.ts";
import type {Generation} from "../../../server/generation/generation.ts";
import {openGeneration} from "../../../server/generation/open-generation.ts";
import {deltaWorkshop} from "../../delta/delta-workshop.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

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
