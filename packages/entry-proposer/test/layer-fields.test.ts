import {expect, test} from "vitest";
import {
  codedFieldsOf,
  fittingHeader,
  isNumericType,
  proposeLayerFields,
  soleNumberField,
} from "../src/index.ts";

test.each([
  ["esriFieldTypeOID", true],
  ["esriFieldTypeDouble", true],
  ["esriFieldTypeString", false],
  [null, false],
  [undefined, false],
])("%s is a type of numbers: %s", (type, isNumeric) => {
  expect(isNumericType(type)).toBe(isNumeric);
});

test("the parcel number of a layer says whether its field holds numbers", () => {
  const idsOf = (type?: string | null) => proposeLayerFields([{name: "APN", type}]).ids;
  expect(idsOf("esriFieldTypeInteger")).toEqual({raw: "APN", numericSource: true});
  expect([idsOf("esriFieldTypeString"), idsOf(null), idsOf()]).toEqual(Array(3).fill({raw: "APN"}));
  expect(proposeLayerFields([{name: "ZONING", type: "esriFieldTypeInteger"}]).ids).toBeNull();
});

test("the only field that is called a parcel number is found, and none of two", () => {
  const sole = (...names: string[]) => soleNumberField(names.map((name) => ({name})));
  expect([sole("ZONING", "PIN"), sole("PIN", "APN"), sole("ZONING")]).toEqual(["PIN", undefined, undefined]);
});

test("lists of up to 500 codes are read, by their texts", () => {
  const codes = (count: number) => Array.from({length: count}, (_, code) => ({code, name: `USE ${code}`}));
  const field = (name: string, count: number) => ({name, domain: {codedValues: codes(count)}});
  const others = [{name: "A"}, {name: "B", domain: null}, {name: "C", domain: {codedValues: null}}];
  const lists = codedFieldsOf([...others, field("D", 0), field("E", 1), field("F", 500), field("G", 501)]);
  expect([...lists].map(([name, list]) => [name, list.size])).toEqual([
    ["E", 1],
    ["F", 500],
  ]);
  expect(lists.get("E")?.get("0")).toBe("USE 0");
});

test("a header with a name too many loses the one without which the names fit their cells best", () => {
  const header = ["PIN", "SITE_ADDR", "NOTE", "LAND_ACRES", "LAND_SQFT"];
  const row = (i: number) => [`12-${100 + i}`, `${i} N MAIN ST`, "1.5", "65340"];
  const rows = (count: number) => Array.from({length: count}, (_, i) => row(i));
  expect(fittingHeader(header, rows(5), {state: "OH"})).toEqual(header.filter((name) => name !== "NOTE"));
  expect(fittingHeader(header, rows(4), {state: "OH"})).toBeNull();
  expect(fittingHeader(header.slice(1), rows(5), {state: "OH"})).toBeNull();
  expect(fittingHeader(header, [...rows(5), ["12-9"]], {state: "OH"})).toBeNull();
});
