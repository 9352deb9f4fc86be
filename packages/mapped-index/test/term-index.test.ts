import {Field, List, Uint32, Utf8, vectorFromArray} from "apache-arrow";
import fc from "fast-check";
import {expect, test} from "vitest";
import {openBatches} from "../src/batches.ts";
import {DamagedFileError, guardedBytes, guardOf, guardOpened} from "../src/block-guard.ts";
import {mapFile} from "../src/mapped-file.ts";
import {openTermIndex, type TermIndex} from "../src/term-index.ts";
import {arrowBytes, temporaryFile} from "./arrow-file.ts";
import {oneEditAway} from "./one-edit.ts";

type TermRows = readonly [term: string, rows: readonly number[]];

const term = fc.string({unit: fc.constantFrom("A", "B", "Ñ", "😀"), minLength: 1, maxLength: 3});
const rows = fc.uniqueArray(fc.integer({min: 0, max: 30}), {minLength: 1, maxLength: 9});
const sortedTerms: fc.Arbitrary<TermRows[]> = fc
  .uniqueArray(fc.tuple(term, rows), {maxLength: 40, selector: ([word]) => word})
  .map((all) =>
    all
      .map(([word, list]): TermRows => [word, list.sort((a, b) => a - b)])
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  );

function bytesOf(all: readonly TermRows[], batchTerms = 2 ** 20): Uint8Array<ArrayBuffer> {
  const columns = {
    term: vectorFromArray(
      all.map(([word]) => word),
      new Utf8(),
    ),
    rows: vectorFromArray(
      all.map(([, list]) => list),
      new List(new Field("item", new Uint32(), false)),
    ),
  };
  return new Uint8Array(arrowBytes(columns, batchTerms));
}

function allOf(index: TermIndex): TermRows[] {
  return Array.from({length: index.terms}, (_, i) => [index.termAt(i), [...index.rowsAt(i)]]);
}

test("the term index answers like a plain scan: exact, by prefix, in order", () => {
  const property = fc.property(
    sortedTerms,
    fc.constantFrom(1, 5, 1000),
    fc.array(term, {maxLength: 5}),
    (all, batchTerms, asked) => {
      const index = openTermIndex(bytesOf(all, batchTerms).buffer);
      expect(allOf(index)).toEqual(all);
      for (const word of [...asked, ...all.map(([w]) => w), ""]) {
        expect([...index.find(word)]).toEqual(new Map(all).get(word) ?? []);
        const begun = all.filter(([w]) => w.startsWith(word));
        const {from, to} = index.withPrefix(word);
        expect(all.slice(from, to)).toEqual(begun);
        expect(index.rowsOf({from, to}).flatMap((list) => [...list])).toEqual(
          begun.flatMap(([, list]) => list),
        );
      }
    },
  );
  fc.assert(property, {numRuns: 60});
});

test("M3: a term index reads its lists in place, and answers the same from a copied file", () => {
  const all = Array.from({length: 90}, (_, i): TermRows => [`T${i + 10}`, [i, i + 90, i + 180]]);
  const path = temporaryFile(bytesOf(all, 32));
  const {buffer} = mapFile(path);
  expect(openBatches(buffer).column("rows").length).toBe(3);
  expect(openTermIndex(buffer).find("T33").buffer).toBe(buffer);
  for (const mode of ["mmap", "copied"] as const)
    expect(allOf(openTermIndex(mapFile(path, undefined, mode).buffer))).toEqual(all);
});

test("an index without terms finds nothing", () => {
  const index = openTermIndex(bytesOf([]).buffer);
  expect([index.terms, [...index.find("A")], index.withPrefix(""), index.near("ABCDE")]).toEqual([
    0,
    [],
    {from: 0, to: 0},
    [],
  ]);
  expect(() => index.termAt(0)).toThrow(RangeError);
});

test("refuses a table whose rows are no lists", () => {
  const words = vectorFromArray(["A"], new Utf8());
  const bytes = new Uint8Array(arrowBytes({term: words, rows: words}));
  expect(() => openTermIndex(bytes.buffer, "owners.arrow")).toThrow(
    'owners.arrow: column "rows" is not list<uint32>',
  );
});

test("finds the terms one edit away as comparing all of them would, in few terms and in thousands", () => {
  const word = fc.string({unit: fc.constantFrom("A", "B", "C", "9"), minLength: 1, maxLength: 7});
  const many = Array.from({length: 3_000}, (_, i) => i.toString(4).replaceAll("0", "A").replaceAll("1", "B"));
  const property = fc.property(
    fc.uniqueArray(word, {minLength: 30, maxLength: 120}),
    fc.array(word, {maxLength: 10}),
    fc.boolean(),
    (words, asked, isLarge) => {
      const terms = [...new Set(isLarge ? [...words, ...many] : words)].sort();
      const all = terms.map((each, i): TermRows => [each, [i]]);
      const index = openTermIndex(bytesOf(all, 300).buffer);
      for (const token of [...asked, ...words.slice(0, 8)]) {
        const near = index.near(token).map((number) => index.termAt(number));
        expect([token, ...near.sort()]).toEqual([token, ...terms.filter(oneEditAway(token))]);
      }
    },
  );
  fc.assert(property, {numRuns: 10});
});

test("a question reads the two places where its lists begin and end: damage there is told, and elsewhere does not matter", () => {
  const bytes = bytesOf(Array.from({length: 400}, (_, i): TermRows => [`T${1000 + i}`, [i]]));
  guardOpened(bytes.buffer, "file");
  const guard = guardOf(bytes.buffer)!;
  const index = openTermIndex(bytes.buffer);
  const {byteOffset} = openBatches(bytes.buffer).column("rows")[0]!.valueOffsets;
  const blockOf = (term: number) => Math.floor((byteOffset + term * 4) / guardedBytes);
  const blocks = Array.from({length: blockOf(400) - blockOf(0) + 1}, (_, i) => blockOf(0) + i);
  expect(blocks.length).toBeGreaterThan(5);
  const isTold = (block: number, ask: () => unknown) => {
    bytes[block * guardedBytes + 128]! ^= 1;
    guard.endTurn();
    try {
      ask();
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(DamagedFileError);
      return true;
    } finally {
      bytes[block * guardedBytes + 128]! ^= 1;
    }
  };
  for (let from = 0; from < 250; from++) {
    const to = from + 150;
    const readBlocks = blocks.filter((block) => isTold(block, () => index.rowsOf({from, to})));
    expect(readBlocks).toEqual([blockOf(from), blockOf(to)]);
    const one = blocks.filter((block) => isTold(block, () => index.rowsAt(from)));
    expect(one).toEqual([...new Set([blockOf(from), blockOf(from + 1)])]);
  }
});
