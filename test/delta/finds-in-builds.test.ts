import {expect, test} from "vitest";
import {build} from "../../pipeline/publish/build.ts";
import type {Discovery} from "../../server/delta/delta-view.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {ask, type DeltaWorkshop, deltaWorkshop, rollNumbers} from "./delta-workshop.ts";
import {discoveryOf} from "./fake-county.ts";

const byId = "/public/land-agent/property/parcel-id-lookup?state=TX&county=Travis&parcelId=";
const facts = {acres: 2, market_value: 1000, currency: "USD", situs_raw: "9 ELM ST"};

/** A published build of twenty parcels with owners, and a county with these discoveries. */
async function shopWith(discoveries: Record<string, Discovery>): Promise<DeltaWorkshop> {
  const parcels = new Map(Object.entries(discoveries));
  const shop = deltaWorkshop(temporaryFolder(), {up: true, asked: 0, parcels});
  shop.roll(rollNumbers(20));
  await build(shop.options());
  return shop;
}

/** The uids that a new server returns for these numbers. */
async function uidsOf(shop: DeltaWorkshop, ids: readonly string[]): Promise<(string | undefined)[]> {
  const server = await shop.start();
  try {
    const told = await Promise.all(ids.map((id) => ask(shop, server, byId + id)));
    return told.map(({body}) => body.property?.parcelUid);
  } finally {
    await server.stop();
  }
}

test.each([
  ["does not publish", {}],
  ["withholds", {owner_withheld: true}],
])("finds of a layer that %s owners do not stop their state, however many they are", async (_, columns) => {
  const ids = Array.from({length: 9}, (_, i) => `M${i}`);
  const find = (id: string) => discoveryOf({id, lon: -97.7, lat: 30.3, columns: {...facts, ...columns}});
  const shop = await shopWith(Object.fromEntries(ids.map((id) => [id, find(id)])));
  await uidsOf(shop, ids);
  const {heldBack, gates} = await build(shop.options({asOf: "2026-11-22"}));
  expect([heldBack, gates.find(({gate}) => gate === "null-share")]).toEqual([
    [],
    expect.objectContaining({status: "pass", figure: 0}),
  ]);
});

test("a number in lower case gives the uid that it has in upper case, from the county, the delta and the build", async () => {
  const find = (id: string) =>
    discoveryOf({id, lon: -97.7, lat: 30.3, owner: "QUISTAD JUNE R", columns: facts});
  const shop = await shopWith({"777-B": find("777-b"), "100-A": find("100-a")});
  const uids = ["48453-777-B", "48453-777-B", "48453-100-A"];
  const asked = ["777-b", "777-B", "100-a"];
  expect(await uidsOf(shop, asked)).toEqual(uids);
  expect(await uidsOf(shop, asked)).toEqual(uids);
  await build(shop.options({asOf: "2026-11-22"}));
  expect(await uidsOf(shop, asked)).toEqual(uids);
});
