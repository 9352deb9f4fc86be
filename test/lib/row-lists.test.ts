import fc from "fast-check";
import {describe, expect, it} from "vitest";
import type {TextColumn} from "../../lib/arrow-table/open.ts";
import {firstRows} from "../../lib/matching/first-rows.ts";
import {unitedRows, withoutRows} from "../../lib/matching/row-lists.ts";

const rowList = fc.uniqueArray(fc.nat(199)).map((rows) => rows.sort((a, b) => a - b));

describe("row lists", () => {
  it("unite like a set, sorted, whether few or many rows are in them", () => {
    fc.assert(
      fc.property(fc.array(rowList, {maxLength: 6}), fc.constantFrom(200, 100_000), (lists, rows) => {
        const union = unitedRows(
          lists.map((list) => Uint32Array.from(list)),
          rows,
        );
        expect([...union]).toEqual([...new Set(lists.flat())].sort((a, b) => a - b));
      }),
    );
  });

  it("subtract like a set", () => {
    fc.assert(
      fc.property(rowList, rowList, (rows, others) => {
        expect(withoutRows(rows, others)).toEqual(rows.filter((row) => !others.includes(row)));
      }),
    );
  });

  it("give the first rows of an order as sorting all of them would", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({unit: fc.constantFrom("A", "B", "1"), maxLength: 3})),
        fc.nat(8),
        (texts, count) => {
          const rows = texts.map((_, row) => row);
          const sorted = [...rows].sort(
            (a, b) => Buffer.compare(Buffer.from(texts[a]!), Buffer.from(texts[b]!)) || a - b,
          );
          expect(
            firstRows(rows, count, [column(texts), column(rows.map((row) => String(row).padStart(5, "0")))]),
          ).toEqual(sorted.slice(0, count));
        },
      ),
    );
  });
});

function column(texts: readonly string[]): TextColumn {
  return {
    rows: texts.length,
    at: (row) => texts[row] ?? null,
    isNull: () => false,
    compare: (row, key) => Buffer.compare(Buffer.from(texts[row] ?? ""), key),
    startsWith: () => false,
  };
}
