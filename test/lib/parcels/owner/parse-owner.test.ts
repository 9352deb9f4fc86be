import fc from "fast-check";
import {describe, expect, test} from "vitest";
import type {OwnerOrder} from "../../../../lib/parcels/owner/owner-names.ts";
import {ownerTokens} from "../../../../lib/parcels/owner/owner-tokens.ts";
import {parseOwner} from "../../../../lib/parcels/owner/parse-owner.ts";

const kinds: [string, string, string][] = [
  ["W01", "HARLOW DALE M", "person"],
  ["W02", "HARLOW, DALE M & JUNE", "persons"],
  ["W03", "HARLOW DALE M & JUNE R", "persons"],
  ["W04", "HARLOW DALE & QUISTAD JUNE R", "persons"],
  ["W05", "HARLOW DALE & QUISTAD JUNE", "persons"],
  ["W06", "DELMARO TOMAS/ANITA", "persons"],
  ["W07", "LUNDEBY, K & SABERG, H CO-TTEES", "trust"],
  ["W08", "DENBY P & ELSA NORDVIK JOINT REVOCABLE TRUST", "trust"],
  ["W09", "HARLOW FAMILY TR", "trust"],
  ["W10", "PLAINSTEAD BANK & TRUST CO", "company"],
  ["W11", "BRANDL & O'SHEAN LLC", "company"],
  ["W12", "ASHMERE CITY OF", "government"],
  ["W13", "HOLTBY COUNTY", "government"],
  ["W14", "COUNTY LINE FARMS LLC", "company"],
  ["W15", "STATELINE RANCH", "company"],
  ["W16", "UNITED STATES OF AMERICA", "government"],
  ["W16", "USDI BLM", "government"],
  ["W17", "ESTATE OF MARVIN OSGARD", "estate"],
  ["W18", "OSGARD MARVIN EST", "estate"],
  ["W19", "OSGARD MARVIN LIFE EST", "person"],
  ["W20", "REAL ESTATE HOLDINGS LLC", "company"],
  ["W21", "VESTBERG WEST ANNA", "person"],
  ["W22", "HARLOW DALE ETAL", "person"],
  ["W22", "HARLOW DALE ET AL", "person"],
  ["W23", "HARLOW DALE ET UX", "persons"],
  ["W24", "QUISTAD RAY JR", "person"],
  ["W25", "HARLOW DALE C/O FIRST PLAINS BANK", "person"],
  ["W27", "MC ALDER TESS", "person"],
  ["W28", "VAN DER HOEVEL JAN", "person"],
  ["W29", "SMITHE-JONESON ANA", "person"],
  ["W30", "NUÑEZ JOSÉ", "person"],
  ["W31", "ST ALBAN CHURCH", "nonprofit"],
  ["W33", "HARLOW DALE M              ", "person"],
];
test.each(kinds)("%s: %s is %s", (_, raw, kind) => {
  expect(parseOwner(raw, "last_first").kind).toBe(kind);
});

const moreKinds: [string, string][] = [
  ["ASHMERE TOWNSHIP", "government"],
  ["ASHMERE TWP", "government"],
  ["BOROUGH OF ASHMERE", "government"],
  ["ASHMERE BOROUGH", "government"],
  ["ASHMERE HOUSING AUTHORITY", "government"],
  ["ASHMERE DEVELOPMENT AUTHORITY", "government"],
  ["PORT AUTHORITY OF ASHMERE", "government"],
  ["HOLTBY CO WATER DISTRICT", "government"],
  ["ASHMERE SCHOOL DIST 12", "government"],
  ["ASHMERE IRRIGATION DISTRICT NO 3", "government"],
  ["ASHMERE GAME & FISH COMMISSION", "government"],
  ["ASHMERE PUBLIC SCHOOLS", "government"],
  ["DISTRICT SQUARE PARTNERS LLC", "company"],
  ["AUTHORITY INVESTMENTS LLC", "company"],
  ["FARMERS ASSN OF HOLTBY COUNTY", "company"],
  ["HABITAT FOR HUMANITY OF HOLTBY COUNTY", "nonprofit"],
  ["HARLOW FAMILY REV TRST", "trust"],
  ["HARLOW DALE M REVOCABLE LIVING TRST", "trust"],
  ["ASHMERE ROD & GUN CLUB", "nonprofit"],
  ["ASHMERE COUNTRY CLUB", "nonprofit"],
  ["HOLTBY MEMORIAL HOSPITAL", "nonprofit"],
  ["ASHMERE COUNTRY CLUB INC", "company"],
  ["DE LA HOEVEL MARIA ELENA", "person"],
  ["VAN DER HOEVEL JAN WILLEM PIET", "person"],
];
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

const names: [string, string, object[]][] = [
  ["W01", "HARLOW DALE M", [{last: "HARLOW", given: "DALE M", text: "HARLOW DALE M"}]],
  [
    "W02",
    "HARLOW, DALE M & JUNE",
    [{text: "HARLOW DALE M"}, {last: "HARLOW", given: "JUNE", text: "HARLOW JUNE"}],
  ],
  ["W03", "HARLOW DALE M & JUNE R", [{text: "HARLOW DALE M"}, {text: "HARLOW JUNE R"}]],
  ["W04", "HARLOW DALE & QUISTAD JUNE R", [{last: "HARLOW"}, {last: "QUISTAD", given: "JUNE R"}]],
  [
    "W06",
    "DELMARO TOMAS/ANITA",
    [
      {last: "DELMARO", given: "TOMAS"},
      {last: "DELMARO", given: "ANITA"},
    ],
  ],
  ["W07", "LUNDEBY, K & SABERG, H CO-TTEES", [{text: "LUNDEBY K"}, {text: "SABERG H"}]],
  ["W11", "BRANDL & O'SHEAN LLC", [{text: "BRANDL OSHEAN LLC"}]],
  ["W12", "ASHMERE CITY OF", [{text: "CITY OF ASHMERE"}]],
  ["W24", "QUISTAD RAY JR", [{last: "QUISTAD", given: "RAY", suffix: "JR"}]],
  ["W28", "VAN DER HOEVEL JAN", [{last: "VAN DER HOEVEL", given: "JAN"}]],
];
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

const tokens: [string, string, string][] = [
  ["W11", "BRANDL & O'SHEAN LLC", "BRANDL OSHEAN LLC"],
  ["W27", "MC ALDER TESS", "MC ALDER MCALDER TESS"],
  ["W29", "SMITHE-JONESON ANA", "SMITHE JONESON ANA"],
  ["W30", "NUÑEZ JOSÉ", "NUNEZ JOSE"],
  ["W35", "G & H INC.", "G H GH INC"],
  ["W36", "A.L.S., INC.", "ALS INC"],
  ["W37", "J & J PARTNERSHIP", "J JJ PARTNERSHIP"],
  ["initials behind a name", "HARLOW D M", "HARLOW D M DM"],
  ["spelt-out words", "HARLOW COMPANY INCORPORATED", "HARLOW CO INC"],
  ["initials of a company", "HARLOW L L C", "HARLOW LLC"],
  ["periods", "HARLOW L.L.C.", "HARLOW LLC"],
  ["O and a blank", "O SHEAN TESS", "O SHEAN OSHEAN TESS"],
  ["trustee", "HARLOW FAMILY REV TR", "HARLOW FAMILY TRUST"],
  ["trustee in another spelling", "HARLOW FAMILY REV TRST", "HARLOW FAMILY TRUST"],
];
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
  test.each(["CONFIDENTIAL", "NAME WITHHELD", "UNKNOWN OWNER", "REDACTED", "NAME REDACTED"])(
    "W32: %s gives no owner fields",
    (raw) => {
      const owner = parseOwner(raw, "last_first");
      expect(owner).toMatchObject({withheld: true, kind: null, ownerName: null, tokens: [], names: []});
    },
  );
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
