import {describe, expect, test} from "vitest";
import {PlaceQuestion} from "../../../../lib/parcels/place/place-question.ts";

type Asked = {city?: string; zip?: string; state?: string};
type Row = {city?: string; zip?: string; county?: string};

const waushara = "55137";
const milwaukee = "55079";
const dane = "55025";
const mesa = "08077";

/** The counted scores with their notes; null for another place. */
function compare({city = "", zip = "", state = "WI"}: Asked, row: Row) {
  const question = new PlaceQuestion({city: city || null, zip: zip || null}, state);
  const match = question.compare({city: row.city ?? null, zip: row.zip ?? null, county: row.county ?? null});
  return match === null ? null : match.parts.map(({score, note}) => (note === null ? score : [score, note]));
}

describe("a city or ZIP only in the query is held against the county of the row", () => {
  test.each<[string, Asked, unknown]>([
    ["a ZIP of another county rejects", {zip: "53202"}, null],
    ["a place of another county rejects", {city: "Milwaukee"}, null],
    ["city and ZIP of another county reject", {city: "Milwaukee", zip: "53202"}, null],
    ["a place of another county rejects beside a fitting ZIP", {city: "Milwaukee", zip: "54982"}, null],
    ["a ZIP of another county rejects beside a fitting place", {city: "Wautoma", zip: "53202"}, null],
    ["a ZIP of the county does not count", {zip: "54982"}, []],
    ["a ZIP that touches the county does not count", {zip: "54966"}, []],
    ["a place of the county does not count", {city: "Wautoma"}, []],
    ["a place written with a prefix does not count", {city: "City of Wautoma"}, []],
    ["an unknown city counts half", {city: "Zzyzxqua"}, [[0.5, "city_unknown"]]],
    ["an unknown ZIP counts half", {zip: "53999"}, [[0.5, "city_unknown"]]],
    ["a misspelt place of the county counts half", {city: "Wautona"}, [[0.5, "city_corrected"]]],
    ["a misspelt place of another county rejects", {city: "Milwuakee"}, null],
    ["the county's own name counts half", {city: "Waushara County"}, [[0.5, "city_corrected"]]],
    ["the county's name alone counts half", {city: "Waushara"}, [[0.5, "city_corrected"]]],
    ["another county's name rejects", {city: "Marathon County"}, null],
  ])("%s", (_, asked, expected) => {
    expect(compare(asked, {county: waushara})).toEqual(expected);
  });

  test("a place in the county's name is the place", () => {
    expect(compare({city: "Mesa County", state: "CO"}, {county: mesa})).toEqual([[0.5, "city_corrected"]]);
  });

  test.each([
    ["a municipality of Manitoba", {city: "Brandon", zip: "53202", state: "MB"}, "MB601"],
    ["a county newer than the table", {city: "Hartford", zip: "06103", state: "CT"}, "09110"],
  ])("nothing is known of %s", (_, asked, county) => {
    expect(compare(asked, {county})).toEqual([]);
  });
});

describe("a city that differs from that of the row", () => {
  const row = {city: "WAUTOMA", county: waushara};
  test.each<[string, Asked, unknown]>([
    ["rejects if it is a known place", {city: "Redgranite"}, null],
    ["counts half if it is misspelt", {city: "Wautmoa"}, [[0.5, "city_corrected"]]],
    ["counts half if it is short", {city: "Wtma"}, [[0.5, "city_corrected"]]],
    [
      "counts half if it is another place of the county misspelt",
      {city: "Redgranit"},
      [[0.5, "city_corrected"]],
    ],
    ["counts half if it is the county", {city: "Waushara County"}, [[0.5, "city_corrected"]]],
    ["counts .3 if it is unknown", {city: "Zzyzxqua"}, [[0.3, "city differs"]]],
    ["rejects if it is another county", {city: "Dane County"}, null],
  ])("%s", (_, asked, expected) => {
    expect(compare(asked, row)).toEqual(expected);
  });

  test("counts .3 if the ZIP agrees", () => {
    const place = {city: "WAUTOMA", zip: "54982", county: waushara};
    expect(compare({city: "Redgranite", zip: "54982"}, place)).toEqual([[0.3, "city differs"], 1]);
  });

  test("does not reject where the row names no place", () => {
    const unnamed = {city: "UNINCORPORATED", county: dane};
    expect(compare({city: "Verona"}, unnamed)).toEqual([[0.3, "city differs"]]);
    expect(compare({city: "Verona"}, {...unnamed, county: milwaukee})).toBeNull();
  });

  test.each([
    ["N RICHLAND HLS", "NORTH RICHLAND HILLS"],
    ["LAKE HAVASU", "LAKE HAVASU CITY"],
    ["SLC", "SALT LAKE CITY"],
    ["ST PAUL", "SAINT PAUL"],
    ["MPLS", "MINNEAPOLIS"],
  ])("%s is %s", (short, long) => {
    expect(compare({city: short, state: "ZZ"}, {city: long, county: dane})?.[0]).not.toEqual([
      0.3,
      "city differs",
    ]);
  });
});

describe("a ZIP that differs from that of the row", () => {
  test("is forgiven where the city agrees", () => {
    const row = {city: "MILWAUKEE", zip: "53202", county: milwaukee};
    expect(compare({city: "Milwaukee", zip: "53203"}, row)).toEqual([1, [0.3, "ZIP differs"]]);
    expect(compare({city: "Milwaukee", zip: "54982"}, row)).toEqual([1, [0.3, "ZIP differs"]]);
  });

  test("is not forgiven where both mean a place of that name in another county", () => {
    const row = {city: "WAUTOMA", zip: "53202", county: milwaukee};
    expect(compare({city: "Wautoma", zip: "54982"}, row)).toBeNull();
  });

  test("rejects where the city differs too, or the query has none", () => {
    const row = {city: "MILWAUKEE", zip: "53202", county: milwaukee};
    expect(compare({city: "Zzyzxqua", zip: "53203"}, row)).toBeNull();
    expect(compare({zip: "53203"}, row)).toBeNull();
  });
});
