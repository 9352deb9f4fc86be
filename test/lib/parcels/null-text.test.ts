import {describe, expect, test} from "vitest";
import {isNullText, nullText} from "../../../lib/text/null-text.ts";

describe("null spellings", () => {
  test.each([
    "",
    " ",
    "NULL",
    "<Null>",
    "na",
    "N/A",
    "None",
    "-",
    "--",
    ".",
    "unknown",
    "TBD",
    "No Situs",
    "0",
  ])("%j in a text means that there is no value", (cell) => expect(nullText(cell)).toBeNull());
  test("0 is a value of a number, NA of a code", () => {
    expect([isNullText("0", "number"), isNullText("NA", "code"), isNullText("NA", "number")]).toEqual([
      false,
      false,
      true,
    ]);
  });
  test("a word with a null spelling inside is a text", () => {
    expect(nullText(" NONESUCH ")).toBe("NONESUCH");
  });
});
