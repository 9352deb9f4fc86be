import {distanceMiles} from "@open-cattle/parcel-outlines";
import {expect, test} from "vitest";
import {findAround} from "../../../../lib/parcels/matching/location-match.ts";
import {createMemoryParcels} from "../../../../lib/parcels/memory/memory-parcel-set.ts";

test("a parcel whose point lies exactly at the radius is within it, and none that is farther", () => {
  const [point, served] = [
    {lat: 30.3, lon: -97.7},
    {lat: 30.31, lon: -97.69},
  ];
  const {set, add} = createMemoryParcels({state: "TX", origin: "delta"});
  const {lat, lon} = served;
  add({
    columns: {parcel_uid: "48453-1", lat, lon, xmin: lon, ymin: lat, xmax: lon, ymax: lat},
    record: {
      facts: Buffer.from("{}"),
      provenance: {json: Buffer.from("{}"), urlAt: null, limitations: [], sources: []},
      sourceUrl: null,
    },
  });
  const miles = distanceMiles(point, served);
  const foundWithin = (radiusMiles: number) =>
    findAround([set], {
      ...{point, radiusMiles, withUnaddressed: true, use: null, residential: null, offset: 0, limit: 9},
    }).total;
  expect([miles * (1 - 1e-9), miles, miles * 2, 0].map(foundWithin)).toEqual([0, 1, 1, 0]);
});
