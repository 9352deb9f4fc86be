import {describe, expect, test} from "vitest";
import {lineWords} from "../src/line-words.ts";
import {readLocalityEnd} from "../src/locality-end.ts";
import type {AddressContext} from "../src/parsed-address.ts";
import {casesOf} from "./cases-of.ts";

/** State, ZIP and the words that are left. */
function read(text: string, context: AddressContext = {}): string {
  const line = lineWords(text);
  const {state, zip, zipPlusFour, hasPostalCode, end} = readLocalityEnd(line, context);
  const shown = [
    state,
    zipPlusFour === null ? zip : `${zip}-${zipPlusFour}`,
    hasPostalCode ? "postal" : null,
  ];
  return `${shown.filter((each) => each !== null).join(" ") || "-"} | ${line.words.slice(0, end).join(" ")}`;
}

describe("the ZIP at the end of a line", () => {
  test.each(casesOf<[string, string]>("zips-at-the-end.txt"))("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("the country at the end of a line", () => {
  test.each([
    ["12 ELM ST, AUSTIN, TX, USA", "TX | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN, TX, UNITED STATES", "TX | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN, TX, U S A", "TX | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN, TX 78701 US", "TX 78701 | 12 ELM ST AUSTIN"],
    ["12 ELM ST, OTTAWA K1A 0B1 CANADA", "postal | 12 ELM ST OTTAWA"],
    ["12 HIGHWAY US", "- | 12 HIGHWAY US"],
    ["TX USA", "- | TX USA"],
  ])("is left out: %s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe("the state at the end of a line", () => {
  test.each(casesOf<[string, string]>("states-at-the-end.txt"))("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    ["12 ELM ST AUSTIN TX", "TX", "TX | 12 ELM ST AUSTIN"],
    ["12 ELM ST AUSTIN TX", "tx", "TX | 12 ELM ST AUSTIN"],
    ["12 ELM ST AUSTIN TX", "OK", "- | 12 ELM ST AUSTIN TX"],
    ["12 ELM ST, AUSTIN TX", "OK", "TX | 12 ELM ST AUSTIN"],
    ["12 ELM ST AUSTIN TX 78701", "OK", "TX 78701 | 12 ELM ST AUSTIN"],
    ["12 ELM GARY IN", "IN", "IN | 12 ELM GARY"],
    ["12 IN", "IN", "- | 12 IN"],
    ["202 BEECH ST TO WASHINGTON", "OH", "- | 202 BEECH ST TO WASHINGTON"],
    ["202 BEECH ST SEATTLE WASHINGTON", "WA", "WA | 202 BEECH ST SEATTLE"],
    ["202 BEECH SEATTLE WASHINGTON", undefined, "WA | 202 BEECH SEATTLE"],
    ["202 BEECH ST WASHINGTON", undefined, "- | 202 BEECH ST WASHINGTON"],
    ["202 BEECH WASHINGTON", undefined, "- | 202 BEECH WASHINGTON"],
    ["202 BEECH ST, WASHINGTON", undefined, "- | 202 BEECH ST WASHINGTON"],
    ["202 BEECH ST, SEATTLE, WASHINGTON", undefined, "WA | 202 BEECH ST SEATTLE"],
    ["202 BEECH ST, ALBANY, NEW YORK 12207", undefined, "NY 12207 | 202 BEECH ST ALBANY"],
    ["202 BEECH ST ALBANY, NEW YORK 12207", undefined, "NY 12207 | 202 BEECH ST ALBANY"],
    ["202 BEECH ST, NEW YORK 10001", undefined, "10001 | 202 BEECH ST NEW YORK"],
    ["202 BEECH ST, NEW YORK 78701", undefined, "78701 | 202 BEECH ST NEW YORK"],
    ["202 BEECH ST HOUSTON TEXAS 98101", undefined, "98101 | 202 BEECH ST HOUSTON TEXAS"],
  ])("%s of a line in %s", (text, state, expected) => {
    expect(read(text, state === undefined ? {} : {state})).toBe(expected);
  });

  test("that is a street type, too, follows a town that is known, where towns are", () => {
    const isKnownPlace = (town: string, state: string | null) => `${town}, ${state}` === "CHESHIRE, CT";
    expect(read("12 ELM LANE CHESHIRE CT", {isKnownPlace})).toBe("CT | 12 ELM LANE CHESHIRE");
    expect(read("12 ELM LANE MEADOW CT", {isKnownPlace})).toBe("- | 12 ELM LANE MEADOW CT");
  });
});
