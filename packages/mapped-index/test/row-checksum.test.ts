import {expect, it} from "vitest";
import {checkRow, rowChecksum} from "../src/row-checksum.ts";

const texts = ['"parcelId":"100-A"', ""].map((text) => Buffer.from(text));
const of = {path: "records.arrow", row: 7, other: 2, checksum: rowChecksum(texts, 7, 2)};

it("B11: the texts of a row pass with the checksum that they had when they were written", () => {
  expect(() => checkRow(texts, of)).not.toThrow();
});

it.each([
  ["a wrong bit", {given: [Buffer.from('"parcelId":"101-A"'), texts[1]!], of}],
  ["the texts of another row", {given: texts, of: {...of, row: 8}}],
  ["another kind of record", {given: texts, of: {...of, other: 3}}],
  ["a text that begins too early", {given: [Buffer.from(',"parcelId":"100-A"'), texts[1]!], of}],
  ["a text without end", {given: [Buffer.alloc(9 * 1024 * 1024), texts[1]!], of}],
])("B11: %s is damage, which names file and row", (_, {given, of: expected}) => {
  expect(() => checkRow(given, expected)).toThrow(`records.arrow: row ${expected.row} is damaged.`);
});
