import {strippedUnit} from "@open-cattle/us-address";
import fc from "fast-check";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {createFindMaker} from "../../../../lib/delta/find-maker.ts";
import {readKind} from "../../../../lib/parcels/record/record-kind.ts";
import {roundHalfAway} from "../../../../lib/rounding.ts";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";
import * as texts from "../../../../schemas/parcel-fields/texts.ts";
import {recordMembers} from "../../../../schemas/parcel-record.ts";

let db: Database;
const maker = createFindMaker();
beforeAll(async () => {
  db = await openDatabase({memoryLimit: "256MB"});
});
afterAll(async () => {
  db.close();
  await maker.close();
});

async function textsOf(sql: string, type: string, values: readonly unknown[]): Promise<(string | null)[]> {
  const rows = await db.rows<{text: string | null}>(
    `SELECT (${sql})::VARCHAR AS text FROM (SELECT unnest(from_json($values::JSON, '["${type}"]')) AS value)`,
    {values: JSON.stringify(values)},
  );
  return rows.map(({text}) => text);
}

describe("the JSON text that SQL makes", () => {
  it("of a number is that of the number rounded half away from zero", async () => {
    const number = fc.oneof(
      fc.double({min: -1e9, max: 1e9, noNaN: true}),
      fc.integer({min: -9_999_999, max: 9_999_999}).map((n) => n / 10_000),
      fc.constantFrom(0, 2.675, -0.955, 0.00005, 123456789.12345, 1e14, 39390),
    );
    // Below a millionth `roundHalfAway` gives 0, which is not the nearest number of 7 decimals.
    const numbers = fc.sample(number, 2_000).filter((value) => value === 0 || Math.abs(value) >= 1e-6);
    for (const decimals of [0, 4, 7]) {
      const made = await textsOf(texts.decimals("value", decimals), "DOUBLE", numbers);
      const wanted = numbers.map((value) => JSON.stringify(roundHalfAway(value, decimals) + 0));
      expect(made.map((text) => JSON.stringify(Number(text) + 0))).toEqual(wanted);
      expect(made.filter((text) => /[eE]|\.$|\.\d*0$|^-?0\d/.test(text ?? ""))).toEqual([]);
    }
  });

  it("of an amount has no zeros after the last digit", async () => {
    const made = await textsOf(
      texts.money("value"),
      "DECIMAL(14,2)",
      [39390, 39390.5, 0, -12.25, 999999999999.99],
    );
    expect(made).toEqual(["39390", "39390.5", "0", "-12.25", "999999999999.99"]);
  });

  it("of a text reads back as the text, and an empty one is left out", async () => {
    const words = fc
      .sample(fc.string({unit: "binary", minLength: 1}), 1_000)
      .filter((text) => !text.includes("\0"));
    const made = await textsOf(texts.words("value"), "VARCHAR", [...words, ""]);
    expect(made.at(-1)).toBeNull();
    expect(made.slice(0, -1).map((text) => JSON.parse(text!))).toEqual(words);
  });
});

describe("a record made by SQL", () => {
  it("of a row without an id has its values behind their own names", async () => {
    const [made] = await maker.make([{country: "US", state: "IL", county_key: "17031", flags: []}]);
    expect(JSON.parse(`{${made!.facts}}`)).toMatchObject({
      _id: null,
      parcelUid: null,
      state: "IL",
      fipsCounty: "031",
    });
  });

  it.each([
    ["APT", "2B", "APT 2B", "2B"],
    [null, "302", "# 302", "302"],
    ["REAR", null, "REAR", undefined],
    [null, "BLDG 3 UNIT 12", "BLDG 3 UNIT 12", "3 12"],
    [null, "BLDG 3 REAR", "BLDG 3 REAR", "3 REAR"],
    [null, "BLDG 3", "# BLDG 3", "BLDG 3"],
  ])("says the unit %s %s with its words and without", async (type, value, unit, stripped) => {
    const situs = {situs_number: "100", situs_name: "MAIN", situs_type: "ST"};
    const [made] = await maker.make([
      {country: "US", county_key: "48453", flags: [], ...situs, situs_unit_type: type, situs_unit: value},
    ]);
    const members = JSON.parse(`{${made!.facts}}`) as Record<string, unknown>;
    expect([members["unitNumber"], members["unitNumberStripped"]]).toEqual([unit, stripped]);
    expect(members["address"]).toBe(`100 MAIN ST ${unit}`);
    const withoutWords = strippedUnit({unitType: type, unit: value});
    expect(stripped).toBe(withoutWords ?? undefined);
  });

  it("names in its kind exactly the members that it has", async () => {
    const [made] = await maker.make([
      {
        parcel_uid: "48453-1",
        country: "US",
        state: "TX",
        county_key: "48453",
        county_name: "TRAVIS",
        parcel_id: '1"\\é',
        acres: 2.5,
        acres_basis: "computed",
        flags: ["area_mismatch", "no_geometry"],
        owner_withheld: true,
        owner_name: "NOBODY",
        source_url: "https://county.example.org/1",
      },
    ]);
    const members = JSON.parse(`{${made!.facts}}`) as Record<string, unknown>;
    const kind = readKind(made!.kind);
    expect(kind.members.map(({name}) => name)).toEqual(
      recordMembers.map(({name}) => name).filter((name) => members[name] !== undefined),
    );
    expect(members).toMatchObject({parcelId: '1"\\é', acres: 2.5, landArea: 108_900, fipsCounty: "453"});
    expect(members).not.toHaveProperty("ownerName");
    expect([kind.acresBasis, [...kind.flags], kind.hasUrl]).toEqual(["computed", ["area_mismatch"], true]);
    expect(made!.source_url).toBe('"https://county.example.org/1"');
  });
});
