import {describe, expect, test} from "vitest";
import {ownerRolesScorer, queryTokens, scoreOwner} from "../../../../lib/parcels/owner/owner-score.ts";
import {parseOwner} from "../../../../lib/parcels/owner/parse-owner.ts";

function score(query: string, owner: string): number | null {
  const asked = queryTokens(query);
  const row = parseOwner(owner, "last_first");
  if ("reject" in asked) return null;
  return (
    scoreOwner(asked.tokens, {tokens: row.tokens, names: row.names.map((name) => name.text)})?.score ?? null
  );
}

describe("score of an owner", () => {
  const cases: [string, string, string, number | null][] = [
    ["equal normal name", "harlow dale m", "HARLOW, DALE M", 1],
    ["equal to one of two recorded names", "harlow june", "HARLOW DALE & JUNE", 1],
    ["another order", "dale m harlow", "HARLOW DALE M", 0.95],
    ["contiguous", "harlow dale", "HARLOW DALE M & JUNE", 0.9],
    ["all tokens", "harlow m", "HARLOW DALE M", 0.8],
    ["last token begun", "harlow dal", "HARLOW DALE M", 0.7],
    ["two letters are no beginning", "harlow da", "HARLOW DALE M", null],
    ["one token off by one", "harlew dale", "HARLOW DALE M", 0.6],
    ["a company's word off by one", "plainstead compny", "PLAINSTEAD COMPANY", 0.6],
    ["a trustee's word off by one", "lundeby kai trsutee", "LUNDEBY KAI TRUSTEE", 0.6],
    ["two tokens wrong", "harlew dole", "HARLOW DALE M", null],
    ["spelling of a company", "plainstead company", "PLAINSTEAD CO", 1],
    ["parted name as one word", "mc alder tess", "MCALDER TESS", 1],
    ["one word as a parted name", "mcalder tess", "MC ALDER TESS", 1],
    ["parted as it is printed", "mc alder tess", "MC ALDER TESS", 1],
    ["parted without apostrophe", "o shean tess", "O'SHEAN TESS", 1],
    ["second part alone", "alder", "MC ALDER TESS", 0.9],
    ["a title that the record lacks", "mr. and mrs. dale harlow", "HARLOW DALE", 0.95],
    ["an article that the record lacks", "the plainstead co", "PLAINSTEAD CO", 1],
    ["an article that the query lacks", "plainstead co", "THE PLAINSTEAD CO", 1],
    ["an estate in either form", "estate of osgard marvin", "OSGARD MARVIN EST", 0.95],
    ["initials as printed (W35)", "g&h inc", "G & H INC.", 1],
    ["initials as one word", "gh inc", "G & H INC.", 0.9],
    ["initials alone (W37)", "j & j", "J & J PARTNERSHIP", 0.9],
    ["apostrophe", "oshean", "BRANDL & O'SHEAN LLC", 0.9],
  ];
  test.each(cases)("%s: %s against %s", (_, query, owner, expected) => {
    expect(score(query, owner)).toBe(expected);
  });
  test("1 is exact, 0.8 and more normalized, less fuzzy", () => {
    const row = {tokens: ["HARLOW", "DALE", "M"]};
    expect(scoreOwner(["HARLOW", "DALE", "M"], row)?.type).toBe("exact");
    expect(scoreOwner(["HARLOW", "M"], row)?.type).toBe("normalized");
    expect(scoreOwner(["HARLOW", "DAL"], row)?.type).toBe("fuzzy");
  });
});

describe("query tokens", () => {
  test.each(["LLC", "the trust of", "L.L.C.", "A", "& A", "Jr"])(
    "%j has only stop words and is refused",
    (text) => {
      expect(queryTokens(text)).toEqual({reject: "stop_words"});
    },
  );
  test.each(["", " & ", "ET AL"])("%j is empty", (text) => {
    expect(queryTokens(text)).toEqual({reject: "empty"});
  });
  test("two initials are a name", () => {
    expect(queryTokens("g & h")).toEqual({tokens: ["G", "H", "GH"]});
  });
  test("stop words beside a name count", () => {
    expect(queryTokens("Harlow Trust")).toEqual({tokens: ["HARLOW", "TRUST"]});
  });
});

describe("score by roles", () => {
  test.each(["MC ALDER TESS", "MCALDER TESS"])("%s by either form of the last name", (owner) => {
    const row = parseOwner(owner, "last_first").names;
    for (const lastName of ["Mc Alder", "McAlder"])
      expect(ownerRolesScorer({lastName, firstName: "tess"})(row)?.score).toBe(1);
  });
  const {names} = parseOwner("VAN DER HOEVEL JAN PIET & QUISTAD JUNE R", "last_first");
  test.each([
    [{lastName: "Van der Hoevel", firstName: "jan piet"}, 1],
    [{lastName: "van der hoevel", firstName: "jan"}, 0.9],
    [{lastName: "van der hoevel"}, 0.9],
    [{lastName: "quistad", firstName: "ju"}, 0.7],
    [{lastName: "june"}, null],
    [{lastName: "hoevel"}, null],
  ])("%j scores %s", (asked, expected) => {
    expect(ownerRolesScorer(asked)(names)?.score ?? null).toBe(expected);
  });
  test("a last name with a hyphen, which the order of the source splits", () => {
    const {names: hyphened} = parseOwner("HARLOW-QUISTAD ABEL M", "last_first");
    expect(ownerRolesScorer({lastName: "Harlow-Quistad", firstName: "Abel"})(hyphened)?.score).toBe(0.9);
    expect(ownerRolesScorer({lastName: "Harlow Abel"})(hyphened)).toBeNull();
  });
  test("names without roles fall back to tokens", () => {
    const unknown = parseOwner("JUNE R QUISTAD", "unknown").names;
    expect(ownerRolesScorer({lastName: "quistad", firstName: "june"})(unknown)?.score).toBe(0.8);
  });
});
