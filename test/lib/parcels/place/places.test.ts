import {expect, test} from "vitest";
import {countiesOfZip, isPlaceOf} from "../../../../lib/parcels/place/postal-places.ts";

test.each([
  ["67801", "20057"],
  ["67801-1234", "20057"],
  // The first three digits of these are those of Wyoming and Oklahoma.
  ["83401", "16019"],
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
