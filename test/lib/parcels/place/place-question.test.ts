import {describe, expect, test} from "vitest";
import {PlaceQuestion} from "../../../../lib/parcels/place/place-question.ts";

type Asked = {city?: string; zip?: string; state?: string};
type Row = {
  city?: string;
  zip?: string;
  county?: string;
  point?: {lat: number; lon: number};
  covered?: string[];
};

const waushara = "55137";
const milwaukee = "55079";
const dane = "55025";
const mesa = "08077";

/** The counted scores with their notes; null for another place. */
function compare({city = "", zip = "", state = "WI"}: Asked, row: Row) {
  const question = new PlaceQuestion({city: city || null, zip: zip || null}, state);
  const {city: own = null, zip: code = null, county = null, point = null, covered} = row;
  const match = question.compare({city: own, zip: code, county, point, covered});
  return match === null ? null : match.parts.map(({score, note}) => (note === null ? score : [score, note]));
}

const unchecked = [[0.5, "locality_unchecked"]];

describe("a city or ZIP only in the query is held against the county of a row without a point", () => {
  test.each<[string, Asked, unknown]>([
    ["a ZIP of another county rejects", {zip: "53202"}, null],
    ["a place of another county rejects", {city: "Milwaukee"}, null],
    ["city and ZIP of another county reject", {city: "Milwaukee", zip: "53202"}, null],
    ["a place of another county rejects beside a fitting ZIP", {city: "Milwaukee", zip: "54982"}, null],
    ["a ZIP of another county rejects beside a fitting place", {city: "Wautoma", zip: "53202"}, null],
    ["a ZIP of the county is not checked", {zip: "54982"}, unchecked],
    ["a ZIP that touches the county is not checked", {zip: "54966"}, unchecked],
    ["a place of the county is not checked", {city: "Wautoma"}, unchecked],
    ["a place written with a prefix is not checked", {city: "City of Wautoma"}, unchecked],
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
    expect(compare(asked, {county})?.map((part) => (part as [number, string])[0])).toEqual([0.5, 0.5]);
  });
});

describe("a city or ZIP only in the query is held against what is known of the row", () => {
  // Wautoma, its post office's ZIP 54982, and Plainfield, 16 miles away in the same county.
  const wautoma = {lat: 44.0747, lon: -89.2879};
  const plainfield = {lat: 44.2136, lon: -89.4926};
  const far = {lat: 43.95, lon: -88.97};
  const row = {county: waushara};
  test.each<[string, Asked, Row, unknown]>([
    ["the row's ZIP is one of the city", {city: "Wautoma"}, {...row, zip: "54982"}, [1]],
    ["the row's city has the ZIP", {zip: "54982"}, {...row, city: "WAUTOMA"}, [1]],
    ["its file covers that place alone", {city: "Wautoma"}, {...row, covered: ["Wautoma"]}, [1]],
    ["its file covers another place", {city: "Wautoma"}, {...row, covered: ["Plainfield"]}, null],
    [
      "its file covers several, that among them",
      {city: "Wautoma"},
      {...row, covered: ["Plainfield", "Wautoma"]},
      unchecked,
    ],
    ["its point is in the town", {city: "Wautoma"}, {...row, point: wautoma}, [1]],
    ["its point is in the ZIP's town", {zip: "54982"}, {...row, point: wautoma}, [1]],
    ["its point is in another town of the county", {city: "Wautoma"}, {...row, point: plainfield}, null],
    ["its point is in another ZIP of the county", {zip: "54982"}, {...row, point: plainfield}, null],
    ["both are the point's", {city: "Wautoma", zip: "54982"}, {...row, point: wautoma}, [1, 1]],
    [
      "its city agrees, but its point is in another ZIP",
      {city: "Plainfield", zip: "54982"},
      {...row, city: "PLAINFIELD", point: plainfield},
      [1, [0.3, "ZIP differs"]],
    ],
    ["its point is far from all towns", {city: "Redgranite"}, {...row, point: far}, unchecked],
  ])("%s", (_, asked, found, expected) => {
    expect(compare(asked, found)).toEqual(expected);
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

  const queens = {city: "FLUSHING", county: "36081"};
  const york = {city: "NEW YORK", county: "36061"};
  test.each<[string, string, Row, unknown]>([
    ["a county without a post office of its name", "Queens", queens, [[0.3, "city differs"]]],
    ["a town, and the nearest post office of its county", "Manhattan", york, [[0.3, "city differs"]]],
    ["a town, and a post office of another county", "Manhattan", queens, null],
    ["two towns with post offices", "Bayside", queens, null],
    [
      "a town with a post office, and a ZIP of it",
      "Bayside",
      {...queens, zip: "11361"},
      [[0.3, "city differs"]],
    ],
  ])("of %s", (_, city, its, expected) => {
    expect(compare({city, state: "NY"}, its)).toEqual(expected);
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
  test("S9: rejects where the city differs, too", () => {
    const asked = {city: "SALEM", zip: "97301", state: ""};
    expect(compare(asked, {city: "ALBANY", zip: "97321"})).toBeNull();
  });

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
