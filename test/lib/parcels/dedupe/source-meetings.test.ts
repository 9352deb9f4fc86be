import {expect, test} from "vitest";
import {
  built,
  csv,
  geojson,
  invented,
  inventedMap,
  rawFiles,
  row,
  square,
} from "../../../pipeline/parcels/raw-folder.ts";

test("a build counts how many numbers of a roll and a map of one county meet, equal or but for dashes", async () => {
  const files = await rawFiles({
    "roll.csv": csv(["1-A", "840-00001-000", "7-C"].map((id) => row(id))),
    "us-tx-map/map.geojson": geojson(
      ["1-A", "84000001000", "9-D"].map((PIN, i) => ({properties: {PIN}, geometry: square(i, 0)})),
    ),
  });
  const {files: reports} = await built(files, [invented(), inventedMap()]);
  expect(reports.flatMap(({meetings = []}) => meetings)).toEqual([
    {county: "48453", sources: ["us-tx-invented", "us-tx-map"], numbers: 3, equal: 1, byForm: 1},
  ]);
});
