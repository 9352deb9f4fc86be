import fc from "fast-check";
import {expect, test} from "vitest";
import {largestRows} from "../../../../lib/parcels/matching/largest-rows.ts";
import type {ParcelSet} from "../../../../lib/parcels/parcel-set.ts";
import {createMemoryTable} from "../../../../lib/storage/arrow-file/memory-table.ts";

/** A set of which nothing but the acres of its rows is known. */
function setOf(acres: readonly (number | null)[]): ParcelSet {
  const {table, add} = createMemoryTable(["acres"]);
  for (const each of acres) add({acres: each});
  return {parcels: table} as ParcelSet;
}

const size = fc.option(fc.integer({min: 0, max: 4}).map((acres) => acres / 2));

test("the largest rows are those of a plain, stable sort, rows without the size last", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(size, {maxLength: 12}), {maxLength: 4}),
      fc.integer({min: 1, max: 20}),
      (sizes, count) => {
        const lists = sizes.map((acres) => ({set: setOf(acres), rows: acres.map((_, row) => row)}));
        const all = sizes.flatMap((acres, list) =>
          acres.map((each, at) => ({each: each ?? -1, place: [list, at]})),
        );
        const sorted = all.sort((a, b) => b.each - a.each).slice(0, count);
        expect(largestRows(lists, "acres", count)).toEqual(sorted.map(({place}) => place));
      },
    ),
  );
});

test("where a build has no values to search, rows keep their order", () => {
  expect(largestRows([{set: setOf([1, 2]), rows: [0, 1]}], "value", 2)).toEqual([
    [0, 0],
    [0, 1],
  ]);
});
