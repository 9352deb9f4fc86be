import {describe, expect, test} from "vitest";
import {
  CellResolver,
  groupOf,
  maxColumns,
  resolveColumn,
  stagedNames,
  TooManyColumns,
} from "../../../../lib/parcels/conform/file-cells.ts";

test.each([
  ["PARCEL_NUMBER", ["parcel_number", "PARCEL_NUMBER"], "PARCEL_NUMBER"],
  ["PARCEL_NUMBER", ["PARCEL_NUM", "parcel_number"], "parcel_number"],
  ["PARCEL_NUMBER", ["PARCEL_N", "PARCEL_NUM"], "PARCEL_NUM"],
  ["Parcel_Number", ["PARCEL_NUM"], "PARCEL_NUM"],
  ["PARCEL_NUM", ["PARCEL_NU"], undefined],
  ["PARCEL_NUM", ["PARCEL_NUMB"], undefined],
  ["PIN", [], undefined],
])("the name %s means, of %j, the column %s", (wanted, columns, expected) => {
  expect(resolveColumn(wanted, columns)).toBe(expected);
});

test("a staged column has its name, unless a database takes it for another one or for its own", () => {
  expect(stagedNames(["PIN", "pin", "Pin", "rowid", "RowId", "A"])).toEqual([
    "PIN",
    "pin~2",
    "Pin~3",
    "rowid~2",
    "RowId~3",
    "A",
  ]);
});

test.each([
  ["city", "situs"],
  ["owner_name", "owner"],
  ["acres", "land"],
  ["lon", "location"],
  ["parcel_id", undefined],
])("%s follows the provenance of %s", (column, group) => {
  expect(groupOf(column)).toBe(group);
});

describe("the wanted cells of rows", () => {
  test("are texts of the columns that the rows have, whatever row brings them first", () => {
    const cells = new CellResolver(["PIN", "OWNER_NAME_1"]);
    expect(cells.texts({other: 1})).toEqual([null, null]);
    expect(cells.texts({pin: 7, owner_name: "HARLOW"})).toEqual(["7", "HARLOW"]);
    expect(cells.texts({pin: 8, owner: "A"})).toEqual(["8", null]);
    expect(cells.texts({PIN: true, OWNER_NAME_1: null})).toEqual(["true", null]);
    expect(cells.texts({PIN: [1, "a"], OWNER_NAME_1: {a: 1}})).toEqual(['[1,"a"]', '{"a":1}']);
    expect(cells.found()).toEqual(new Set(["PIN", "OWNER_NAME_1"]));
    expect(cells.seen()).toEqual(["other", "pin", "owner_name", "owner", "PIN", "OWNER_NAME_1"]);
  });

  test("of rows with more than five thousand names are a fault that shows them", () => {
    const cells = new CellResolver(["PIN"]);
    const row = (from: number, to: number) =>
      Object.fromEntries(Array.from({length: to - from}, (_, i) => [`c${from + i}`, "1"]));
    cells.texts(row(0, maxColumns));
    expect(cells.texts(row(0, 3))).toEqual([null]);
    expect(() => cells.texts(row(maxColumns, maxColumns + 1))).toThrow(TooManyColumns);
  });
});
