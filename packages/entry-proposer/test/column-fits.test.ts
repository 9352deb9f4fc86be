import {describe, expect, test} from "vitest";
import {fitsRole, looksLikeOwnerAddress, provesRole} from "../src/column-fits.ts";
import {ColumnValues, memberPaths} from "../src/column-values.ts";
import {invented} from "./invented-states.ts";

/** A hundred cells, so many of them good and the others bad. */
const mixed = (good: string, bad: string, count: number) =>
  new ColumnValues(Array.from({length: 100}, (_, i) => (i < count ? good : bad)));

const {west, east, south, north} = invented.boxOf!("KS")!;

/** The role, a cell of it, a cell that is not, and the least share of good cells in per cent with which a column fits. */
const shares: readonly [role: string, good: string, bad: string, least: number][] = [
  ["situs_raw", "12 ELM ST", "12", 50],
  ["situs_raw", "12 ELM ST", "https://x.example.org", 91],
  ["situs_raw", "12 ELM ST", "PO BOX 12", 90],
  ["situs_raw", "12 ELM ST", "BOX 12", 90],
  ["situs_raw", "12 ELM ST", "C/O PLAINS BANK", 90],
  ["situs_raw", "12 ELM ST", "9 ELM ST, RENO, NV 89501", 90],
  ["situs_number", "12 1/2", "A", 70],
  ["situs_number", "12345678901234", "123456789012345", 70],
  ["situs_pre", "n.w.", "MAIN", 80],
  ["situs_post", "South", "MAIN", 80],
  ["situs_type", "blvd.", "MAIN", 60],
  ["situs_unit", "1234567890123456", "12345678901234567", 80],
  ["city", "ASHMERE", "A", 80],
  ["city", "ASHMERE", "12", 96],
  ["city", "ASHMERE", "PO BOX 12", 90],
  ["zip", "67501-1234", "6750", 80],
  ["zip", "67501.0", "89501", 90],
  ["mail_city", "RENO", "1", 80],
  ["mail_city", "RENO", "www.example.org", 91],
  ["mail_zip", "89501", "A", 50],
  ["mail_state", "Kansas", "Plains", 70],
  ["mail_state", "k.s.", "Plains", 70],
  ["owner_raw", "QUISTAD JUNE", "1", 80],
  ["owner_second", "QUISTAD JUNE", "1", 80],
  ["taxpayer", "QUISTAD JUNE", "1", 80],
  ["owner_care_of", "QUISTAD JUNE", "1", 80],
  ["subdivision", "1", "http://x.example.org", 91],
  ["legal_desc", "LOT 1", "1", 50],
  ["census_tract", "0012.01", "12", 80],
  ["census_tract", "20057961900", "2005796190", 80],
  ["jurisdiction", "ECHO CITY", "1", 50],
  ["jurisdiction", "ECHO CITY", "www.example.org", 91],
  ["source_url", "www.example.org", "example", 90],
  ["year_built", "1600", "1599", 90],
  ["year_built", "2100", "2101", 90],
  ["roll_year", "1990", "1989", 90],
  ["roll_year", "2100", "2101", 90],
  ["tax_year", "1990", "1989", 90],
  ["tax_year", "2100", "2101", 90],
  ["stories", "120", "121", 90],
  ["stories", "0", "-1", 90],
  ["stories", "1", "TWO", 90],
  ["bedrooms", "500", "501", 90],
  ["bathrooms", "500", "501", 90],
  ["building_count", "500", "501", 90],
  ["building_area", "1,200", "BIG", 90],
  ["land_value", "$1,200.50", "HIGH", 90],
  ["section", "99", "100", 90],
  ["parcel_id", "1-A", "A", 80],
  ["parcel_id", "12-34", "4/1/2019", 51],
  ["alt_id", "R1", "A", 80],
  ["lon", String(west - 0.99), String(west - 1.01), 90],
  ["lon", String(east + 0.99), String(east + 1.01), 90],
  ["lat", String(south - 0.99), String(south - 1.01), 90],
  ["lat", String(north + 0.99), String(north + 1.01), 90],
];

describe("a column fits a role", () => {
  test.each(shares)("%s: with %j, but not %j, in %d of 100 cells at least", (role, good, bad, least) => {
    // Other numbers fit by their digits alone; the same number a hundred times is no second one.
    const tell = (count: number) => {
      const {cells} = mixed(good, bad, count);
      const values = role === "alt_id" ? cells.map((cell, i) => (cell === good ? `R${i}` : cell)) : cells;
      return fitsRole(role, new ColumnValues(values), "KS", invented.boxOf);
    };
    expect([least - 1, least].map(tell)).toEqual([false, true]);
  });

  test("of a second number, if half of the cells differ", () => {
    const repeated = (different: number) =>
      new ColumnValues(Array.from({length: 100}, (_, i) => `R${i % different}`));
    expect([49, 50].map((different) => fitsRole("alt_id", repeated(different)))).toEqual([false, true]);
  });

  test("of degrees, in any state if none is known", () => {
    for (const role of ["lon", "lat"])
      expect(["-180", "180", "-181", "181"].map((cell) => fitsRole(role, mixed(cell, "", 100)))).toEqual([
        true,
        true,
        false,
        false,
      ]);
  });

  test("of ZIPs, in any state if none is known", () => {
    expect(fitsRole("zip", mixed("89501", "", 100))).toBe(true);
  });

  test("while fewer than five cells are known, and if the role has no test", () => {
    expect([4, 5].map((count) => fitsRole("stories", mixed("TALL", "", count)))).toEqual([true, false]);
    expect(fitsRole("zoning", mixed("TALL", "", 100))).toBe(true);
  });
});

test.each<[role: string, good: string, bad: string, least: number]>([
  ["situs_raw", "12 ELM ST", "ELM ST", 70],
  ["situs_raw", "12 ELM ST", "12 ELM", 50],
  ["situs_number", "12", "ELM", 95],
  ["mail_state", "NV", "RENO", 95],
  ["mail_zip", "89501", "RENO", 90],
])(
  "cells prove the role %s by themselves: with %j, but not %j, in %d of 100 at least",
  (role, good, bad, least) => {
    const tell = (count: number) => provesRole(role, mixed(good, bad, count), "KS");
    expect([least - 1, least].map(tell)).toEqual([false, true]);
  },
);

test.each(["LANE", "NORTH"])("cells of which half are %s prove no street name", (word) => {
  expect([49, 50].map((count) => provesRole("situs_name", mixed(word, "MAPLE", count)))).toEqual([
    true,
    false,
  ]);
});

test("a member of dictionaries is known if a tenth of the cells have it", () => {
  const cells = (count: number) => [
    "{'rare': 1, 'usual': 2}",
    ...Array<string>(count - 1).fill("{'usual': 2}"),
  ];
  expect(memberPaths(cells(10))).toEqual([["rare"], ["usual"]]);
  expect(memberPaths(cells(11))).toEqual([["usual"]]);
});

describe("cells are an owner's", () => {
  const own = (cell: string, count: number, most?: number) =>
    looksLikeOwnerAddress(mixed(cell, "12 ELM ST", count), "KS", most);

  test.each([
    "P.O. BOX 12",
    "po bx 3",
    "PO DRAWER A",
    "BOX 12",
    "C/O PLAINS BANK",
    "% QUISTAD JUNE",
    "ATTN TAX DESK",
    "QUISTAD C/O BANK",
    "89501",
    "89501-0001",
    "NV",
    "RENO, NV 89501",
    "RENO nv 89501-1234",
  ])("with %j in more than one cell", (cell) => {
    expect([own(cell, 1), own(cell, 2)]).toEqual([false, true]);
  });

  test.each(["67501", "KS", "HUTCHINSON, KS 67501", "BOXWOOD", "ZZ", "RENO, ZZ 89501", "NV DR"])(
    "never with %j in Kansas",
    (cell) => expect(own(cell, 100)).toBe(false),
  );

  test("by the share that is asked for", () => {
    expect([own("NV", 10, 0.1), own("NV", 11, 0.1)]).toEqual([false, true]);
  });

  test("by the state only if it is known", () => {
    expect(looksLikeOwnerAddress(mixed("NV", "", 100), undefined)).toBe(false);
    expect(looksLikeOwnerAddress(mixed("PO BOX 1", "", 100), undefined)).toBe(true);
  });
});
