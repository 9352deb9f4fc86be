import {describe, expect, test} from "vitest";
import {ColumnClaims} from "../src/column-claims.ts";
import type {SourceColumn} from "../src/field-proposal.ts";
import {proposedIds} from "../src/propose-ids.ts";
import {proposedUse} from "../src/propose-use.ts";
import {invented} from "./invented-states.ts";

const rows = 40;
/** A column of 40 cells. */
const column = (name: string, cell: (i: number) => string, type?: string): SourceColumn => ({
  name,
  type,
  samples: Array.from({length: rows}, (_, i) => cell(i)),
});
/** A column of which so many cells are different, in order; further ones are filled with the first, or empty. */
const different = (name: string, count: number, other: "first" | "empty" = "first", start = 1_000) =>
  column(name, (i) => (i < count ? String(start + i) : other === "first" ? String(start) : ""));
const dashed = (i: number) => `12-${1_000 + i}`;
const bare = (i: number) => `12${1_000 + i}`;
const ids = (columns: readonly SourceColumn[], idField?: string) =>
  proposedIds(new ColumnClaims(columns, "KS"), idField);

test("an account that is different in each row is the number of a table without another", () => {
  expect(ids([column("ACCOUNT", bare)])).toEqual({raw: "ACCOUNT", alt: [], parent: null, account: null});
  expect(ids([different("ACCOUNT", 10)])).toBeNull();
});

test("another column of numbers that differ in each row also finds the parcel", () => {
  const found = ids([column("PIN", bare), column("FOLIO", (i) => `F${i + 100}`), different("GEOCODE", 10)]);
  expect(found).toMatchObject({raw: "PIN", alt: ["FOLIO"]});
});

describe("the parcel number", () => {
  test.each<[string, readonly SourceColumn[], string | undefined]>([
    ["is none of a table without numbers", [column("ZONING", () => "R1")], undefined],
    ["is the first of names alone", [{name: "PARCEL_NO"}, {name: "PIN"}], "PARCEL_NO"],
    [
      "is a text before a number, which lost its zeros",
      [column("PARCEL_NO", bare, "esriFieldTypeDouble"), column("PIN", bare, "esriFieldTypeString")],
      "PIN",
    ],
    [
      "is a number where no text is one",
      [column("PARCEL_NO", bare, "esriFieldTypeInteger"), column("ZONING", () => "R1")],
      "PARCEL_NO",
    ],
    ["is different in each row", [different("PARCEL_NO", 39), different("PIN", 40)], "PIN"],
    ["is nearly different in each row", [different("PARCEL_NO", 23), different("PIN", 24)], "PIN"],
    ["is known in each row", [different("PARCEL_NO", 30, "empty"), different("PIN", 40)], "PIN"],
    [
      "is not judged by nineteen cells",
      [column("PARCEL_NO", (i) => (i < 19 ? "1000" : "")), different("PIN", 24, "empty")],
      "PARCEL_NO",
    ],
    [
      "is judged by twenty cells",
      [column("PARCEL_NO", (i) => (i < 20 ? "1000" : "")), different("PIN", 24, "empty")],
      "PIN",
    ],
    [
      "is known by few cells where the other is only nearly different",
      [
        {name: "PARCEL_NO", samples: Array.from({length: 20}, (_, i) => (i < 19 ? "1000" : ""))},
        {name: "PIN", samples: Array.from({length: 20}, (_, i) => dashed(i))},
      ],
      "PARCEL_NO",
    ],
    [
      "is none of half of the rows that repeats",
      [column("PARCEL_NO", (i) => (i < 20 ? dashed(i % 10) : "")), different("QUILL_PARCEL_REF", 40)],
      "QUILL_PARCEL_REF",
    ],
    [
      "is a column with a word for it before a named one that repeats",
      [different("PARCEL_NO", 4), different("QUILL_PARCEL_REF", 36)],
      "QUILL_PARCEL_REF",
    ],
    ["may be named TAX MAP", [different("PARCEL_NO", 4), different("QUILL TAX MAP", 40)], "QUILL TAX MAP"],
    [
      "is a named one that repeats before one that repeats without a name",
      [different("PARCEL_NO", 4), different("QUILL_PARCEL_REF", 35)],
      "PARCEL_NO",
    ],
    [
      "is a named one that repeats before few cells without a name",
      [different("PARCEL_NO", 4), different("QUILL_PARCEL_REF", 19, "empty")],
      "PARCEL_NO",
    ],
    [
      "may be known in half of the rows where no named one tells them apart",
      [different("PARCEL_NO", 4), different("QUILL_PARCEL_REF", 20, "empty")],
      "QUILL_PARCEL_REF",
    ],
    [
      "is no former number",
      [different("PARCEL_NO", 4), different("OLD_PARCEL_REF", 40), different("PARCEL_PAGE", 40)],
      "PARCEL_NO",
    ],
    [
      "is no column without a word for it",
      [different("PARCEL_NO", 4), different("QUILL_REF", 40)],
      "PARCEL_NO",
    ],
    [
      "has three digits in a row in nearly all cells",
      [different("PARCEL_NO", 4), column("QUILL_PARCEL_REF", (i) => (i < 5 ? `A${i}B` : String(1_000 + i)))],
      "PARCEL_NO",
    ],
    ["of two prints is that with signs", [column("PARCEL_NO", bare), column("PIN", dashed)], "PIN"],
    ["stays, where the signs are its own", [column("PARCEL_NO", dashed), column("PIN", bare)], "PARCEL_NO"],
    [
      "stays, where the signs are another number's",
      [column("PARCEL_NO", bare), column("PIN", (i) => `13-${1_000 + i}`)],
      "PARCEL_NO",
    ],
    [
      "stays, where the signs are of a number with other letters",
      [column("PARCEL_NO", (i) => `A${bare(i)}`), column("PIN", (i) => `B${dashed(i)}`)],
      "PARCEL_NO",
    ],
    [
      "stays, where one of the numbers with signs is another",
      [column("PARCEL_NO", bare), column("PIN", (i) => (i === 7 ? "99-1" : dashed(i)))],
      "PARCEL_NO",
    ],
  ])("%s", (_, columns, raw) => {
    expect(ids(columns)?.raw).toBe(raw);
  });

  test("is the column that a person names, whatever it holds, and no other role takes it", () => {
    const columns = [column("PARCEL_NO", dashed), different("ALT_ID", 40)];
    expect(ids(columns, "ALT_ID")).toMatchObject({raw: "ALT_ID", alt: ["PARCEL_NO"]});
    expect(ids(columns, "PARCEL_NO")).toMatchObject({raw: "PARCEL_NO", alt: ["ALT_ID"]});
    const account = different("ACCOUNT_NO", 40);
    expect(ids([account], "ACCOUNT_NO")).toEqual({raw: "ACCOUNT_NO", alt: [], parent: null, account: null});
  });
});

describe("other numbers", () => {
  test("three at most find the parcel, each with numbers of its own", () => {
    const others = ["ALT_ID", "GEO_ID", "ALTPIN", "STATE_PIN", "LOC_ID"];
    const columns = [
      column("PARCEL_NO", dashed),
      ...others.map((name, at) => different(name, 40, "first", at < 2 ? 5_000 : at * 10_000)),
    ];
    const claims = new ColumnClaims(columns, "KS");
    const {alt} = proposedIds(claims, undefined)!;
    expect(alt).toHaveLength(3);
    expect(alt.filter((name) => name === "ALT_ID" || name === "GEO_ID")).toHaveLength(1);
    expect(others.every((name) => claims.isTaken(name))).toBe(true);
  });

  test("columns without cells are not taken for the same", () => {
    expect(ids([{name: "PARCEL_NO"}, {name: "ALT_ID"}, {name: "GEO_ID"}])?.alt).toHaveLength(2);
  });

  test("one that equals the parcel number finds nothing more", () => {
    expect(ids([column("PARCEL_NO", dashed), column("ALT_ID", dashed)])?.alt).toEqual([]);
    expect(
      ids([column("PARCEL_NO", dashed), column("ALT_ID", (i) => (i === 39 ? "9" : dashed(i)))])?.alt,
    ).toEqual(["ALT_ID"]);
  });

  test.each([
    [20, ["ACCOUNT_NO"]],
    [19, []],
  ])("an account with %d different numbers in 40 rows finds %j", (count, alt) => {
    expect(ids([column("PARCEL_NO", dashed), different("ACCOUNT_NO", count)])).toEqual({
      raw: "PARCEL_NO",
      alt,
      parent: null,
      account: "ACCOUNT_NO",
    });
  });

  test("the shell parcel is the parent", () => {
    expect(ids([column("PARCEL_NO", dashed), different("PARENT_PARCEL", 3)])?.parent).toBe("PARENT_PARCEL");
  });
});

describe("the use", () => {
  const use = (columns: readonly SourceColumn[], state?: string) =>
    proposedUse(new ColumnClaims(columns, state, invented));
  const codes = ["1", "2", "3A", "4A"];
  const jersey = (name: string, strangers = 0) =>
    column(name, (i) => (i < strangers ? "ZZZ" : codes[i % codes.length]!));
  const words = column("USE_DESC", (i) => ["VACANT LAND", "SINGLE FAMILY"][i % 2]!);

  test.each<[string, readonly SourceColumn[], string | undefined, object | undefined]>([
    ["is nothing without a column", [column("ZONING", () => "R1")], "NJ", undefined],
    [
      "has the system of its state",
      [jersey("PROP_CLASS")],
      "NJ",
      {systems: ["nj-modiv"], codeFrom: "PROP_CLASS"},
    ],
    [
      "has no system without a state",
      [jersey("PROP_CLASS")],
      undefined,
      {systems: [], codeFrom: "PROP_CLASS"},
    ],
    ["has no system of another state", [jersey("PROP_CLASS")], "KS", {systems: [], codeFrom: "PROP_CLASS"}],
    ["fits with nine of ten codes", [jersey("PROP_CLASS", 4)], "NJ", {systems: ["nj-modiv"]}],
    ["does not fit with fewer", [jersey("PROP_CLASS", 5)], "NJ", {systems: []}],
    [
      "does not fit by four cells",
      [column("PROP_CLASS", (i) => (i < 4 ? codes[i]! : ""))],
      "NJ",
      {systems: [], codeFrom: "PROP_CLASS"},
    ],
    [
      "fits by five cells",
      [column("PROP_CLASS", (i) => (i < 5 ? codes[i % 4]! : ""))],
      "NJ",
      {systems: ["nj-modiv"]},
    ],
    [
      "is the column that fits before one of a surer name",
      [column("PROP_CLASS", () => "QQ"), jersey("LAND_USE")],
      "NJ",
      {systems: ["nj-modiv"], codeFrom: "LAND_USE"},
    ],
    [
      "is a property type where nothing else is there",
      [column("PROPERTY_TYPE", () => "QQ")],
      "NJ",
      {systems: [], codeFrom: "PROPERTY_TYPE"},
    ],
    [
      "is the code before a property type",
      [column("PROPERTY_TYPE", () => "QQ"), column("PROP_CLASS", () => "QR")],
      "NJ",
      {systems: [], codeFrom: "PROP_CLASS"},
    ],
    ["has its words beside it", [jersey("PROP_CLASS"), words], "NJ", {descriptionFrom: "USE_DESC"}],
    ["is its words alone", [words], "NJ", {systems: [], codeFrom: "USE_DESC", descriptionFrom: "USE_DESC"}],
    [
      "has no words that are codes",
      [jersey("PROP_CLASS"), column("USE_DESC", (i) => (i < 7 ? "VACANT" : "12"))],
      "NJ",
      {systems: ["nj-modiv"], codeFrom: "PROP_CLASS"},
    ],
    [
      "has words that are mostly codes",
      [jersey("PROP_CLASS"), column("USE_DESC", (i) => (i < 8 ? "VACANT" : "12"))],
      "NJ",
      {descriptionFrom: "USE_DESC"},
    ],
    [
      "is code and words in one column",
      [column("LAND_USE", (i) => (i < 20 ? "VACANT" : "12"))],
      "NJ",
      {codeFrom: "LAND_USE", descriptionFrom: "LAND_USE"},
    ],
    [
      "is a code alone where fewer than half are words",
      [column("LAND_USE", (i) => (i < 19 ? "VACANT" : "12"))],
      "NJ",
      {systems: [], codeFrom: "LAND_USE"},
    ],
  ])("%s", (_, columns, state, expected) => {
    const found = use(columns, state);
    if (expected === undefined) return expect(found).toBeUndefined();
    expect(found).toMatchObject(expected);
    if (!("descriptionFrom" in expected)) expect(found).not.toHaveProperty("descriptionFrom");
  });

  test("has two columns where the state prints a second one of the same system", () => {
    const state = column("STAT_LAND_USE", (i) => ["A1", "D1", "F1"][i % 3]!);
    const local = column("LOC_LAND_USE", (i) => ["A1", "E1"][i % 2]!);
    const both = {systems: ["tx-state-category"], codeFrom: ["STAT_LAND_USE", "LOC_LAND_USE"]};
    expect(use([state, local], "TX")).toEqual(both);
    expect(use([state, {...local, name: "PROP_CLASS"}], "TX")?.codeFrom).toBe("STAT_LAND_USE");
  });

  test("is no column of many different texts", () => {
    const many = (name: string, count: number, of: number): SourceColumn => ({
      name,
      samples: Array.from({length: of}, (_, i) => `Q${i % count}`),
    });
    expect(use([many("LAND_USE", 25, 50)], "NJ")?.codeFrom).toBe("LAND_USE");
    expect(use([many("LAND_USE", 26, 50)], "NJ")).toBeUndefined();
    expect(use([many("LAND_USE", 49, 49)], "NJ")?.codeFrom).toBe("LAND_USE");
    expect(use([many("LAND_USE", 250, 1_000)], "NJ")?.codeFrom).toBe("LAND_USE");
    expect(use([many("LAND_USE", 251, 1_000)], "NJ")).toBeUndefined();
  });

  test("takes its columns, so that no other role has them", () => {
    const claims = new ColumnClaims([jersey("PROP_CLASS"), words], "NJ");
    proposedUse(claims);
    expect(["PROP_CLASS", "USE_DESC"].map((name) => claims.isTaken(name))).toEqual([true, true]);
  });
});
