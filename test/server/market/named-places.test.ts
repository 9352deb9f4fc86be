import {describe, expect, test} from "vitest";
import {Problem} from "../../../server/http/problem-document.ts";
import {askedCounties} from "../../../server/market/named-places.ts";
import type {BarnKey} from "../../../server/tables/record-tables.ts";

const barn = (state: string, city: string, venueId: string, county: [string, string] | null): BarnKey => ({
  ...{
    state,
    city,
    venueId,
    venueName: `Two Windmills of ${city}`,
    aliases: [],
    status: "active",
    point: null,
  },
  ...{countyFips: county?.[0] ?? null, countyName: county?.[1] ?? null, lastSaleDate: null},
});

const barns = [
  {
    ...barn("KS", "Old Mill", "ks-two-windmills", ["20057", "Ford County"]),
    aliases: ["Former Yard", "ks-former-id"],
  },
  barn("CT", "Capstone", "ct-two-windmills", ["09110", "Capitol Planning Region"]),
  barn("PR", "Lares", "pr-two-windmills", ["72998", "Newest Municipio"]),
];

type Asked = Parameters<typeof askedCounties>[1];

function refused(asked: Asked): {detail: string; invalid: Record<string, unknown>[]} {
  try {
    askedCounties(barns, asked);
  } catch (error) {
    if (error instanceof Problem)
      return {
        detail: error.message,
        invalid: error.extras.members?.["invalid_params"] as Record<string, unknown>[],
      };
    throw error;
  }
  throw new Error(`${JSON.stringify(asked)} was not refused`);
}

test.each<[Asked, string[]]>([
  [{}, []],
  [{venue: "wind mill"}, []],
  [{venue: "ks-former-id"}, []],
  [{venue: "former yard old mill"}, []],
  [{county: "20057"}, ["20057"]],
  [{county: "Ford", state: "KS"}, ["20057"]],
  [{county: "ford"}, ["17053", "20057"]],
  [{county: "Ford County, KS"}, ["20057"]],
  [{county: "ford, kansas"}, ["20057"]],
  [{county: "ford ks"}, ["20057"]],
  [{county: "Ford Co."}, ["17053", "20057"]],
  [{county: "Ford Co., KS", state: "KS"}, ["20057"]],
  [{county: "County of Ford", state: "KS"}, ["20057"]],
  [{county: "City of Richmond"}, ["51760"]],
  [{county: "Richmond County, VA"}, ["51159"]],
  [{county: "richmond co.", state: "VA"}, ["51159"]],
  [{county: "Richmond", state: "VA"}, ["51159", "51760"]],
  [{county: "Saint Louis County, MO"}, ["29189"]],
  [{county: "St. Louis city, MO"}, ["29510"]],
  [{county: "Acadia County", state: "LA"}, ["22001"]],
  [{county: "Franklin County", state: "LA"}, ["22041"]],
  [{county: "St. Clair", state: "MI"}, ["26147"]],
  [{county: "Saint Clair", state: "MI"}, ["26147"]],
  [{county: "09110"}, ["09110"]],
  [{county: "capitol planning region"}, ["09110"]],
  [{county: "Chugach", state: "AK"}, ["02063"]],
  [{county: "72998"}, ["72998"]],
  [{county: "newest, pr"}, ["72998"]],
])("the question %j is about the counties %j", (asked, codes) => {
  expect(askedCounties(barns, asked)).toEqual(codes);
});

describe("V32: a place that does not exist", () => {
  test("is refused with the near names of its state and their codes", () => {
    const {detail, invalid} = refused({county: "Forde", state: "KS"});
    expect(invalid).toEqual([
      {name: "county", value: "Forde", reason: "unknown_place", allowed: expect.any(Array)},
    ]);
    expect((invalid[0]!["allowed"] as string[])[0]).toBe("Ford, KS (20057)");
    expect(detail).toMatch(/^county names no county in KS; near: Ford, KS \(20057\)/);
  });

  test.each<[Asked, RegExp]>([
    [{county: "99999"}, /^county names no county\.$/],
    [{county: "20999"}, /^county names no county; near: .*, KS \(20209\)/],
    [{county: "20057", state: "NE"}, /^county names no county in NE/],
    [{county: "Ford", state: "TX"}, /^county names no county in TX/],
    [{county: "Ford County, KS", state: "NE"}, /^county names no county in NE/],
    [{county: "Forde, Kansas"}, /^county names no county in KS; near: Ford, KS/],
    [{venue: "nowhere"}, /^venue names no venue\.$/],
    [{venue: "windmils"}, /^venue names no venue; near: Two Windmills of Capstone, Capstone, CT/],
    [{venue: "--"}, /^venue names no venue\.$/],
  ])("%j is refused", (asked, words) => {
    const {detail, invalid} = refused(asked);
    expect(detail).toMatch(words);
    expect(invalid[0]).toMatchObject({reason: "unknown_place"});
    expect((invalid[0]!["allowed"] as string[] | undefined)?.length ?? 0).toBeLessThanOrEqual(5);
  });

  test("names the venues of the state first", () => {
    const near = refused({venue: "ks two windmils", state: "KS"}).invalid[0]!["allowed"] as string[];
    expect(near[0]).toBe("Two Windmills of Old Mill, Old Mill, KS (ks-two-windmills)");
  });
});
