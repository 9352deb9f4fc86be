import {expect, test} from "vitest";
import type {Manifest} from "../../../schemas/manifest.ts";
import {Problem} from "../../../server/http/problem-document.ts";
import {chooseCounty, countyOfLine, municipalitiesOf} from "../../../server/parcels/county-choice.ts";
import {generationOf} from "../server-fixture.ts";

const county = (county_key: string, county_name: string) => ({county_key, county_name});
/** A build with municipalities of Manitoba, and a county of a code that is newer than the county table. */
const generation = generationOf(null, {
  manifest: {
    states: {
      MB: {
        counties: [
          county("MB101", "ALONSA (RM)"),
          county("MB102", "RM OF PINEY"),
          county("MB103", "BRANDON (CITY)"),
          county("MB104", "ALONSA (TOWN)"),
        ],
      },
      TX: {counties: [county("48999", "Newmade County")]},
    },
  } as unknown as Manifest,
});

const chosen = (text: string | undefined, state: string | null = null) => {
  const choice = chooseCounty(generation, text, state);
  return choice === null ? null : [[...choice.keys].sort(), choice.state];
};

test.each<[string | undefined, string | null, unknown]>([
  [undefined, "TX", null],
  ["48453", null, [["48453"], "TX"]],
  ["48453", "TX", [["48453"], "TX"]],
  ["453", "TX", [["48453"], "TX"]],
  ["Travis", "TX", [["48453"], "TX"]],
  ["travis COUNTY", null, [["48453"], "TX"]],
  ["Ford", null, [["17053", "20057"], null]],
  ["Ford", "KS", [["20057"], "KS"]],
  ["Ford County, KS", null, [["20057"], "KS"]],
  ["Ford, Kansas", "KS", [["20057"], "KS"]],
  ["Franklin", "VA", [["51067", "51620"], "VA"]],
  ["Franklin County", "VA", [["51067"], "VA"]],
  ["Franklin city, VA", null, [["51620"], "VA"]],
  ["Baltimore Co.", "MD", [["24005"], "MD"]],
  ["Franklin County, LA", null, [["22041"], "LA"]],
  ["48999", null, [["48999"], "TX"]],
  ["48999", "TX", [["48999"], "TX"]],
  ["newmade", "TX", [["48999"], "TX"]],
  ["mb101", null, [["MB101"], "MB"]],
  ["102", "MB", [["MB102"], "MB"]],
])("the county %j of the state %j is %j", (text, state, expected) => {
  expect(chosen(text, state)).toEqual(expected);
});

test("a county that a line names is not the city of its name", () => {
  const named = countyOfLine(generation, "RICHMOND", "VA");
  expect(chosen(named, "VA")).toEqual([["51159"], "VA"]);
  expect(chosen(countyOfLine(generation, "ACADIA", "LA"), "LA")).toEqual([["22001"], "LA"]);
  expect(countyOfLine(generation, "NOWHERE", "VA")).toBeUndefined();
});

const refusalOf = (text: string, state: string | null) => {
  try {
    chosen(text, state);
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return (error as Problem).extras.members!.invalid_params;
  }
  throw new Error("it was taken");
};

test.each<[string, string | null, string, string[] | undefined]>([
  ["48453", "OK", "is not a county in OK", undefined],
  ["99999", null, "is not a county", undefined],
  ["453", null, "is not a county", undefined],
  ["4845", "TX", "is not a county in TX", undefined],
  ["Washington County, TX", "OK", "is not a county in OK", ["Washington, OK"]],
  ["Travs", "TX", "is not a county in TX", ["Travis, TX"]],
  ["newmad", "TX", "is not a county in TX", ["Newmade County, TX"]],
  ["MB999", "MB", "is not a county in MB", undefined],
  ["no such place at all", null, "is not a county", undefined],
])("%j in %j is refused: %s, with the names %j", (text, state, reason, allowed) => {
  const [fault] = refusalOf(text, state) as {
    name: string;
    value: string;
    reason: string;
    allowed?: string[];
  }[];
  expect(fault).toMatchObject({name: "county", value: text, reason});
  expect(fault!.allowed).toEqual(allowed === undefined ? undefined : expect.arrayContaining(allowed));
  expect((fault!.allowed ?? []).length).toBeLessThanOrEqual(5);
});

test.each<[string, string | null, unknown]>([
  ["MB", "Alonsa", ["MB101", "MB104"]],
  ["MB", "piney", ["MB102"]],
  ["MB", "Brandon", ["MB103"]],
  ["MB", "Winnipeg", null],
  ["MB", null, null],
  ["TX", "Alonsa", null],
])("in %s the city %j names the municipalities %j", (state, city, keys) => {
  const choice = municipalitiesOf(generation, state, city);
  expect(choice === null ? null : [...choice.keys]).toEqual(keys);
  if (choice !== null) expect(choice.state).toBe("MB");
});
