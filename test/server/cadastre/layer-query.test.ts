import {expect, test} from "vitest";
import {countyBox} from "../../../lib/geography/county-box.ts";
import {parcelIdSpellings} from "../../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import {layerQueries} from "../../../server/cadastre/layer-query.ts";
import {brazos, layerEntry} from "./county-fixture.ts";

type Question = Parameters<typeof layerQueries>[0];
type Given = Parameters<typeof layerQueries>[1];

const text = (name: string) => ({name, numeric: false});
const columns = {id: text("APN"), address: text("SITUS"), number: null, owner: text("OWNER")};
type Changes = {readonly map?: object; readonly statewide?: boolean; readonly cadastre?: object};

function queriesOf(question: object, {map = {}, statewide = false, cadastre = {}}: Changes = {}) {
  const url = "https://gis.example.org/rest/0";
  const source = layerEntry(url, {
    cadastre: {url, idForms: ["raw", "std"], point: true, ...cadastre} as never,
  });
  const given = {
    map: {...columns, ...map},
    layer: {source, statewide},
    county: {country: "US", state: "TX", key: brazos.key},
  };
  return layerQueries({state: "TX", counties: null, ...question} as Question, given as unknown as Given);
}
const wheresOf = (queries: ReturnType<typeof queriesOf>) => queries.map(({form}) => form["where"]);

const address = (number: string | null, name: string | null, more: object = {}) => ({
  kind: "address",
  address: {number, numberLo: Number.parseInt(number ?? "", 10) || null, name, status: "numbered", ...more},
});

test.each([
  ["by the beginning of the line", {}, "12", "SITUS LIKE '12%'"],
  ["by a column of numbers", {number: {name: "NO", numeric: true, whole: true}}, "12", "NO = 12"],
  [
    "by a column of text, which may have blanks",
    {number: {...text("NO"), whole: true}},
    "12A",
    "NO LIKE '%12%'",
  ],
  ["by all of a grid number", {number: {...text("NO"), whole: true}}, "N65W21", "UPPER(NO) LIKE '%N65W21%'"],
  [
    "by its digits where letters stand elsewhere",
    {number: {...text("NO"), whole: false}},
    "N65W21",
    "UPPER(NO) LIKE '%65W21%'",
  ],
  [
    "by the line where a column of numbers has no place for it",
    {number: {name: "NO", numeric: true, whole: true}},
    "N65W21",
    "UPPER(SITUS) LIKE 'N65W21%'",
  ],
])("a house number is asked %s", (_, map, number, where) => {
  expect(wheresOf(queriesOf(address(number, "ELM"), {map}))[0]).toEqual(where);
});

const marks = (field: string) => ["-", "&", "/"].map((mark) => `${field} LIKE '%${mark}%'`).join(" OR ");
const onElm = `(SITUS LIKE '%12%' OR ${marks("SITUS")}) AND UPPER(SITUS) LIKE '%ELM%'`;
const numbers = {name: "NO", numeric: true, whole: true};
const streets = {...text("STREET"), isStreet: true};

test.each([
  ["of a line", "12", "ELM", {}, onElm],
  ["of a line beside a column of numbers", "12", "ELM", {number: numbers}, onElm],
  [
    "by the beginning of a number of three digits and more",
    "1822",
    "23RD",
    {},
    `(SITUS LIKE '%1822%' OR ${marks("SITUS")}) AND SITUS LIKE '%18%' AND (SITUS LIKE '%23%' OR UPPER(SITUS) LIKE '%THIRD%')`,
  ],
  [
    "of a column of text beside one of streets",
    "12",
    "ELM",
    {number: {...text("NO"), whole: true}, address: streets},
    `(NO LIKE '%12%' OR ${marks("NO")}) AND UPPER(STREET) LIKE '%ELM%'`,
  ],
  [
    "of no column of numbers beside one of streets",
    "12",
    "ELM",
    {number: numbers, address: streets},
    undefined,
  ],
])("a number behind other words or inside a range is asked %s", (_, number, name, map, where) => {
  expect(wheresOf(queriesOf(address(number, name), {map}))[1]).toBe(where);
});

test.each([
  ["ELM", ["ELM"]],
  ["NORTH BLUESTEM HILL", ["BLUESTEM"]],
  ["OBRIEN", ["BRIEN"]],
  ["MCALDER", ["ALDER"]],
  ["FARMERS", ["FARMER"]],
  ["COUNTY ROAD 12", ["12"]],
  ["FM 1826", ["1826"]],
  ["M59", ["59"]],
  ["1500 E", ["1500"]],
  ["23RD", ["23", "THIRD"]],
  ["5TH", ["5", "FIFTH"]],
  ["SAINT", ["SAINT", "ST"]],
])("where a county has too many rows of a number, %s is asked as %j", (name, parts) => {
  const [query] = queriesOf(address("12", name));
  expect(query!.narrower!.map(({form}) => form["where"])).toEqual(
    parts.map((part) => {
      const field = /[A-Z]/.test(part) ? "UPPER(SITUS)" : "SITUS";
      return `SITUS LIKE '12%' AND ${field} LIKE '%${part}%'`;
    }),
  );
});

test.each([
  ["without a number", address(null, "ELM")],
  ["without a street", address("12", null)],
  ["of a box", address("12", "ELM", {status: "po_box"})],
])("no county is asked for an address %s", (_, question) => {
  expect(queriesOf(question)).toEqual([]);
});

test("a layer is not asked for what it has no column of", () => {
  const without = {map: {address: null, id: null, owner: null}};
  expect(queriesOf(address("12", "ELM"), without)).toEqual([]);
  expect(queriesOf({kind: "owner", words: {tokens: ["QUISTAD"]}}, without)).toEqual([]);
  expect(queriesOf({kind: "parcel_id", readings: [reading("R-1")]}, without)).toEqual([]);
});

const reading = (id: string, countyKey: string | null = null, state: string | null = null) => ({
  ...{id, countyKey, state},
  spellings: parcelIdSpellings(id),
});

test.each([
  ["in each form of the entry once", [reading("R-1")], {}, ["APN = 'R-1'", "APN = 'R1'"]],
  ["once where its forms are equal", [reading("R1")], {}, ["APN = 'R1'"]],
  ["by the reading of this county", [reading("48041-7"), reading("7", "48041", "TX")], {}, ["APN = '7'"]],
  [
    "by the reading of this state",
    [reading("TX-7"), reading("8", "48453", "TX"), reading("7", null, "TX")],
    {},
    ["APN = '7'"],
  ],
  [
    "by the first reading where none is of here",
    [reading("OK-7"), reading("7", null, "OK")],
    {},
    ["APN = 'OK-7'", "APN = 'OK7'"],
  ],
  ["as a number, each value once", [reading("0-7")], {id: {name: "N", numeric: true}}, ["N = 7"]],
  ["not as a number that is none", [reading("7A")], {id: {name: "N", numeric: true}}, []],
  ["not as a number of 16 digits", [reading("1".repeat(16))], {id: {name: "N", numeric: true}}, []],
  [
    "as a number of 15 digits",
    [reading("1".repeat(15))],
    {id: {name: "N", numeric: true}},
    [`N = ${"1".repeat(15)}`],
  ],
  ["not by a suffix of ours", [reading("R1~2")], {}, []],
  ["not without a reading", [], {}, []],
])("a parcel number is asked %s", (_, readings, map, wheres) => {
  expect(wheresOf(queriesOf({kind: "parcel_id", readings}, {map}))).toEqual(wheres);
});

const like = (...words: string[]) => words.map((word) => `UPPER(OWNER) LIKE '%${word}%'`).join(" AND ");

test.each([
  [{tokens: ["QUISTAD", "HELGA"]}, like("QUISTAD", "HELGA"), like("QUISTAD", "HELGA")],
  [{tokens: ["OBRIELL", "JP", "X", "LLC", "ASSN"]}, like("BRIELL"), like("OBRIELL", "JP")],
  [{tokens: ["JP"]}, like("JP"), like("JP")],
  [{tokens: ["QUISTAD", "QUISTAD"]}, like("QUISTAD"), like("QUISTAD")],
  [{lastName: "Quistad", firstName: "Helga"}, like("QUISTAD", "HELGA"), like("QUISTAD", "HELGA")],
  [{lastName: "Quistad", firstName: null}, like("QUISTAD"), like("QUISTAD")],
])("the owner %j is asked wide, and narrower where too many fit", (words, wide, narrower) => {
  const [query, ...more] = queriesOf({kind: "owner", words});
  expect([query!.form["where"], query!.narrower!.map(({form}) => form["where"]), more]).toEqual([
    wide,
    [narrower],
    [],
  ]);
});

test("an owner of company words alone is not asked, and of many words eight", () => {
  expect(queriesOf({kind: "owner", words: {tokens: ["LLC", "TRUST", "A"]}})).toEqual([]);
  const tokens = Array.from({length: 9}, (_, i) => `WORTH${"ABCDEFGHI"[i]}`);
  expect(wheresOf(queriesOf({kind: "owner", words: {tokens}}))).toEqual([like(...tokens.slice(0, 8))]);
});

test("a point is asked in degrees, of layers that can tell what is there", () => {
  const question = {kind: "location", point: {lat: 30.65, lon: -96.35}};
  const [query] = queriesOf(question);
  expect(query).toMatchObject({
    form: {
      where: "1=1",
      geometryType: "esriGeometryPoint",
      inSR: "4326",
      spatialRel: "esriSpatialRelIntersects",
    },
    comparisons: [],
  });
  expect(JSON.parse(query!.form["geometry"]!)).toEqual({x: -96.35, y: 30.65, spatialReference: {wkid: 4326}});
  expect(queriesOf(question, {cadastre: {point: false}})).toEqual([]);
});

test("a layer of a whole state is asked within the box of the county, grown a little", () => {
  const question = {kind: "owner", words: {tokens: ["QUISTAD"]}};
  const [query] = queriesOf(question, {statewide: true});
  const box = countyBox(brazos.key)!;
  expect(query!.form["geometryType"]).toBe("esriGeometryEnvelope");
  expect(JSON.parse(query!.form["geometry"]!)).toEqual({
    ...{xmin: box.west - 0.02, ymin: box.south - 0.02, xmax: box.east + 0.02, ymax: box.north + 0.02},
    spatialReference: {wkid: 4326},
  });
  expect(queriesOf(question)[0]!.form).not.toHaveProperty("geometry");
});
