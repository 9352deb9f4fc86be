import {afterAll, expect, test} from "vitest";
import {createFindMaker} from "../../lib/delta/find-maker.ts";
import type {PlacedRecord} from "../../lib/delta/overlay.ts";
import {GrowingView} from "../../server/delta/delta-view.ts";
import {asker, generationOfStates} from "../server/parcels/lookup-fixture.ts";
import {writeState} from "../server/parcels/state-fixture.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {discoveryOf} from "./fake-county.ts";

const records = createFindMaker();
afterAll(() => records.close());

/** The uids by which each number is found, beside a build that prints 0840-00001-000, after discoveries in this order. */
async function uidsAfter(numbers: readonly string[]): Promise<Record<string, unknown>> {
  const state = await writeState(temporaryFolder(), "TX", {
    parcels: [{county: "48453", id: "0840-00001-000", owner: "QUISTAD JUNE R", lon: -97.9, lat: 30.1}],
  });
  const view = new GrowingView(generationOfStates([state]), records);
  for (const [i, id] of numbers.entries()) {
    const {upsert} = discoveryOf({id, owner: "HARLOW JUNE R", lon: -97.8, lat: 30.2});
    const record = {...upsert, seq: i + 1, observedAt: "2026-11-20T10:00:00.000Z"};
    await view.fold([{segment: "s", end: i + 1, record} as unknown as PlacedRecord]);
  }
  const ask = asker(generationOfStates([state], {delta: view}));
  const asked = ["0840-00001-000", ...numbers].sort();
  const answers = await Promise.all(asked.map((parcelId) => ask("parcel", {state: "TX", parcelId})));
  return Object.fromEntries(answers.map(({json}, i) => [asked[i]!, json.property?.parcelUid ?? json.type]));
}

test("a discovery whose number the build prints with separators is the build's parcel, found by both", async () => {
  expect(await uidsAfter(["84000001000"])).toEqual({
    "0840-00001-000": "48453-0840-00001-000",
    "84000001000": "48453-0840-00001-000",
  });
});

test("two discoveries of one source that fit one parcel are parcels of their own, whichever came first", async () => {
  const own = {
    "0840-00001-000": "48453-0840-00001-000",
    "84000001000": "48453-84000001000",
    "84000-001000": "48453-84000-001000",
  };
  expect(await uidsAfter(["84000001000", "84000-001000"])).toEqual(own);
  expect(await uidsAfter(["84000-001000", "84000001000"])).toEqual(own);
});
