import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {isNullText, nullText} from "../../../../lib/parcels/null-text.ts";
import {areaUnit, readAreaText, toAcres} from "../../../../lib/parcels/values/area.ts";
import {chooseArea} from "../../../../lib/parcels/values/chosen-area.ts";
import {type DateFormat, readDate, readYear} from "../../../../lib/parcels/values/dates.ts";
import {cleanSalePrice, cleanValueParts, readMoney} from "../../../../lib/parcels/values/money.ts";

describe("areas", () => {
  test("X01: square feet to acres and land area", () => {
    expect(chooseArea([{basis: "assessed", value: 1742400, unit: "sqft"}])).toMatchObject({
      acres: 40,
      landAreaSqft: 1742400,
      basis: "assessed",
    });
  });
  test("X02: a lot in acres beside computed square metres 1 % apart", () => {
    const lot = {basis: "assessed", value: 2.5135, unit: areaUnit("A")} as const;
    const computed = {basis: "computed", value: 10276.1689, unit: "m2"} as const;
    expect(chooseArea([lot, computed], 2.5393)).toMatchObject({acres: 2.5135, codes: []});
    expect(toAcres(10276.1689, "m2")).toBeCloseTo(2.5393, 4);
  });
  test.each([
    ["X03", "160 ACRES", {value: 160, unit: "acres"}],
    ["X04", "14.44 FEET", null],
    ["X05", "1,234.50 ACRES", {value: 1234.5, unit: "acres"}],
    ["a unit without number", "ACRES", null],
    ["a number without unit", "160", null],
    ["nothing", "0 ACRES", null],
  ])("%s: %s", (_, text, expected) => {
    expect(readAreaText(text)).toEqual(expected);
  });
  test("X03: 160 acres have 6969600 square feet", () => {
    expect(chooseArea([{basis: "assessed", value: 160, unit: "acres"}]).landAreaSqft).toBe(6969600);
  });
  test("X06: hectares", () => {
    expect(chooseArea([{basis: "assessed", value: 64.75, unit: "ha"}]).acres).toBe(160.0007);
  });
  test("X07: a lot of 0 is omitted", () => {
    expect(chooseArea([{basis: "assessed", value: 0, unit: "sqft"}])).toMatchObject({
      acres: null,
      landAreaSqft: null,
    });
  });
  test("X08: without a legal area the computed one", () => {
    const legal = {basis: "assessed", value: null, unit: areaUnit("Acres")} as const;
    const computed = {basis: "computed", value: 1.89484985, unit: "acres"} as const;
    expect(chooseArea([legal, computed])).toMatchObject({acres: 1.8948, basis: "computed"});
  });
  test("X09: international square feet", () => {
    expect(chooseArea([{basis: "computed", value: 160469.21826, unit: "sqft"}]).acres).toBe(3.6839);
  });
  test("X10: 2.4 % apart is no mismatch", () => {
    expect(chooseArea([{basis: "deeded", value: 95.63, unit: "acres"}], 93.3078)).toMatchObject({
      acres: 95.63,
      codes: [],
    });
  });
  test("X11: more than 10 % apart is flagged", () => {
    const chosen = chooseArea([{basis: "deeded", value: 2, unit: "acres"}], 3.1);
    expect(chosen).toMatchObject({acres: 2, codes: ["area_mismatch"]});
  });
  test("X12: stated square feet are kept beside stated acres", () => {
    const stated = [
      {basis: "assessed", value: 6000, unit: "sqft"},
      {basis: "assessed", value: 0.1377, unit: "acres"},
    ] as const;
    expect(chooseArea(stated)).toMatchObject({acres: 0.1377, landAreaSqft: 6000});
  });
  test("more than 1,500,000 acres are implausible, a unit that is not known is said", () => {
    expect(chooseArea([{basis: "deeded", value: 2e6, unit: "acres"}])).toMatchObject({
      acres: null,
      codes: ["area_implausible"],
    });
    expect(chooseArea([{basis: "deeded", value: 2, unit: null}])).toMatchObject({
      acres: null,
      codes: ["area_unit_unknown"],
    });
  });
});

describe("money", () => {
  test.each([
    ["X13", "     118,650", 118650, null],
    ["X14", "$208,600", 208600, null],
    ["X15", "16600.00000000000", 16600, null],
    ["X17", "(1,200)", null, null],
    ["minus", "-12", null, null],
    ["words", "SEE NOTE", null, "bad_number"],
    ["exponent", "1e5", null, "bad_number"],
    ["blank", "  ", null, null],
    ["zero is a value here", "0", 0, null],
  ])("%s: %j", (_, text, amount, code) => {
    expect(readMoney(text)).toEqual({amount, code});
  });
  test("X16: zero parts of a known total are none", () => {
    expect(cleanValueParts(39390, [0, 0], "unknown")).toEqual({
      total: 39390,
      parts: [null, null],
      codes: ["value_parts_contradict"],
    });
  });
  test("a zero part that makes the sum right stays", () => {
    expect(cleanValueParts(39390, [39390, 0], "unknown")).toEqual({
      total: 39390,
      parts: [39390, 0],
      codes: [],
    });
  });
  test("X18: a sale price of 1 is nominal", () => {
    expect(cleanSalePrice(1)).toEqual({price: null, code: "nominal_price"});
    expect(cleanSalePrice(100)).toEqual({price: 100, code: null});
  });
  test("X19: a total of 0 is omitted, unless zero means zero", () => {
    expect(cleanValueParts(0, [0, 0], "unknown")).toEqual({
      total: null,
      parts: [null, null],
      codes: ["zero_value"],
    });
    expect(cleanValueParts(0, [0, 0], "zero")).toEqual({total: 0, parts: [0, 0], codes: []});
  });
});

describe("dates", () => {
  const asOf = "2026-11-21";
  const cases: [string, string | number, DateFormat, string | null, string | null][] = [
    ["X20", "1235520000000", "epochMs", "2009-02-25", null],
    ["X21", -315619200000, "epochMs", "1960-01-01", null],
    ["X22", "20250801", "ymd", "2025-08-01", null],
    ["X23", "September 14, 2000", "longDate", "2000-09-14", null],
    ["X24", "04/01/2010", "mdy", "2010-04-01", null],
    ["X25", "1/32/2015", "mdy", null, "bad_date"],
    ["X26", "1901-01-01", "ymd", null, null],
    ["placeholder", "1900-01-01", "ymd", null, null],
    ["epoch 0", 0, "epochMs", null, null],
    ["the future", "2027-01-01", "ymd", null, "future_date"],
    ["two digits of a year", "4/1/10", "mdy", null, "bad_date"],
    ["no such day", "2025-02-29", "ymd", null, "bad_date"],
    ["leap day", "2024/02/29", "ymd", "2024-02-29", null],
    ["time behind the day", "2025-08-01T10:00:00Z", "ymd", "2025-08-01", null],
    ["short month", "Sep 4, 2000", "longDate", "2000-09-04", null],
    ["day first", "4 September 2000", "longDate", "2000-09-04", null],
    ["blank", " ", "mdy", null, null],
  ];
  test.each(cases)("%s: %s as %s", (_, cell, format, date, code) => {
    expect(readDate(cell, {format, asOf})).toEqual({date, code});
  });
  test("years end with the year after the build's", () => {
    expect(readYear("2027", asOf)).toBe(2027);
    expect([readYear("2028", asOf), readYear("0", asOf), readYear("85", asOf), readYear(null, asOf)]).toEqual(
      [null, null, null, null],
    );
  });
  test("a date that was read reads as itself, and no text makes it throw", () => {
    fc.assert(
      fc.property(
        fc.date({min: new Date("1800-01-01"), max: new Date("2026-11-20"), noInvalidDate: true}),
        (day) => {
          const text = day.toISOString().slice(0, 10);
          const {date} = readDate(text, {format: "ymd", asOf});
          if (date !== null) expect(date).toBe(text);
          // The instant 0 is no date; the printed day is one.
          const epoch = readDate(day.getTime(), {format: "epochMs", asOf});
          expect(epoch.date).toBe(day.getTime() === 0 ? null : date);
        },
      ),
    );
    fc.assert(
      fc.property(
        fc.string({unit: "binary"}),
        fc.constantFrom<DateFormat>("epochMs", "ymd", "mdy", "longDate"),
        (text, format) => {
          readDate(text, {format, asOf});
          readMoney(text);
          readAreaText(text);
        },
      ),
    );
  });
});

describe("null spellings", () => {
  test.each([
    "",
    " ",
    "NULL",
    "<Null>",
    "na",
    "N/A",
    "None",
    "-",
    "--",
    ".",
    "unknown",
    "TBD",
    "No Situs",
    "0",
  ])("%j says nothing in a text", (cell) => expect(nullText(cell)).toBeNull());
  test("0 is a value of a number, NA of a code", () => {
    expect([isNullText("0", "number"), isNullText("NA", "code"), isNullText("NA", "number")]).toEqual([
      false,
      false,
      true,
    ]);
  });
  test("a word with a null spelling inside is a text", () => {
    expect(nullText(" NONESUCH ")).toBe("NONESUCH");
  });
});
