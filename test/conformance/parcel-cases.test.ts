import {readFileSync} from "node:fs";
import {join} from "node:path";
import {describe, expect, test} from "vitest";
import {classifyLandUse} from "../../lib/parcels/land-use/classify.ts";
import {loadLandUseMap} from "../../lib/parcels/land-use/land-use-map.ts";
import {readParcelSource} from "../../lib/registry/parcel-sources.ts";
import {stateServing} from "../../lib/storage/build-layout.ts";
import {draftOf, type ProposeOptions} from "../../pipeline/commands/propose-options.ts";
import {buildState} from "../../pipeline/parcels/build-state.ts";
import {proposeEntry} from "../../pipeline/parcels/propose/propose-entry.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {parquetRows} from "../pipeline/parcels/parquet-rows.ts";
import {asker, generationOfBuilt} from "../server/parcels/lookup-fixture.ts";
import {temporaryFolder} from "../temporary-folder.ts";
import {corpus} from "./corpus.ts";
import {rawFilesOf} from "./two-source-state.ts";

const asOf = "2026-11-21";

/** A file below `cases/` with the place that a person names, or with the entry that lies beside it. */
type CaseFile = {readonly path: string} & ({readonly place: ProposeOptions} | {readonly entry: string});
type Row = {
  parcel_id: string;
  county_key: string;
  owner_name: string | null;
  situs_raw: string;
  situs_status: string;
  situs_type: string | null;
  sec_twn_rng: string | null;
  city: string | null;
  acres: number | null;
  lon: number | null;
  lat: number | null;
};

async function entryOf(file: CaseFile): Promise<ParcelSource> {
  if ("entry" in file) return readParcelSource(join(corpus!, "cases", file.entry));
  const {entry} = await proposeEntry(join(corpus!, "cases", file.path), draftOf(file.place), asOf);
  return {...entry, terms: {...entry.terms, redistributeOwners: true, store: true}};
}

/** The files of a case built as one state: its rows, the parcel numbers that addresses find, and what became of the files' rows. */
async function builtCase(...caseFiles: CaseFile[]) {
  const entries = await Promise.all(caseFiles.map(entryOf));
  const paths = entries.map(({id}, i) => [id, `cases/${caseFiles[i]!.path}`]);
  const outDir = temporaryFolder();
  const {state, country} = entries[0]!.coverage;
  const result = await buildState({
    ...{state, country, entries, files: await rawFilesOf(Object.fromEntries(paths)), base: null},
    ...{outDir, asOf, tempDir: temporaryFolder()},
  });
  const rows = await parquetRows<Row>(outDir);
  const ask = asker(generationOfBuilt({...result, serving: join(outDir, stateServing(state))}));
  const idOf = async (address: string) => {
    const {json} = await ask("address", {address, state});
    return json.property?.parcelId ?? json.candidates?.map(({parcelId}) => parcelId) ?? null;
  };
  /** Printed addresses that do not find their own parcel. */
  const lost = async () => {
    const numbered = rows.filter(({situs_status}) => situs_status === "numbered");
    const found = await Promise.all(numbered.map(({situs_raw}) => idOf(situs_raw)));
    return numbered.flatMap(({situs_raw, parcel_id}, i) =>
      found[i] === parcel_id ? [] : [[situs_raw, found[i]]],
    );
  };
  return {files: result.files, rows, idOf, lost};
}

const inCounty = (path: string, county: string): CaseFile => ({path, place: {county: [county]}});

describe.skipIf(corpus === null)("cases of addresses", {timeout: 120_000}, () => {
  /** Files, rows in all and those with a house number. */
  const files: [file: CaseFile, rows: number, numbered: number][] = [
    [inCounty("addresses/county-types/types.csv", "24510"), 12, 12],
    [inCounty("addresses/county-types/roll.csv", "24510"), 4, 4],
    [inCounty("addresses/double-highway/roll.csv", "37135"), 3, 3],
    [inCounty("addresses/letter-before-number/roll.csv", "26049"), 3, 3],
    [inCounty("addresses/location-description/baltimore.csv", "24510"), 5, 1],
    [inCounty("addresses/unit-between-number-and-street/roll.csv", "09003"), 3, 3],
    [{path: "addresses/units/bldg.csv", entry: "addresses/units/us-md-units.json"}, 7, 7],
    [{path: "addresses/units/roll.csv", entry: "addresses/units/us-md-units.json"}, 20, 17],
  ];
  test.each(files)("each printed address of %o finds its own parcel", async (file, count, numbered) => {
    const {rows, idOf, lost} = await builtCase(file);
    expect(rows).toHaveLength(count);
    expect(rows.filter(({situs_status}) => situs_status === "numbered")).toHaveLength(numbered);
    expect(rows.filter(({situs_status, city}) => situs_status === "legal_only" && city !== null)).toEqual([]);
    expect(await lost()).toEqual([]);
    const folder = join(corpus!, "cases", file.path, "..");
    if (!/double|letter|between/.test(file.path)) return;
    const questions = JSON.parse(readFileSync(join(folder, "questions.json"), "utf8")) as [string, unknown][];
    for (const [question, right] of questions)
      expect([question, await idOf(question)]).toEqual([question, right]);
  });

  test("county-types: two letters at the end are the type", async () => {
    const {rows} = await builtCase(inCounty("addresses/county-types/types.csv", "24510"));
    expect(rows.filter(({situs_type}) => situs_type === null)).toEqual([]);
  });

  test("two-addresses: both lines of a number find it", async () => {
    const {rows, idOf} = await builtCase({
      path: "addresses/two-addresses/roll.csv",
      entry: "addresses/two-addresses/us-ar-demo-roll.json",
    });
    expect(rows).toHaveLength(2);
    for (const line of ["12 Oak St, Bryant", "45 Elm Ave, Bryant"]) expect(await idOf(line)).toBe("10-1");
  });
});

describe.skipIf(corpus === null)("cases of parcels", {timeout: 120_000}, () => {
  test("arcgis-hole-same-direction: a hole is taken off, whatever its direction", async () => {
    const {rows, lost} = await builtCase(inCounty("parcels/arcgis-hole-same-direction/custer.json", "31041"));
    const acres = (id: string) => rows.find(({parcel_id}) => parcel_id === id)?.acres;
    expect([acres("CU00000"), acres("CU00001")]).toEqual([27.539, 27.539]);
    expect([rows.length, await lost()]).toEqual([20, []]);
  });

  test.each([
    ["ct", {"09001": 32, "09120": 16, "09190": 32}, {}],
    [
      "va",
      {
        ...{
          "51019": 24,
          "51036": 16,
          "51093": 8,
          "51095": 16,
          "51097": 16,
          "51159": 8,
          "51161": 8,
          "51510": 16,
        },
        ...{
          "51595": 8,
          "51600": 16,
          "51620": 8,
          "51760": 32,
          "51770": 8,
          "51775": 8,
          "51810": 16,
          "51830": 8,
        },
      },
      {ambiguous_county: 32},
    ],
  ])("county-names-retired-and-ct: %s", async (state, counties, rejected) => {
    const {rows, files} = await builtCase({
      path: `parcels/county-names-retired-and-ct/${state}.csv`,
      place: {state: state.toUpperCase()},
    });
    const count = Map.groupBy(rows, ({county_key}) => county_key);
    const came = Object.fromEntries([...count].map(([key, list]) => [key, list.length]));
    expect([came, files[0]!.rejected]).toEqual([counties, rejected]);
  });

  test("curve-rings: arcs and circles have a point and an area", async () => {
    const {rows} = await builtCase(inCounty("parcels/curve-rings/page.json", "04003"));
    const curved = rows.find(({parcel_id}) => parcel_id === "C1")!;
    expect(curved.acres).toBeCloseTo(3.97, 1);
    expect(curved.lon).not.toBeNull();
  });

  test.each([
    ["dbf-cpg-1252-on-utf8/taos.zip", "35055", 40],
    ["dbf-utf8-cut-without-cpg/park.zip", "56029", 200],
  ])("%s: no letter is read as two", async (path, county, count) => {
    const {rows, lost} = await builtCase(inCounty(`parcels/${path}`, county));
    expect(rows).toHaveLength(count);
    expect(rows.filter((row) => /[ÃÂ�]/u.test(JSON.stringify([row.owner_name, row.city])))).toEqual([]);
    expect(await lost()).toEqual([]);
  });

  test("map-roll-dash: map and roll are one parcel", async () => {
    const folder = "parcels/map-roll-dash";
    const {rows, lost} = await builtCase(
      {path: `${folder}/map.geojson`, entry: `${folder}/us-ar-demo-map.json`},
      {path: `${folder}/roll.csv`, entry: `${folder}/us-ar-demo-roll.json`},
    );
    expect(rows.map(({parcel_id, lon, owner_name}) => [parcel_id, lon !== null, owner_name])).toEqual([
      ["840-00001-000", true, "HARLOW DALE M"],
      ["840-00002-000", true, "QUISTAD JUNE"],
    ]);
    expect(await lost()).toEqual([]);
  });

  test.each([
    ["cheyenne-wkb.parquet", "31033"],
    ["lincoln-geoarrow.parquet", "31111"],
  ])("parquet-geometry-not-declared: %s has its points", async (file, county) => {
    const {rows, lost} = await builtCase(inCounty(`parcels/parquet-geometry-not-declared/${file}`, county));
    expect([rows.length, rows.filter(({lon}) => lon === null).length, await lost()]).toEqual([40, 0, []]);
  });

  test.each([
    ["pipe-dump-quote-is-data/allen.txt", "20001", {}],
    ["report-export-with-totals/cowley.csv", "20035", {non_parcel: 2, not_a_parcel_row: 3}],
  ])("%s: 60 parcels, and no other rows", async (path, county, rejected) => {
    const {rows, files, lost} = await builtCase(inCounty(`parcels/${path}`, county));
    expect([rows.length, files[0]!.rejected, await lost()]).toEqual([60, rejected, []]);
  });

  test("s-t-r-as-street: each parcel has its address, owner and section", async () => {
    const {rows, lost} = await builtCase(inCounty("parcels/s-t-r-as-street/saline.csv", "05125"));
    const read = rows.filter(
      ({situs_status, owner_name, sec_twn_rng}) =>
        situs_status === "numbered" && owner_name !== null && sec_twn_rng !== null,
    );
    expect([read.length, await lost()]).toEqual([40, []]);
  });

  test("use-words: the words of a trade", () => {
    const text = readFileSync(join(corpus!, "cases", "parcels", "use-words", "uses.csv"), "utf8");
    const lines = [...text.matchAll(/^"([^"]+)",\w+,(\w+)/gm)];
    expect(lines.length).toBe(6);
    const map = loadLandUseMap();
    for (const [, description, right] of lines)
      expect([
        description,
        classifyLandUse({codes: {}, description: description!}, [], map).category,
      ]).toEqual([description, right]);
  });
});
