import {DamagedFileError, guardOpened, type TextColumn} from "@open-cattle/mapped-index";
import fc from "fast-check";
import {describe, expect, it} from "vitest";
import {firstRows} from "../../../../lib/parcels/matching/largest-rows.ts";
import {commonRows, rowBitmap, unionOfRows, withoutRows} from "../../../../lib/parcels/matching/row-lists.ts";
import {allAtOnce} from "../../../../lib/parcels/matching/yield-to-loop.ts";

const rowList = fc.uniqueArray(fc.nat(199)).map((rows) => rows.sort((a, b) => a - b));

describe("row lists", () => {
  it("unite like a set, sorted, with few or many rows", () => {
    fc.assert(
      fc.property(fc.array(rowList, {maxLength: 6}), fc.constantFrom(200, 100_000), (lists, rows) => {
        const typed = lists.map((list) => Uint32Array.from(list));
        const union = allAtOnce(unionOfRows(typed, rows));
        expect([...union]).toEqual([...new Set(lists.flat())].sort((a, b) => a - b));
      }),
    );
  });

  it("subtract like a set", () => {
    fc.assert(
      fc.property(rowList, rowList, (rows, others) => {
        const left = withoutRows(Uint32Array.from(rows), Uint32Array.from(others));
        expect([...left]).toEqual(rows.filter((row) => !others.includes(row)));
      }),
    );
  });

  it("meet like sets, with rows spread evenly or in heaps, and with short or long lists", () => {
    const heaped = fc.tuple(fc.nat(5), fc.nat(40)).map(([heap, place]) => 10 ** heap + place);
    const long = fc.uniqueArray(fc.oneof(fc.nat(2_000), heaped), {maxLength: 300});
    const short = fc.uniqueArray(fc.oneof(fc.nat(2_000), heaped), {maxLength: 8});
    fc.assert(
      fc.property(fc.array(fc.oneof(long, short), {maxLength: 4}), (lists) => {
        const typed = lists.map((list) => Uint32Array.from(list).sort());
        const [first = [], ...others] = typed.map((list) => [...list]);
        const common = allAtOnce(commonRows(typed));
        expect([...common]).toEqual(first.filter((row) => others.every((list) => list.includes(row))));
      }),
      {numRuns: 300},
    );
  });

  it("of many rows meet, unite and subtract like sets, a turn for every 16,384 rows", () => {
    const every = (step: number, count: number) => Uint32Array.from({length: count}, (_, i) => i * step);
    const [twos, threes] = [every(2, 40_000), every(3, 50_000)];
    const inThrees = new Set(threes);
    const wanted = [...twos].filter((row) => inThrees.has(row));
    const turnsOf = <T>(steps: Generator<unknown, T>) => {
      for (let turns = 0; ; turns++) {
        const {done, value} = steps.next();
        if (done) return {turns, value};
      }
    };
    const common = turnsOf(commonRows([threes, twos]));
    expect([common.turns, [...common.value]]).toEqual([2, wanted]);
    // One list is so much longer that places in it are guessed.
    const few = every(33, 20_000);
    const inAll = turnsOf(commonRows([few, every(1, 660_000)]));
    expect([inAll.turns, [...inAll.value]]).toEqual([1, [...few]]);
    expect([...withoutRows(twos, threes)]).toEqual([...twos].filter((row) => !inThrees.has(row)));
    const marked = turnsOf(rowBitmap([twos, threes], 150_000));
    expect(marked.turns).toBe(2 + 3);
    const union = allAtOnce(unionOfRows([threes, twos], 150_000));
    expect([...union]).toEqual([...new Set([...twos, ...threes])].sort((a, b) => a - b));
  });

  it("of a mapped file are found beside damage elsewhere, and not where it is", () => {
    // Blocks have 64 rows each.
    const list = Uint32Array.from({length: 1_000}, (_, i) => 2 * i);
    guardOpened(list.buffer, "owners.arrow");
    list[500] = 1;
    const find = (row: number) => [...allAtOnce(commonRows([Uint32Array.of(row), list]))];
    expect([find(20), find(21), find(1_998), find(5_000)]).toEqual([[20], [], [1_998], []]);
    expect(() => find(960)).toThrow(DamagedFileError);
  });

  it("are marked by one bit for each row", () => {
    const marks = allAtOnce(rowBitmap([Uint32Array.of(0, 31, 64), Uint32Array.of(31, 33)], 65));
    expect([...marks]).toEqual([2 ** 31 + 1, 2, 1]);
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
          const order = [column(texts), column(rows.map((row) => String(row).padStart(5, "0")))];
          expect(allAtOnce(firstRows(rows, count, order))).toEqual(sorted.slice(0, count));
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
    slice: (row) => Buffer.from(texts[row] ?? ""),
    compare: (row, key) => Buffer.compare(Buffer.from(texts[row] ?? ""), key),
    equals: (row, key) => Buffer.from(texts[row] ?? "").equals(key),
    startsWith: () => false,
  };
}
