import {describe, expect, test} from "vitest";
import {ColumnClaims} from "../src/column-claims.ts";
import {proposedArea, proposedDate, proposedValues} from "../src/propose-values.ts";

type Cells = readonly (number | string)[];
const claimsOf = (columns: Readonly<Record<string, Cells>>) =>
  new ColumnClaims(
    Object.entries(columns).map(([name, cells]) => ({name, samples: cells.map(String)})),
    "KS",
  );
/** Ten numbers from one on, times a factor. */
const tens = (factor: number, from = 0) => Array.from({length: 10}, (_, i) => (i + 1) * factor + from);

describe("values", () => {
  const kinds = (columns: Readonly<Record<string, Cells>>) => {
    const {fields, values} = proposedValues(claimsOf(columns));
    return Object.fromEntries(
      Object.entries(fields).map(([column, {from}]) => [column, [from, values?.[column as "land_value"]]]),
    );
  };
  const [land, building] = [tens(100), tens(300)];

  test("none are proposed of a table without money", () => {
    expect(proposedValues(claimsOf({ZONING: ["R1"]}))).toEqual({fields: {}});
  });

  test("each is read as money, and a zero is unknown", () => {
    expect(proposedValues(claimsOf({MARKET_VALUE: land}))).toEqual({
      fields: {market_value: {from: "MARKET_VALUE", transform: ["money"]}},
      values: {market_value: "market", zeroMeans: "unknown"},
    });
  });

  test.each<[string, Readonly<Record<string, Cells>>, Record<string, unknown>]>([
    ["a total is the assessed value", {TOTAL_VALUE: land}, {assessed_value: ["TOTAL_VALUE", "assessed"]}],
    [
      "a total that is as high as the assessed value is the market value",
      {ASSESSED_VALUE: land, TOTAL_VALUE: land},
      {assessed_value: ["ASSESSED_VALUE", "assessed"], market_value: ["TOTAL_VALUE", "market"]},
    ],
    [
      "a total that is lower in one row of ten is the market value",
      {ASSESSED_VALUE: land, TOTAL_VALUE: [...land.slice(0, 9), 1]},
      {assessed_value: ["ASSESSED_VALUE", "assessed"], market_value: ["TOTAL_VALUE", "market"]},
    ],
    [
      "a total that is lower in two rows of ten is neither",
      {ASSESSED_VALUE: land, TOTAL_VALUE: [...land.slice(0, 8), 1, 1]},
      {assessed_value: ["ASSESSED_VALUE", "assessed"]},
    ],
    [
      "a total beside a market value is the assessed one",
      {MARKET_VALUE: land, TOTAL_VALUE: land},
      {assessed_value: ["TOTAL_VALUE", "assessed"], market_value: ["MARKET_VALUE", "market"]},
    ],
    [
      "a total beside both is neither",
      {ASSESSED_VALUE: land, MARKET_VALUE: tens(400), TOTAL_VALUE: building},
      {assessed_value: ["ASSESSED_VALUE", "assessed"], market_value: ["MARKET_VALUE", "market"]},
    ],
    [
      "parts are those of the assessed value that they add up to",
      {LAND_VALUE: land, BUILDING_VALUE: building, ASSESSED_VALUE: tens(400), MARKET_VALUE: tens(900)},
      {
        assessed_value: ["ASSESSED_VALUE", "assessed"],
        market_value: ["MARKET_VALUE", "market"],
        land_value: ["LAND_VALUE", "assessed"],
        building_value: ["BUILDING_VALUE", "assessed"],
      },
    ],
    [
      "parts are those of the market value that they add up to",
      {LAND_VALUE: land, BUILDING_VALUE: building, ASSESSED_VALUE: tens(100), MARKET_VALUE: tens(400)},
      {
        assessed_value: ["ASSESSED_VALUE", "assessed"],
        market_value: ["MARKET_VALUE", "market"],
        land_value: ["LAND_VALUE", "market"],
        building_value: ["BUILDING_VALUE", "market"],
      },
    ],
    [
      "parts that add up to nothing are assessed",
      {LAND_VALUE: land, BUILDING_VALUE: building, ASSESSED_VALUE: tens(100), MARKET_VALUE: tens(500)},
      {
        assessed_value: ["ASSESSED_VALUE", "assessed"],
        market_value: ["MARKET_VALUE", "market"],
        land_value: ["LAND_VALUE", "assessed"],
        building_value: ["BUILDING_VALUE", "assessed"],
      },
    ],
    [
      "parts beside a market value alone are of it",
      {LAND_VALUE: land, MARKET_VALUE: tens(500)},
      {market_value: ["MARKET_VALUE", "market"], land_value: ["LAND_VALUE", "market"]},
    ],
    ["parts alone are assessed", {LAND_VALUE: land}, {land_value: ["LAND_VALUE", "assessed"]}],
    [
      "of two pairs of parts the assessed one is taken beside an assessed value",
      {LAND_MARKET: tens(7), LAND_ASSESSED: land, ASSESSED_VALUE: land},
      {
        assessed_value: ["ASSESSED_VALUE", "assessed"],
        land_value: ["LAND_ASSESSED", "assessed"],
        market_land_value: ["LAND_MARKET", undefined],
      },
    ],
    [
      "of two pairs of parts without an assessed value the first is taken",
      {LAND_MARKET: tens(7), LAND_ASSESSED: land, MARKET_VALUE: tens(9)},
      {
        market_value: ["MARKET_VALUE", "market"],
        land_value: ["LAND_ASSESSED", "assessed"],
        market_land_value: ["LAND_MARKET", undefined],
      },
    ],
    [
      "bare words are parts and their total where both parts are there",
      {LAND: land, BUILDING: building, TOTAL: tens(400)},
      {
        assessed_value: ["TOTAL", "assessed"],
        land_value: ["LAND", "assessed"],
        building_value: ["BUILDING", "assessed"],
      },
    ],
    [
      "a bare word for land alone is no part, and the bare total no total",
      {LAND: land, TOTAL: tens(400)},
      {},
    ],
    ["a bare word for buildings alone is no part", {BUILDING: land, TOTAL: tens(400)}, {}],
    [
      "a bare word for buildings is the part beside a named one of land",
      {LAND_VALUE: land, IMPROVEMENTS: building},
      {land_value: ["LAND_VALUE", "assessed"], building_value: ["IMPROVEMENTS", "assessed"]},
    ],
    [
      "a bare word for buildings is no part beside an assessed one of land",
      {LAND_ASSESSED: land, IMPROVEMENTS: building},
      {land_value: ["LAND_ASSESSED", "assessed"]},
    ],
    [
      "rows without either value do not tell which is higher",
      {
        ASSESSED_VALUE: [...land.slice(0, 5), "", "", "", "", ""],
        TOTAL_VALUE: [...land.slice(0, 5), 1, 1, 1, 1, 1],
      },
      {assessed_value: ["ASSESSED_VALUE", "assessed"], market_value: ["TOTAL_VALUE", "market"]},
    ],
  ])("%s", (_, columns, expected) => {
    expect(kinds(columns)).toEqual(expected);
  });

  /** The kind of parts that add up to the market value in so many of the rows, which are so many. */
  const kindOfParts = (sums: readonly number[]) => {
    const at = <T>(cells: readonly T[]) => cells.slice(0, sums.length);
    const {values} = proposedValues(
      claimsOf({
        LAND_VALUE: at(land),
        BUILDING_VALUE: at(building),
        ASSESSED_VALUE: at(tens(1)),
        MARKET_VALUE: sums,
      }),
    );
    return values?.land_value;
  };
  test.each<[string, readonly number[], string]>([
    ["eight of ten rows tell a sum", [...tens(400).slice(0, 8), 1, 1], "market"],
    ["seven of ten rows tell none", [...tens(400).slice(0, 7), 1, 1, 1], "assessed"],
    ["rows without a sum do not count", [...tens(400).slice(0, 5), 0, 0, 0, 0, 0], "market"],
    ["four rows tell none", tens(400).slice(0, 4), "assessed"],
    ["five rows tell a sum", tens(400).slice(0, 5), "market"],
    ["a sum may be a hundredth off", tens(403), "market"],
    ["a sum may be no fiftieth off", tens(408), "assessed"],
  ])("%s", (_, sums, kind) => {
    expect(kindOfParts(sums)).toBe(kind);
  });
});

test.each<[readonly string[], string | null]>([
  [["20250801", "20250802"], "ymd"],
  [["2025-08-01 00:00:00"], "ymd"],
  [["2025/8/1"], "ymd"],
  [["4/1/2010"], "mdy"],
  [["04-01-2010T00:00"], "mdy"],
  [["Sep 4, 2000", "September 14 2000"], "longDate"],
  [["Jan  5 2015 12:00AM", "Feb  6 2015 12:00AM"], "longDate"],
  [["20150630.0"], "ymd"],
  [["12/31/2015, 7:00:00 PM"], "mdy"],
  [["1609459200000"], "epochMs"],
  [["-160945920.0"], "epochMs"],
  [["4/1/2010", "20250801", "20250802"], "ymd"],
  [["4/1/2010", "20250801"], null],
  [["4/1/2010", "", " ", ""], "mdy"],
  [["4/1/2010", "n.a.", "n.a."], null],
  [[], null],
])("the dates %j are read by %s", (samples, expected) => {
  expect(proposedDate({name: "SALE_DATE", samples})).toBe(expected);
});

test("a column of dates by its type has milliseconds, whatever its cells are", () => {
  expect(proposedDate({name: "SALE_DATE", type: "esriFieldTypeDate", samples: ["4/1/2010"]})).toBe("epochMs");
  expect(proposedDate({name: "SALE_DATE", type: "esriFieldTypeDateOnly"})).toBe("ymd");
  expect(proposedDate({name: "SALE_DATE"})).toBeNull();
});

describe("areas", () => {
  const area = (columns: Readonly<Record<string, Cells>>, outlines: readonly (number | null)[] = []) =>
    proposedArea(claimsOf(columns), outlines);
  const all = (cell: number | string, count = 10) => Array.from({length: count}, () => cell);
  const lots = tens(0.51);

  test.each<[string, Readonly<Record<string, Cells>>, (number | null)[], string | null]>([
    ["the name", {ACRES: all(7)}, [], "acres"],
    ["the name, of few cells", {LOT_SQFT: all(7, 4)}, [], "sqft"],
    ["the name, where nothing is above 0", {ACRES: all(0)}, [], "acres"],
    ["nothing, for texts", {ACRES: [...all("7 AC", 2), ...all(7, 8)]}, [], null],
    ["the name, beside a text in ten", {ACRES: [...all("7 AC", 1), ...all(7, 9)]}, [], "acres"],
    ["the name, with commas", {LOT_SQFT: all("7,000")}, [], "sqft"],
    ["the values, where no parcel has as many acres", {ACRES: all(3_000)}, [], "sqft"],
    ["the name, where few counties have as many acres", {ACRES: all(2_999)}, [], "acres"],
    ["nothing, where no lot has as few square feet", {LOT_SQFT: all(19)}, [], null],
    ["the name, where a lot may have as few square feet", {LOT_SQFT: all(20)}, [], "sqft"],
    ["the values, of many", {LOT_SIZE: all(1_501)}, [], "sqft"],
    ["nothing, of whole numbers", {LOT_SIZE: all(7)}, [], null],
    ["the values, of small numbers with points", {LOT_SIZE: lots}, [], "acres"],
    ["nothing, of large numbers with points", {LOT_SIZE: tens(20.51)}, [], null],
    ["nothing, of three points in ten", {LOT_SIZE: [...all(7.5, 3), ...all(7, 7)]}, [], null],
    ["the values, of four points in ten", {LOT_SIZE: [...all(7.5, 4), ...all(7, 6)]}, [], "acres"],
    ["the outlines", {LOT_SIZE: all(7)}, all(7) as number[], "acres"],
    ["the outlines, of square feet", {LOT_SIZE: all(43_560)}, all(1) as number[], "sqft"],
    ["the outlines before the name", {ACRES: all(43_560)}, all(1) as number[], "sqft"],
    ["nothing, where the outlines have another size", {ACRES: all(14)}, all(7) as number[], null],
    ["nothing, where the outlines are larger", {ACRES: all(3.5)}, all(7) as number[], null],
    ["the outlines, that are nearly twice as small", {LOT_SIZE: all(13)}, all(7) as number[], "acres"],
    ["the outlines, that are nearly twice as large", {LOT_SIZE: all(4)}, all(7) as number[], "acres"],
    ["five outlines", {LOT_SIZE: all(7)}, [7, 7, 7, 7, 7, null, null, null, 0, 0], "acres"],
    ["no four outlines", {LOT_SIZE: all(7)}, [7, 7, 7, 7, null, null, null, null, 0, 0], null],
    ["the middle of the outlines", {LOT_SIZE: all(7)}, [1, 1, 1, 7, 7, 7, 7, 99, 99, 99], "acres"],
  ])("the unit is that of %s", (_, columns, outlines, unit) => {
    expect(area(columns, outlines)?.unit ?? null).toBe(unit);
  });

  test("a declared area is taken before a computed one, with all of its unit", () => {
    expect(area({GIS_ACRES: lots, ACRES: lots, DEED_ACRES: lots, LOT_SQFT: all(9_000)})).toEqual({
      from: ["DEED_ACRES", "ACRES", "GIS_ACRES"],
      unit: "acres",
      basis: ["deeded", "assessed", "computed"],
    });
  });

  test("square feet alone are taken, and the columns are claimed", () => {
    const claims = claimsOf({LOT_SQFT: all(9_000), ZONING: ["R1"]});
    expect(proposedArea(claims)).toEqual({from: "LOT_SQFT", unit: "sqft", basis: "assessed"});
    expect(["LOT_SQFT", "ZONING"].map((name) => claims.isTaken(name))).toEqual([true, false]);
  });

  test("a column of units says that of each row, unless a better area has its own", () => {
    const unit = {AREA_UNIT: all("AC")};
    expect(area({LOT_SIZE: all(7), ...unit})).toEqual({
      from: "LOT_SIZE",
      unit: "perRow",
      unitFrom: "AREA_UNIT",
      basis: "assessed",
    });
    expect(area({ACRES: all(7), LOT_SIZE: all(7), ...unit})).toMatchObject({unit: "acres"});
  });

  test("none is proposed of a table without one", () => {
    expect(area({ZONING: ["R1"]})).toBeUndefined();
  });
});
