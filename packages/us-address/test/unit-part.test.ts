import {describe, expect, test} from "vitest";
import {bareUnitAt, mayBeUnit, type UnitPart, unitAt} from "../src/unit-part.ts";

/** A line of words, of which those after a comma begin a part; the unit is read at the first word after `|`. */
function read(reader: typeof unitAt, text: string, end?: number): string | null {
  const parts = text.split(" ");
  const at = parts.indexOf("|") + 1;
  const all = parts.filter((part) => part !== "|");
  const start = at === 0 ? 0 : at - 1;
  const words = all.map((word) => word.replace(",", ""));
  const breaks = all.map((_, i) => i > 0 && all[i - 1]!.endsWith(","));
  const part = reader(words, start, {end: end ?? words.length, breaks});
  return part === null ? null : told(part);
}

const told = ({unitType, unit, next}: UnitPart) => `${unitType ?? "-"} ${unit ?? "-"} to ${next}`;

describe("a unit with its designator", () => {
  test.each<[string, string | null]>([
    ["APT 4", "APT 4 to 2"],
    ["APARTMENT 4", "APT 4 to 2"],
    ["12 MAIN | STE 200 AUSTIN", "STE 200 to 4"],
    ["APT # 4", "APT 4 to 3"],
    ["APT NO 4", "APT 4 to 3"],
    ["APT B", "APT B to 2"],
    ["APT N", "APT N to 2"],
    ["APT AB", "APT AB to 2"],
    ["APT AB AUSTIN", "APT AB to 2"],
    ["APT NW AUSTIN", null],
    ["APT ST AUSTIN", null],
    ["APT REAR", "APT REAR to 2"],
    ["APT REAR, AUSTIN", "APT REAR to 2"],
    ["APT REAR AUSTIN", null],
    ["APT BEHIND", null],
    ["APT ROAD", null],
    ["APT", "APT - to 1"],
    ["APT, 4", "APT - to 1"],
    ["APT #", "APT - to 1"],
    ["TOWER RD", null],
    ["FL 2", "FL 2 to 2"],
    ["FL 32801", null],
    ["FL 328", "FL 328 to 2"],
    ["FL", null],
    ["MC 4", "MC 4 to 2"],
    ["MC N", null],
    ["APT 20 C", "APT 20C to 3"],
    ["APT 20 C, AUSTIN", "APT 20C to 3"],
    ["APT 20 C AUSTIN", "APT 20 to 2"],
    ["APT 20, C", "APT 20 to 2"],
    ["APT 20 CD", "APT 20 to 2"],
    ["APT 2A C", "APT 2A to 2"],
    ["APT 20 4", "APT 20 to 2"],
  ])("%s", (text, expected) => {
    expect(read(unitAt, text)).toBe(expected);
  });

  test("ends where its words may end", () => {
    expect(read(unitAt, "APT 4", 1)).toBe("APT - to 1");
    expect(read(unitAt, "APT # 4", 2)).toBe("APT - to 1");
    expect(read(unitAt, "APT 20 C", 2)).toBe("APT 20 to 2");
    expect(read(unitAt, "APT 4", 0)).toBeNull();
    expect(read(unitAt, "# 4", 1)).toBe("- - to 1");
    expect(read(unitAt, "NO 4", 1)).toBeNull();
    expect(read(unitAt, "NUMBER 6 HIGHWAY", 2)).toBe("- 6 to 2");
    expect(read(unitAt, "2ND FLOOR", 1)).toBeNull();
    expect(read(unitAt, "PH 4", 1)).toBe("PH - to 1");
  });

  test.each<[string, string | null]>([
    ["# 4", "- 4 to 2"],
    ["# 20 C", "- 20C to 3"],
    ["# APT 4", "APT 4 to 3"],
    ["#", "- - to 1"],
    ["NO 4", "- 4 to 2"],
    ["NUMBER 4B", "- 4B to 2"],
    ["NO FOUR", null],
    ["NUMBER 6 HIGHWAY", null],
    ["NUMBER 6 AUSTIN", "- 6 to 2"],
    ["NO", null],
  ])("with a sign or a word for its number: %s", (text, expected) => {
    expect(read(unitAt, text)).toBe(expected);
  });

  test.each<[string, string | null]>([
    ["2ND FLOOR", "FL 2 to 2"],
    ["21ST FL", "FL 21 to 2"],
    ["SECOND FLR", "FL 2 to 2"],
    ["TOP LEVEL", "FL TOP to 2"],
    ["2 FLOOR", null],
    ["2ND STREET", null],
    ["SEVENTH FLOOR", null],
  ])("with a floor before its designator: %s", (text, expected) => {
    expect(read(unitAt, text)).toBe(expected);
  });

  test.each<[string, string | null]>([
    ["APT4", "APT 4 to 1"],
    ["APT-4B", "APT 4B to 1"],
    ["SUITE200", "STE 200 to 1"],
    ["APTB", null],
    ["REAR", "REAR - to 1"],
    ["REAR AUSTIN", null],
    ["REAR, AUSTIN", "REAR - to 1"],
    ["REAR # 4", "REAR - to 1"],
    ["PH 4", "PH 4 to 2"],
    ["PH B", "PH B to 2"],
    ["PH BIG", null],
    ["REAR 4", null],
    ["MAIN", null],
  ])("glued to its number, or without any: %s", (text, expected) => {
    expect(read(unitAt, text)).toBe(expected);
  });
});

describe("a unit without designator after a finished street", () => {
  test.each<[string, string | null]>([
    ["302", "- 302 to 1"],
    ["302 AUSTIN", "- 302 to 1"],
    ["302 C", "- 302C to 2"],
    ["C1S", "- C1S to 1"],
    ["C1S2 AUSTIN", null],
    ["C1S2", "- C1S2 to 1"],
    ["PA2/4", "- PA2/4 to 1"],
    ["PA2/4, AUSTIN", "- PA2/4 to 1"],
    ["LPHS", "- LPHS to 1"],
    ["PHB", "- PHB to 1"],
    ["B", "- B to 1"],
    ["B AUSTIN", null],
    ["B, AUSTIN", "- B to 1"],
    ["N", null],
    ["AUSTIN", null],
    ["1234567", null],
  ])("%s", (text, expected) => {
    expect(read(bareUnitAt, text)).toBe(expected);
  });

  test("is none behind the end of its words", () => {
    expect(read(bareUnitAt, "302", 0)).toBeNull();
    expect(read(bareUnitAt, "B AUSTIN", 1)).toBe("- B to 1");
  });

  test.each(["302", "PH12", "34-C", "B", "PHB", "318-19"])("may be %s", (word) => {
    expect(mayBeUnit(word)).toBe(true);
  });

  test.each(["N", "AUSTIN", "ST", "1234567890"])("cannot be %s", (word) => {
    expect(mayBeUnit(word)).toBe(false);
  });
});
