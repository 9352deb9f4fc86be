import {DamagedFileError} from "@open-cattle/mapped-index";
import {afterAll, expect, test} from "vitest";
import {createFindMaker} from "../../lib/delta/find-maker.ts";
import type {PlacedRecord} from "../../lib/delta/overlay.ts";
import type {StateArtifacts} from "../../lib/parcels/parcel-set.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {GrowingView} from "../../server/delta/delta-view.ts";
import {discoveryOf} from "./fake-county.ts";

const manifest = {states: {}, as_of_date: "2026-11-21"} as unknown as Manifest;
const records = createFindMaker();
afterAll(() => records.close());

/** A view of a build whose keys fail like this, with one discovered parcel; returns the numbers by which it is found. */
async function foundBeside(error: Error): Promise<number> {
  const ids = {
    find() {
      throw error;
    },
  };
  const state = {state: "TX", ids} as unknown as StateArtifacts;
  const view = new GrowingView({manifest, states: new Map([["TX", state]])}, records);
  const {upsert} = discoveryOf({id: "777-B", owner: "QUISTAD JUNE R", situs: "12 ELM ST, AUSTIN 78701"});
  const record = {...upsert, seq: 1, observedAt: "2026-11-20T10:00:00.000Z"};
  await view.fold([{segment: "s", end: 1, record} as unknown as PlacedRecord]);
  return view.sets("TX")[0]?.ids.find("777B").length ?? 0;
}

test("a found parcel whose row in the build is damaged is shown alone", async () => {
  expect(await foundBeside(new DamagedFileError("parcel_ids.arrow", "a byte from 0 to 256"))).toBe(1);
});

test("another fault of the build is not taken for damage", async () => {
  await expect(foundBeside(new RangeError("no row"))).rejects.toThrow("no row");
});
