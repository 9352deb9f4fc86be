import {describe, expect, test} from "vitest";
import {bareUnitAt, mayBeUnit, type UnitPart, unitAt} from "../src/unit-part.ts";
import {casesOf} from "./cases-of.ts";

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
  test.each(casesOf<[string, string | null]>("units-designated.txt"))("%s", (text, expected) => {
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

  test.each(casesOf<[string, string | null]>("units-signed.txt"))(
    "with a sign or a word for its number: %s",
    (text, expected) => {
      expect(read(unitAt, text)).toBe(expected);
    },
  );

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

  test.each(casesOf<[string, string | null]>("units-glued.txt"))(
    "glued to its number, or without any: %s",
    (text, expected) => {
      expect(read(unitAt, text)).toBe(expected);
    },
  );
});

describe("a unit without designator after a finished street", () => {
  test.each(casesOf<[string, string | null]>("units-bare.txt"))("%s", (text, expected) => {
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
