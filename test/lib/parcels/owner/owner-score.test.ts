import {describe, expect, test} from "vitest";
import {ownerRolesScorer, queryTokens} from "../../../../lib/parcels/owner/owner-score.ts";
import {parseOwner} from "../../../../lib/parcels/owner/parse-owner.ts";
import {casesOf} from "../../../cases-of.ts";
import {scoreOwner} from "./score-owner.ts";

function score(query: string, owner: string): number | null {
  const asked = queryTokens(query);
  const row = parseOwner(owner, "last_first");
  if ("reject" in asked) return null;
  return (
    scoreOwner(asked.tokens, {tokens: row.tokens, names: row.names.map((name) => name.text)})?.score ?? null
  );
}

describe("score of an owner", () => {
  const cases = casesOf<[string, string, string, number | null]>("owner-score.txt");
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
  test.each(["JT", "H & W", "TR"])("%s alone is a name of letters", (text) => {
    expect(queryTokens(text)).toHaveProperty("tokens");
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
  test.each(["HARLOW J T", "HARLOW JT", "HARLOW J.T."])(
    "JT is the given name of %s, of no other",
    (owner) => {
      const scoreOf = ownerRolesScorer({lastName: "Harlow", firstName: "J.T."});
      expect(scoreOf(parseOwner(owner, "last_first").names)?.score).toBe(1);
      expect(scoreOf(parseOwner("HARLOW JERRY TOM", "last_first").names)).toBeNull();
    },
  );
  test("names without roles fall back to tokens", () => {
    const unknown = parseOwner("JUNE R QUISTAD", "unknown").names;
    expect(ownerRolesScorer({lastName: "quistad", firstName: "june"})(unknown)?.score).toBe(0.8);
  });
});
