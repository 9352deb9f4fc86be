import {readFileSync} from "node:fs";
import {join} from "node:path";
import {stateCodes, stateOfZip} from "@open-cattle/us-address";
import {expect, test} from "vitest";
import {countiesOfZip, isPlaceOf} from "../../../../lib/parcels/place/postal-places.ts";
import {referenceDir} from "../../../../lib/paths.ts";

test.each([
  ["67801", "20057"],
  ["67801-1234", "20057"],
  ["83401", "16019"],
  // The first three digits of this one are those of Oklahoma.
  ["73960", "48421"],
])("the ZIP %s lies in county %s first", (zip, county) => {
  expect(countiesOfZip(zip)?.[0]).toBe(county);
});

test.each([
  ["MI", "SHELBY TWP"],
  ["OH", "LIBERTY TOWNSHIP"],
  ["FL", "N MIAMI BCH"],
  ["FL", "PT ST LUCIE"],
  ["PA", "LOWER GWYNEDD"],
])("in %s %s is a place", (state, town) => {
  expect(isPlaceOf(state, town)).toBe(true);
});

test.each(["TOWNSHIP", "CITY HALL", "LOWER LEVEL", "N SIDE", "REAR", "W"])("%s is no place", (words) => {
  expect(isPlaceOf("OR", words)).toBe(false);
});

test("a ZIP that nobody has lies in no county", () => {
  expect(countiesOfZip("00000")).toBeNull();
});

test("each ZIP of the places is of the state of its place", () => {
  const ofOtherState: string[] = [];
  for (const line of readFileSync(join(referenceDir, "places.tsv"), "utf8").split("\n")) {
    const [state = "", city, , , , zips = ""] = line.split("\t");
    if (!stateCodes.has(state)) continue;
    for (const [zip] of zips.matchAll(/(?<=^| )\d{5}/g))
      if (stateOfZip(zip) !== state) ofOtherState.push(`${zip} ${city} ${state}`);
  }
  expect(ofOtherState).toEqual([]);
});

test.each([
  ["06389", "CT"],
  ["06390", "NY"],
  ["06391", "CT"],
  ["83413", "ID"],
  ["83414", "WY"],
  ["83415", "ID"],
  ["83401-1234", "ID"],
  ["83414-1234", "WY"],
  ["87654", "NM"],
  ["87201", null],
])("the ZIP %s is of %s", (zip, state) => {
  expect(stateOfZip(zip)).toBe(state);
});
