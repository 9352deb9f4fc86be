import {expect, it} from "vitest";
import {createFindMaker} from "../../../../lib/delta/find-maker.ts";
import {foundParcel} from "../../../../lib/delta/found-parcel.ts";
import {privateKib} from "../../../../lib/system/process-figures.ts";
import {discoveryOf} from "../../../delta/fake-county.ts";

const {upsert} = discoveryOf({
  id: "0101-0001",
  situs: "101 ELM ST",
  owner: "QUISTAD JUNE",
  lon: -97.7,
  lat: 30.3,
});
const {columns} = foundParcel({...upsert, seq: 1, observedAt: "2026-11-20T10:00:00.000Z"});

it("records that are made one by one leave less than 80 MiB, however many they are", async () => {
  const maker = createFindMaker();
  const [first] = await maker.make([columns]);
  const before = privateKib(process.pid);
  for (let i = 0; i < 300; i++) expect(await maker.make([columns])).toEqual([first]);
  expect(privateKib(process.pid) - before).toBeLessThan(80 * 1024);
  await maker.close();
});

it("a record tells the flags that bear on its facts, and the map's acres where they contradict stated ones", async () => {
  const maker = createFindMaker();
  const told = async (values: Record<string, string | number | string[]>) => {
    const [record] = await maker.make([{...columns, ...values}]);
    const {flags, acres, acresComputed} = JSON.parse(`{${record!.facts}}`) as Record<string, unknown>;
    return {flags, acres, acresComputed};
  };
  const stated = {acres: 100, acres_basis: "assessed"};
  expect(await told({...stated, geom_acres: 104.9, flags: ["null_text"]})).toEqual({acres: 100});
  expect(await told({...stated, geom_acres: 105.1, flags: ["no_geometry", "open_range_possible"]})).toEqual({
    acres: 100,
    acresComputed: 105.1,
    flags: ["open_range_possible"],
  });
  expect(await told({...stated, geom_acres: 900, flags: ["shared_outline"]})).toEqual({
    acres: 100,
    flags: ["shared_outline"],
  });
  expect(await told({acres: 105.1, acres_basis: "computed", geom_acres: 104, flags: []})).toEqual({
    acres: 105.1,
  });
  await maker.close();
});
