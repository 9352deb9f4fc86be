import proj4 from "proj4";
import {afterAll, expect, test} from "vitest";
import {createAnswerReader} from "../../../server/cadastre/answer-reader.ts";
import {layerMap} from "../../../server/cadastre/county-layer-map.ts";
import {brazos, inventedRows, layerEntry} from "./county-fixture.ts";
import {pageOf, square} from "./fake-arcgis.ts";
import {nastyReplies} from "./nasty-replies.ts";

/** Texas Central in US survey feet (EPSG 2277), as counties send it. */
const central =
  'PROJCS["NAD_1983_StatePlane_Texas_Central_FIPS_4203_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",2296583.333333333],PARAMETER["False_Northing",9842499.999999998],PARAMETER["Central_Meridian",-100.3333333333333],PARAMETER["Standard_Parallel_1",30.11666666666667],PARAMETER["Standard_Parallel_2",31.88333333333333],PARAMETER["Latitude_Of_Origin",29.66666666666667],UNIT["Foot_US",0.3048006096012192]]';
const county = {country: "US", state: "TX", key: brazos.key} as const;
const rows = inventedRows();
const facts = {
  geometryType: "esriGeometryPolygon",
  fields: Object.keys(rows[0]!.attributes).map((name) => ({name, type: "esriFieldTypeString"})),
  maxRecordCount: null,
  lastEditDate: null,
};
const {entry} = layerMap({source: layerEntry("https://gis.example.org/0"), statewide: false}, facts, county)!;
const reader = createAnswerReader();
afterAll(() => reader.close());

const read = (page: Record<string, unknown>) => readBody(JSON.stringify(page));

async function readBody(text: string | Buffer) {
  const task = {
    entry,
    comparisons: [],
    county: brazos.key,
    asked: 200,
    provesCounty: false,
    point: null,
    layerEdit: null,
  };
  const body = Buffer.from(text);
  const turn = {publisher: "gis.example.org", signal: new AbortController().signal};
  return reader.read("reply", {...task, body, retrievedAt: "2026-11-20T10:00:00.000Z"}, turn);
}

const inFeet = rows.map((row) => ({
  attributes: row.attributes,
  geometry: {rings: [square(row).map(([x, y]) => proj4("WGS84", central, [x!, y!]))]},
}));

test.each([
  ["a number of its own", {wkid: 102739, latestWkid: 2277}],
  ["an older number alone", {wkid: 2277}],
  ["a text alone", {wkt: central}],
])("reads an answer in feet, whose system is %s", async (_, spatialReference) => {
  const found = await read({...pageOf(rows), features: inFeet, spatialReference});
  expect(found.kind).toBe("rows");
  const places = found.kind === "rows" ? found.rows.map(({geometry}) => geometry) : [];
  expect(places).toHaveLength(3);
  expect(places[0]!.lon).toBeCloseTo(brazos.lon + 0.0005, 5);
  expect(places[0]!.lat).toBeCloseTo(brazos.lat + 0.0005, 5);
});

test("refuses an answer whose system is unknown, or is not that of its coordinates", async () => {
  const unknown = await read({...pageOf(rows), features: inFeet, spatialReference: {wkid: 999_999}});
  expect(unknown).toMatchObject({kind: "failed", reason: "in coordinates of an unknown system"});
  const lying = await read({...pageOf(rows), features: inFeet});
  expect(lying).toMatchObject({kind: "failed", reason: "no row of the answer passed the checks"});
});

/** Bodies that are quick to judge; `make crash` sends the others as well. */
const quick = nastyReplies(rows[0]!).flatMap(({name, page}) =>
  page !== undefined && page.length < 64 * 1024 ? [{name, page}] : [],
);

test.each(quick)("refuses $name, and takes it for no fault of its own", async ({page}) => {
  expect(await readBody(page)).toMatchObject({kind: "failed", status: "rejected"});
});

test("reads what it asks by: address, number, owner and parcel number come from the fields of the queries", () => {
  const fields = ["PROP_NO", "APN", "LOC_LINE", "SITUS", "HOUSE", "OWNER", "TAXPAYER"];
  const map = layerMap(
    {
      statewide: false,
      source: layerEntry("https://gis.example.org/0", {
        terms: {store: true, redistributeOwners: true, bulk: false},
        owners: {published: true, order: "unknown"},
        ids: {raw: "APN"},
        fields: {situs_raw: {from: "SITUS"}, owner_raw: {from: "OWNER"}},
        vintage: ["retrieved"],
        cadastre: {
          url: "https://gis.example.org/0",
          idField: "PROP_NO",
          idForms: ["raw"],
          addressField: "LOC_LINE",
          numberField: "HOUSE",
          ownerField: "TAXPAYER",
        },
      }),
    },
    {...facts, fields: fields.map((name) => ({name, type: "esriFieldTypeString"}))},
    county,
  )!;
  expect(map.entry.fields).toMatchObject({
    situs_raw: {from: "LOC_LINE"},
    situs_number: {from: "HOUSE"},
    owner_raw: {from: "TAXPAYER"},
  });
  expect(map.entry.ids).toEqual({raw: "APN", alt: ["PROP_NO"]});
});
