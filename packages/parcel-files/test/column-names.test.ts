import {expect, test} from "vitest";
import {uniqueNames} from "../src/column-names.ts";

test.each([
  [
    ["A", "B"],
    ["A", "B"],
  ],
  [
    ["A", "A", "A"],
    ["A", "A_2", "A_3"],
  ],
  [
    ["A", "A_2", "A"],
    ["A", "A_2", "A_3"],
  ],
  [
    ["A", "A", "A_2"],
    ["A", "A_2", "A_2_2"],
  ],
  [
    [" A ", "", " "],
    ["A", "column_2", "column_3"],
  ],
  [
    ["column_2", ""],
    ["column_2", "column_2_2"],
  ],
])("the header %j has the names %j", (header, names) => {
  expect(uniqueNames(header)).toEqual(names);
});
