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
