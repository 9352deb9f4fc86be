import {afterAll, beforeAll, expect, test} from "vitest";
import {createFindMaker} from "../../lib/delta/find-maker.ts";
import type {PlacedRecord} from "../../lib/delta/overlay.ts";
import {GrowingView} from "../../server/delta/delta-view.ts";
import {asker, generationOfStates} from "../server/parcels/lookup-fixture.ts";
import {writeState} from "../server/parcels/state-fixture.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {discoveryOf} from "./fake-county.ts";

const records = createFindMaker();
afterAll(() => records.close());
let ask: ReturnType<typeof asker>;

/** A discovery replaces the first row of its street and of its owner's names. */
beforeAll(async () => {
  const state = await writeState(temporaryFolder(), "TX", {
    parcels: [
      {
        county: "48453",
        id: "777-B",
        owner: "QUISTAD JUNE R",
        situs: "12 QUILLMERE ST",
        lon: -97.9,
        lat: 30.1,
      },
      {county: "48453", id: "779-B", situs: "16 QUILLMERE ST"},
      {county: "48453", id: "778-B", owner: "QUISTAD DALE", situs: "14 QUILLMERE ST", lon: -97.9, lat: 30.1},
    ],
  });
  const view = new GrowingView(generationOfStates([state]), records);
  const {upsert} = discoveryOf({
    id: "777-B",
    owner: "HARLOW JUNE R",
    situs: "12 ELM ST",
    lon: -97.8,
    lat: 30.2,
  });
  const {upsert: alone} = discoveryOf({id: "779-B", owner: "OSGARD MAY", lon: -97.7, lat: 30.3});
  const discoveries = [upsert, alone].map((each, i) => {
    const record = {...each, seq: i + 1, observedAt: "2026-11-20T10:00:00.000Z"};
    return {segment: "s", end: i + 1, record} as unknown as PlacedRecord;
  });
  await view.fold(discoveries);
  ask = asker(generationOfStates([state], {delta: view}));
});

const uids = async (kind: Parameters<typeof ask>[0], values: Record<string, string>) => {
  const {json} = await ask(kind, {state: "TX", ...values});
  return json.properties?.map(({parcelUid}) => parcelUid) ?? json.property?.parcelUid ?? json.type;
};

test("a row replaced by a discovery appears in no answer", async () => {
  expect(await uids("address", {address: "12 QUILLMERE ST"})).toBe("/problems/parcel-not-covered");
  expect(await uids("address", {address: "12 ELM ST"})).toBe("48453-777-B");
  expect(await uids("owner", {owner: "QUISTAD"})).toEqual(["48453-778-B"]);
  expect(await uids("owner", {owner: "HARLOW"})).toEqual(["48453-777-B"]);
  expect(await uids("near", {latitude: "30.1", longitude: "-97.9", radius: "0.1"})).toEqual(["48453-778-B"]);
  const {json} = await ask("parcel", {parcelId: "777-B"});
  expect(json.property.ownerName).toBe("HARLOW JUNE R");
});

test("a row without an owner takes a discovery's, and keeps its address if the discovery has none", async () => {
  const {json} = await ask("parcel", {parcelId: "779-B"});
  expect(json.property).toMatchObject({parcelUid: "48453-779-B", ownerName: "OSGARD MAY"});
  expect(JSON.stringify(json.property)).toContain("16 QUILLMERE");
  expect(await uids("owner", {owner: "OSGARD"})).toEqual(["48453-779-B"]);
  expect(await uids("address", {address: "16 QUILLMERE ST"})).toBe("48453-779-B");
});

test("a misspelt street is found even if a discovery replaces its first row", async () => {
  expect(await uids("address", {address: "14 QUILLMORE ST"})).toBe("48453-778-B");
});
