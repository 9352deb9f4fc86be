import {expect, test} from "vitest";
import {draftOf} from "../../../pipeline/commands/propose-options.ts";
import {built, csv, invented, rawFiles, row} from "./raw-folder.ts";

const city = invented({
  id: "us-tx-city",
  coverage: {country: "US", state: "TX", counties: ["48453"], places: ["Bee Cave", "Ashmere"]},
});

test("marks a county as partial for the complete file of a city, and names the city", async () => {
  const files = await rawFiles({"us-tx-city/a.csv": csv([row("1-1")])}, {complete: true});
  const {counties, sources} = await built(files, [city]);
  expect(counties).toMatchObject([{county_key: "48453", complete: false, places: ["Ashmere", "Bee Cave"]}]);
  expect(sources).toMatchObject([{id: "us-tx-city", complete: true}]);
});

test("ignores places beside the complete file of the county", async () => {
  const files = await rawFiles(
    {"us-tx-city/a.csv": csv([row("1-1")]), "us-tx-invented/a.csv": csv([row("2-2")])},
    {complete: true},
  );
  const {counties} = await built(files, [city, invented()]);
  expect(counties).toMatchObject([{county_key: "48453", complete: true, rows: 2}]);
  expect(counties[0]).not.toHaveProperty("places");
});

test("--place gives a proposed entry its places, its id and its name", () => {
  expect(draftOf({county: ["33009"], place: ["Lebanon"]})).toMatchObject({
    id: "us-nh-33009-lebanon",
    name: "Parcels of Lebanon, Grafton County",
    counties: ["33009"],
    places: ["Lebanon"],
  });
  expect(draftOf({county: ["33009"]})).not.toHaveProperty("places");
});

test("a source of one file per county is whole with all of them, and each county with its own", async () => {
  const entry = invented({
    coverage: {country: "US", state: "TX", counties: ["48453", "48209"], countyFrom: "FIPS"},
    accept: {minRows: 2, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []},
  });
  const fileOf = (fips: string, host: string, retrieved_at: string) =>
    rawFiles(
      {[`${fips}.csv`]: csv([row("1-1", {FIPS: fips})])},
      {complete: true, source_files: 2, url: `https://${host}/lots_${fips}.csv`, retrieved_at},
    );
  const first = await fileOf("48453", "own.example", "2026-11-01T00:00:00Z");
  const some = await built(first, [entry]);
  expect(some.counties).toMatchObject([{county_key: "48453", complete: true}]);
  expect(some.sources).toMatchObject([{id: "us-tx-invented", complete: false}]);
  const second = await fileOf("48209", "mirror.example", "2026-11-02T00:00:00Z");
  const all = await built([...first, ...second], [entry]);
  expect(all.counties.map(({complete}) => complete)).toEqual([true, true]);
  expect(all.sources).toMatchObject([{id: "us-tx-invented", complete: true}]);
});
