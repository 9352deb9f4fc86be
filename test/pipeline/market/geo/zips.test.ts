import {writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {ModelRun} from "../../../../lib/models/model-run.ts";
import {openDatabase} from "../../../../lib/sql/duckdb.ts";
import {readZips} from "../../../../pipeline/market/feeds/zips.ts";
import type {RawFile} from "../../../../pipeline/raw/raw-files.ts";
import {temporaryFolder} from "../../../temporary-folder.ts";

type Area = {
  zip: string;
  lat: number;
  lon: number;
  county_fips: string | null;
  method: string;
  counties: unknown;
};

/** The ZIP areas read from files of the feed, each fetched a day after the previous one, and their reports. */
async function zipsOf(files: Readonly<Record<string, string>>, days?: readonly number[]) {
  const folder = temporaryFolder();
  const raw = Object.entries(files).map(([name, content], at): RawFile => {
    const absolutePath = join(folder, name);
    writeFileSync(absolutePath, content);
    const retrievedAt = `2026-11-0${days?.[at] ?? at + 1}T00:00:00Z`;
    return {
      ...{
        path: `market/geo/${name}`,
        absolutePath,
        kind: "market",
        feedOrEntryId: "geo",
        sizeBytes: content.length,
        sha256: "",
      },
      ...{meta: null, retrievedAt, retrievedAtFrom: "mtime"},
    };
  });
  using db = await openDatabase();
  const reports = await readZips(new ModelRun(db), raw);
  const rows = await db.rows<Area & {counties: string}>("SELECT * FROM zips ORDER BY zip");
  const areas = rows.map((row): Area => ({...row, counties: JSON.parse(row.counties)}));
  return {areas, reports};
}

const gazetteer = "GEOID,INTPTLAT,INTPTLONG";
/** A point in Canadian County, OK (40017). */
const inCanadian = "35.49,-97.76";

test.each([
  "GEOID\tINTPTLAT\tINTPTLONG",
  "ZCTA5CE20|INTPTLAT20|INTPTLON20",
  "zip;lat;lng",
  "ZIP Code,Latitude,Longitude",
])("reads a gazetteer under the names %s", async (header) => {
  const names = header.replace("INTPTLON20", "INTPTLONG20");
  const sign = /[\t|;,]/.exec(names)![0];
  const {areas, reports} = await zipsOf({"a.txt": `${names}\n73099${sign}35.49${sign}-97.76\n`});
  expect(areas).toEqual([
    {
      zip: "73099",
      lat: 35.49,
      lon: -97.76,
      county_fips: "40017",
      method: "zcta_internal_point",
      counties: [],
    },
  ]);
  expect(reports[0]).toMatchObject({status: "read", rowsIn: 1, accepted: 1, rejected: {}, notes: {}});
});

test.each([
  ["7309,35.49,-97.76", "bad_zip_or_point"],
  ["730999,35.49,-97.76", "bad_zip_or_point"],
  [",35.49,-97.76", "bad_zip_or_point"],
  ["73099,north,-97.76", "bad_zip_or_point"],
  ["73099,35.49,", "bad_zip_or_point"],
  ["73099,90.1,0", "bad_zip_or_point"],
  ["73099,-90.1,0", "bad_zip_or_point"],
  ["73099,0,180.1", "bad_zip_or_point"],
  ["73099,0,-180.1", "bad_zip_or_point"],
  ["73099,35.49", "unread_line"],
])("rejects the line %s of a gazetteer as %s and keeps the others", async (line, reason) => {
  const {areas, reports} = await zipsOf({"a.csv": `${gazetteer}\n${line}\n73036,${inCanadian}\n`});
  expect(areas.map(({zip}) => zip)).toEqual(["73036"]);
  expect(reports[0]).toMatchObject({rowsIn: 2, accepted: 1, rejected: {[reason]: 1}});
});

test("counts points outside of all counties, which are kept without one", async () => {
  const {areas, reports} = await zipsOf({
    "a.csv": `${gazetteer}\n96939,90,180\n96940,-90,-180\n73036,${inCanadian}\n`,
  });
  expect(areas.map(({county_fips}) => county_fips)).toEqual(["40017", null, null]);
  expect(reports[0]!.notes).toEqual({point_outside_counties: 2});
});

test("prefers the file fetched later, whatever the order of the files", async () => {
  const [first, second] = [`${gazetteer}\n73099,35.49,-97.76\n`, `${gazetteer}\n73099,35.5,-97.7\n`];
  for (const [days, lat] of [
    [[1, 2], 35.5],
    [[2, 1], 35.49],
  ] as const) {
    const {areas, reports} = await zipsOf({"a.csv": first, "b.csv": second}, days);
    expect([areas.map((area) => area.lat), reports.map(({path}) => path)]).toEqual([
      [lat],
      ["market/geo/a.csv", "market/geo/b.csv"],
    ]);
  }
});

const relationship = "GEOID_ZCTA5_20|GEOID_COUNTY_20|AREALAND_PART";

/** Counties of ZIP area 73099 with the given land in each. */
async function sharesOf(...parts: readonly (readonly [county: string, land: number])[]) {
  const lines = parts.map(([county, land]) => `73099|${county}|${land}`);
  const {areas} = await zipsOf({"a.txt": `${[relationship, ...lines].join("\n")}\n`});
  return areas.map(({county_fips, counties}) => [county_fips, counties]);
}

test("gives the counties of an area by their shares of its land, the largest first, from a twentieth on", async () => {
  expect(await sharesOf(["40017", 30], ["40109", 65], ["40051", 5], ["40027", 4.9])).toEqual([
    [
      "40109",
      [
        {county_fips: "40109", share: 0.6196},
        {county_fips: "40017", share: 0.286},
      ],
    ],
  ]);
  expect(await sharesOf(["40017", 95], ["40109", 5])).toEqual([
    [
      "40017",
      [
        {county_fips: "40017", share: 0.95},
        {county_fips: "40109", share: 0.05},
      ],
    ],
  ]);
  expect(await sharesOf(["40109", 1], ["40017", 1])).toEqual([
    [
      "40017",
      [
        {county_fips: "40017", share: 0.5},
        {county_fips: "40109", share: 0.5},
      ],
    ],
  ]);
  expect((await sharesOf(["40109", 0], ["40017", 0], ["40051", 0]))[0]![1]).toEqual(
    ["40017", "40051", "40109"].map((county_fips) => ({county_fips, share: 0.3333})),
  );
});

test("names the largest county of an area even where no share is a twentieth", async () => {
  const many = Array.from({length: 25}, (_, i) => [String(40_001 + 2 * i), 1] as const);
  expect(await sharesOf(...many)).toEqual([["40001", [{county_fips: "40001", share: 0.04}]]]);
});

test("takes an area's point from its county if no gazetteer has one, and skips an area of an unknown county", async () => {
  const {areas} = await zipsOf({
    "a.txt": `${relationship}\n73099|40017|1\n73036|40017|1\n06001|09999|1\n`,
    "b.csv": `${gazetteer}\n73099,35.53,-97.95\n`,
  });
  expect(areas).toMatchObject([
    {zip: "73036", county_fips: "40017", method: "zcta_county_land_area_county_point"},
    {zip: "73099", lat: 35.53, lon: -97.95, county_fips: "40017", method: "zcta_county_land_area"},
  ]);
  expect(areas[0]!.lat).toBeCloseTo(35.5, 0);
});

test.each([
  ["|40017|1", "no_zcta"],
  ["7309|40017|1", "bad_zip_or_county"],
  ["73099|4001|1", "bad_zip_or_county"],
  ["73099||1", "bad_zip_or_county"],
  ["73099|40017|", "bad_zip_or_county"],
  ["73099|40017|-1", "bad_zip_or_county"],
])("rejects the line %s of a relationship file as %s", async (line, reason) => {
  const {areas, reports} = await zipsOf({"a.txt": `${relationship}\n${line}\n73036|40017|0\n`});
  expect(areas.map(({zip}) => zip)).toEqual(["73036"]);
  expect(reports[0]).toMatchObject({rowsIn: 2, accepted: 1, rejected: {[reason]: 1}});
});

test("reads the older relationship file and one with a byte order mark", async () => {
  const {areas} = await zipsOf({"a.txt": "\uFEFFZCTA5,GEOID,AREALANDPT\n73099,40017,1\n"});
  expect(areas).toMatchObject([{zip: "73099", county_fips: "40017"}]);
});

test.each(["Topology", "FeatureCollection"])(
  "recognises county outlines (%s) without using them",
  async (type) => {
    const outlines = `{ "type" : "${type}", "features": [] }`;
    const {areas, reports} = await zipsOf({"a.json": outlines, "b.geojson": outlines});
    expect([areas, reports.map(({status}) => status)]).toEqual([[], ["read", "read"]]);
  },
);

test.each([
  ["a.csv", '{"type": "Topology"}'],
  ["a.json", '{"type": "Feature"}'],
  ["a.csv", "GEOID,INTPTLAT\n73099,35.5\n"],
  ["a.csv", "INTPTLAT,INTPTLONG\n35.5,-97.7\n"],
  ["a.csv", "GEOID_ZCTA5_20,GEOID_COUNTY_20\n73099,40017\n"],
  ["a.csv", gazetteer],
])("describes a file that is neither: %s with %s", async (name, content) => {
  const good = `${gazetteer}\n73036,${inCanadian}\n`;
  const {areas, reports} = await zipsOf({[name]: content, "good.csv": good});
  expect([areas.length, reports.map(({status}) => status)]).toEqual([1, ["failed", "read"]]);
  expect(reports[0]!.reason).toContain(`market/geo/${name}`);
});
