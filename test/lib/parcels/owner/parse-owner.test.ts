import fc from "fast-check";
import {describe, expect, test} from "vitest";
import type {OwnerOrder} from "../../../../lib/parcels/owner/owner-names.ts";
import {ownerTokens} from "../../../../lib/parcels/owner/owner-tokens.ts";
import {parseOwner} from "../../../../lib/parcels/owner/parse-owner.ts";
import {casesOf} from "../../../cases-of.ts";

const kinds = casesOf<[string, string, string]>("parse-owner-kinds.txt");
test.each(kinds)("%s: %s is %s", (_, raw, kind) => {
  expect(parseOwner(raw, "last_first").kind).toBe(kind);
});

const moreKinds = casesOf<[string, string]>("parse-owner-more-kinds.txt");
test.each(moreKinds)("%s is %s", (raw, kind) => {
  expect(parseOwner(raw, "last_first").kind).toBe(kind);
});

const particles: [string, object][] = [
  ["DE LA HOEVEL MARIA", {last: "DE LA HOEVEL", given: "MARIA"}],
  ["DE LA HOEVEL MARIA ELENA", {last: "DE LA HOEVEL", given: "MARIA ELENA"}],
  ["VAN DER HOEVEL", {last: "VAN DER HOEVEL"}],
  ["VAN HOEVEL", {last: "VAN HOEVEL"}],
  ["VAN HOEVEL J", {last: "VAN HOEVEL", given: "J"}],
  ["MC ALDER TESS", {last: "MC ALDER", given: "TESS"}],
  ["LE ANNA", {last: "LE", given: "ANNA"}],
  ["DELLA HOEVEL ROSA", {last: "DELLA HOEVEL", given: "ROSA"}],
];
test.each(particles)("the particles of %s belong to the last name", (raw, expected) => {
  const [name] = parseOwner(raw, "last_first").names;
  const {text: _, ...roles} = name!;
  expect(roles).toEqual(expected);
});

const names = casesOf<[string, string, object[]]>("parsed-owner-names.txt");
test.each(names)("%s: the names of %s", (_, raw, expected) => {
  const found = parseOwner(raw, "last_first").names;
  expect(found).toHaveLength(expected.length);
  expect(found).toMatchObject(expected);
});

test("W05: two words after & stay unsplit", () => {
  const {names: found, tokens} = parseOwner("HARLOW DALE & QUISTAD JUNE", "last_first");
  expect(found[1]).toEqual({text: "QUISTAD JUNE"});
  expect(tokens).toEqual(["HARLOW", "DALE", "QUISTAD", "JUNE"]);
});

const marks: [string, string, string][] = [
  ["W07", "LUNDEBY, K & SABERG, H CO-TTEES", "trustee"],
  ["W19", "OSGARD MARVIN LIFE EST", "life estate"],
  ["W22", "HARLOW DALE ETAL", "et al"],
  ["W23", "HARLOW DALE ET UX", "et ux"],
  ["shares", "HARLOW DALE 1/2 INT", "share"],
  ["tenancy", "HARLOW DALE & JUNE JT", "joint tenancy"],
];
test.each(marks)("%s: %s notes %s, which is no token", (_, raw, mark) => {
  const owner = parseOwner(raw, "last_first");
  expect(owner.marks).toEqual([mark]);
  expect(owner.tokens).not.toContain("INT");
});

const tokens = casesOf<[string, string, string]>("parse-owner-tokens.txt");
test.each(tokens)("%s: %s has the tokens %s", (_, raw, expected) => {
  expect(parseOwner(raw, "last_first").tokens.join(" ")).toBe(expected);
});

describe("care-of, withheld and several lines", () => {
  test("W25: care-of is kept apart and never searched", () => {
    const owner = parseOwner("HARLOW DALE C/O FIRST PLAINS BANK", "last_first");
    expect(owner).toMatchObject({
      careOf: "FIRST PLAINS BANK",
      ownerName: "HARLOW DALE",
      tokens: ["HARLOW", "DALE"],
    });
  });
  test("W26: a second line that begins with % is care-of", () => {
    const owner = parseOwner("HARLOW DALE\n% FIRST PLAINS BANK", "last_first");
    expect(owner).toMatchObject({kind: "person", careOf: "FIRST PLAINS BANK", ownerName: "HARLOW DALE"});
  });
  test("a share in percent is no care-of", () => {
    expect(parseOwner("HARLOW DALE 50% INT", "last_first")).toMatchObject({careOf: null, marks: ["share"]});
  });
  test.each(
    "CONFIDENTIAL|NAME WITHHELD|UNKNOWN OWNER|REDACTED|NAME REDACTED|*** CONFIDENTIAL ***|(CONFIDENTIAL)|CONFIDENTIAL PER FS 119.071|HARLOW DALE [CONFIDENTIAL]|NAME SUPPRESSED|OWNER NAME UNAVAILABLE ONLINE".split(
      "|",
    ),
  )("W32: %s gives no owner fields", (raw) => {
    const owner = parseOwner(raw, "last_first");
    expect(owner).toMatchObject({withheld: true, kind: null, ownerName: null, tokens: [], names: []});
  });
  test("a company is called CONFIDENTIAL, and is not withheld", () => {
    expect(parseOwner("CONFIDENTIAL SHREDDING, L.L.C.", "last_first")).toMatchObject({kind: "company"});
  });
  test("W32: the source's flag withholds any name", () => {
    expect(parseOwner("HARLOW DALE", "last_first", {confidential: true}).withheld).toBe(true);
  });
  test("W34: two lines are two recorded names", () => {
    const owner = parseOwner(["HARLOW DALE", "QUISTAD JUNE"], "last_first");
    expect(owner).toMatchObject({ownerName: "HARLOW DALE; QUISTAD JUNE", kind: "persons"});
    expect(owner.names.map((name) => name.last)).toEqual(["HARLOW", "QUISTAD"]);
  });
  test("an empty field is no owner, and not withheld", () => {
    expect(parseOwner("  \n NULL", "last_first")).toMatchObject({
      kind: null,
      withheld: false,
      ownerName: null,
    });
  });
});

test("first_last shares the last name of the last part", () => {
  expect(parseOwner("DALE & JUNE VAN HARLOW", "first_last").names).toMatchObject([
    {last: "VAN HARLOW", given: "DALE"},
    {last: "VAN HARLOW", given: "JUNE"},
  ]);
});

describe("properties of owners", () => {
  const orders: OwnerOrder[] = ["last_first", "last_comma_first", "first_last", "unknown"];
  test("no text makes it throw, and tokens are words", () => {
    fc.assert(
      fc.property(fc.string({unit: "binary", maxLength: 120}), fc.constantFrom(...orders), (text, order) => {
        for (const token of parseOwner(text, order).tokens) expect(token).toMatch(/^[A-Z0-9]+$/);
      }),
    );
  });
  test("tokens of the normal form are the tokens again", () => {
    const word = fc.constantFrom(
      ..."HARLOW DALE M QUISTAD LLC & , ST VAN TRUST JR FARMS COUNTY OF".split(" "),
    );
    fc.assert(
      fc.property(fc.array(word, {maxLength: 7}), (words) => {
        const found = ownerTokens(words.join(" "));
        // Initials are there joined, too, and are joined again.
        expect(new Set(ownerTokens(found.join(" ")))).toEqual(new Set(found));
        for (const token of found) expect(ownerTokens(token)).toEqual([token]);
      }),
    );
  });
  test("S8: a hostile line of half a million pieces is read like one of twenty", () => {
    for (const pump of ["& ", "% ", "A-", "1/2 ", "C/O ", ", ", "' ", "TR "]) {
      const {kind, withheld} = parseOwner(pump.repeat(20), "last_first");
      expect(parseOwner(pump.repeat(500_000), "last_first")).toMatchObject({kind, withheld});
    }
  });
});
