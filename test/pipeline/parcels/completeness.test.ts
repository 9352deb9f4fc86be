import {expect, test} from "vitest";
import {built, csv, geojson, invented, rawFiles, row, square} from "./raw-folder.ts";

const roll = csv(
  ["1-1", "1-2", "1-3"].map((pin, i) => row(pin, {SITUS: i === 2 ? "OAK ST" : `10${i} OAK ST`})),
);
const shapes = geojson(
  ["1-1", "1-2", "1-3"].map((pin, i) => ({properties: row(pin), geometry: square(i, 0)})),
);
const map = invented({id: "us-tx-map", fields: {}, owners: {published: false, order: "unknown"}});

test("tells of each county what share of its rows has owner, address, point, use and value", async () => {
  const alone = await built(await rawFiles({"roll.csv": roll}));
  expect(alone.counties[0]!.completeness).toEqual({owner: 1, address: 0.66, point: 0, use: 0, value: 1});
  const joined = await built(await rawFiles({"roll.csv": roll, "us-tx-map/map.geojson": shapes}), [
    invented(),
    map,
  ]);
  expect(joined.counties[0]!.completeness).toMatchObject({owner: 1, point: 1});
  expect(joined.counties[0]).not.toHaveProperty("owners_published");
});

test("says of a county without owners whether its sources publish any", async () => {
  const files = await rawFiles({"us-tx-map/map.geojson": shapes});
  const {counties} = await built(files, [map]);
  expect(counties[0]).toMatchObject({completeness: {owner: 0, point: 1, value: 0}, owners_published: false});
});
