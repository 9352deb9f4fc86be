import {expect, test} from "vitest";
import {readRows} from "./read-rows.ts";
import {dbfOf} from "./write-dbf.ts";

const pin = {name: "PIN", type: "C", width: 10, text: String};

test("tells how many bytes were read, and how many belong to deleted rows and stand behind the last", async () => {
  const file = dbfOf([pin], ["A-1", "A-2", "A-3", "A-4"], {deleted: new Set([1])});
  const {cells, account} = await readRows("parcels.dbf", file, ["PIN"]);
  expect(cells).toEqual([{PIN: "A-1"}, {PIN: "A-3"}, {PIN: "A-4"}]);
  const [head, record] = [32 + 32 + 1, 11];
  expect(account).toEqual({
    bytes: {read: head + 3 * record, skipped: {deleted_row: record, after_last_row: 1}},
    rows: {deleted_row: 1},
  });
  expect(head + 4 * record + 1).toBe(file.length);
});

/** A number as its bytes, one character each. */
const bytesOf = (length: number, write: (bytes: Buffer) => void) => {
  const bytes = Buffer.alloc(length);
  write(bytes);
  return bytes.toString("latin1");
};
const double = bytesOf(8, (bytes) => bytes.writeDoubleLE(12.5));
const whole = bytesOf(4, (bytes) => bytes.writeInt32LE(-7));
// Julian day 2461254 is 2026-08-01.
const noon = bytesOf(8, (bytes) => {
  bytes.writeInt32LE(2_461_254, 0);
  bytes.writeInt32LE(43_200_000, 4);
});

test.each<[type: string, cell: string, read: string | null]>([
  ["C", "A-1  ", "A-1"],
  ["C", "     ", null],
  ["N", " 12.50", "12.50"],
  ["N", " 12.00", "12"],
  ["F", "1.2345e+002", "123.45"],
  ["N", "*****", null],
  ["D", "20260801", "20260801"],
  ["D", "00000000", null],
  ["D", "2026080 ", null],
  ["L", "T", "true"],
  ["L", "n", "false"],
  ["L", "?", null],
  ["I", whole, "-7"],
  ["I", "  -7 ", "-7"],
  ["+", whole, "-7"],
  ["+", "   -7", null],
  ["O", double, "12.5"],
  ["B", double, "12.5"],
  // The number of a memo's block, in another file.
  ["B", "        12", null],
  ["Y", bytesOf(8, (bytes) => bytes.writeBigInt64LE(1_234_500n)), "123.45"],
  ["T", noon, "2026-08-01T12:00:00.000Z"],
  ["@", noon, "2026-08-01T12:00:00.000Z"],
  ["T", "\0".repeat(8), null],
  ["M", "        12", null],
])("reads a cell of type %s that holds %j as %j", async (type, cell, expected) => {
  const column = {name: "CELL", type, width: cell.length, text: () => cell};
  const file = dbfOf([column], [0], {encode: (text) => Buffer.from(text, "latin1")});
  expect((await readRows("parcels.dbf", file, ["CELL"])).cells).toEqual([{CELL: expected}]);
});
