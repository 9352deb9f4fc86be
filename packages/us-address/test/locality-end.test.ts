import {describe, expect, test} from "vitest";
import {lineWords} from "../src/line-words.ts";
import {readLocalityEnd} from "../src/locality-end.ts";
import type {AddressContext} from "../src/parsed-address.ts";

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
  test.each([
    ["12 ELM ST, AUSTIN TX 78701", "TX 78701 | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN TX 787011234", "TX 78701-1234 | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN TX 78701-1234", "TX 78701-1234 | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN TX 78701-0000", "TX 78701 | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN TX 78701 1234", "TX 78701-1234 | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN TX78701", "TX 78701 | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN TX78701-1234", "TX 78701-1234 | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN XX78701", "- | 12 ELM ST AUSTIN XX78701"],
    ["12 ELM ST 78701", "78701 | 12 ELM ST"],
    ["12 ELM ST, AUSTIN TX 78701-1234, US", "TX 78701-1234 | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN, TX 78701, UNITED STATES OF AMERICA", "TX 78701 | 12 ELM ST AUSTIN"],
    ["12 ELM ST, AUSTIN, TX, US", "TX | 12 ELM ST AUSTIN"],
    ["78701", "- | 78701"],
    ["78701 1234", "- | 78701 1234"],
    ["12 HWY 12345", "- | 12 HWY 12345"],
    ["12 N COUNTY ROAD 12345", "- | 12 N COUNTY ROAD 12345"],
    ["12 QUILL FARM RD 27511", "27511 | 12 QUILL FARM RD"],
    ["12 ELM ST APT 12345", "- | 12 ELM ST APT 12345"],
    ["PO BOX 12345", "- | PO BOX 12345"],
    ["12 ELM ST # 12345", "- | 12 ELM ST # 12345"],
    ["PO DRAWER 12345", "- | PO DRAWER 12345"],
    ["12 HWY, 12345", "12345 | 12 HWY"],
    ["12 ELM ST ORLANDO FL 32801", "FL 32801 | 12 ELM ST ORLANDO"],
    ["12 ELM ST OTTAWA K1A 0B1", "postal | 12 ELM ST OTTAWA"],
    ["12 ELM ST BOSTON MA 1241", "MA 01241 | 12 ELM ST BOSTON"],
    ["12 ELM ST AUSTIN TX 1241", "- | 12 ELM ST AUSTIN TX 1241"],
    ["MA 1241", "- | MA 1241"],
  ])("%s", (text, expected) => {
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
  test.each([
    ["12 ELM ST AUSTIN TX", "TX | 12 ELM ST AUSTIN"],
    ["12 ELM TX", "TX | 12 ELM"],
    ["ELM TX", "- | ELM TX"],
    ["12 ELM ST, AUSTIN, TEXAS", "TX | 12 ELM ST AUSTIN"],
    ["12 ELM ST, FARGO, NORTH DAKOTA", "ND | 12 ELM ST FARGO"],
    ["12 ELM ST FARGO NORTH DAKOTA 58102", "ND 58102 | 12 ELM ST FARGO"],
    ["12 ELM ST FARGO NORTH, DAKOTA", "- | 12 ELM ST FARGO NORTH DAKOTA"],
    ["12 ELM ST, AUSTIN T, X", "- | 12 ELM ST AUSTIN T X"],
    ["12 ELM ST AUSTIN, T X", "TX | 12 ELM ST AUSTIN"],
    ["12 ELM ST AUSTIN T X", "- | 12 ELM ST AUSTIN T X"],
    ["12 ELM ST, GARY, IN", "IN | 12 ELM ST GARY"],
    ["12 ELM ST GARY IN", "IN | 12 ELM ST GARY"],
    ["12 ELM GARY IN", "- | 12 ELM GARY IN"],
    ["12 TRAILS END CT", "- | 12 TRAILS END CT"],
    ["12 ELM LANE CHESHIRE CT", "CT | 12 ELM LANE CHESHIRE"],
    ["12 ELM ST, CHESHIRE, CT", "CT | 12 ELM ST CHESHIRE"],
    ["12 ELM ST, CHESHIRE CT", "CT | 12 ELM ST CHESHIRE"],
    ["12 BROADWAY, 4 CHESHIRE CT", "- | 12 BROADWAY 4 CHESHIRE CT"],
    ["1180 PEACHTREE ST, NE", "- | 1180 PEACHTREE ST NE"],
    ["12 PEACHTREE ST, FREMONT, NE", "NE | 12 PEACHTREE ST FREMONT"],
    ["12 BROADWAY, 4 B, NE", "- | 12 BROADWAY 4 B NE"],
    ["12 ELM CT 06410", "CT 06410 | 12 ELM"],
    ["12 ELM CT 78701", "78701 | 12 ELM CT"],
    ["12 ELM ST, CHESHIRE CT 06410", "CT 06410 | 12 ELM ST CHESHIRE"],
    ["12 ELM ST MILFORD TX 06410", "TX 06410 | 12 ELM ST MILFORD"],
    ["12 ELM ST CHESHIRE NE 06410", "06410 | 12 ELM ST CHESHIRE NE"],
    ["12 STATE HWY TX", "- | 12 STATE HWY TX"],
    ["12 STATE HWY, TX", "TX | 12 STATE HWY"],
    ["12 COUNTY ROAD MT", "- | 12 COUNTY ROAD MT"],
  ])("%s", (text, expected) => {
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
