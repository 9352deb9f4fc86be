import {createHash} from "node:crypto";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {editDistance} from "@open-cattle/us-address";
import fc from "fast-check";
import {afterAll, beforeAll, expect, test} from "vitest";
import {openTermIndex, type TermIndex, writeTermIndex} from "../../../lib/search/term-index.ts";
import {type Database, openDatabase, sqlText} from "../../../lib/sql/duckdb.ts";
import {openBatches} from "../../../lib/storage/arrow-table/batches.ts";
import {mapFile} from "../../../lib/system/mapped-file.ts";

type Pair = readonly [term: string, row: number];

let folder: string;
let db: Database;
let serial = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "terms-"));
  db = await openDatabase({threads: 2});
});

afterAll(() => {
  db.close();
  rmSync(folder, {recursive: true});
});

const term = fc.string({unit: fc.constantFrom("A", "B", "Ñ", "😀"), minLength: 1, maxLength: 3});
const pair: fc.Arbitrary<Pair> = fc.tuple(term, fc.integer({min: 0, max: 30}));

function ascending(rows: readonly number[]): Uint32Array {
  return Uint32Array.from(rows).sort();
}

async function build(pairs: readonly Pair[], batchPostings?: number) {
  const path = join(folder, `${++serial}.arrow`);
  const values = pairs.map(([word, row]) => `, (${sqlText(word)}, ${row})`).join("");
  const query = `SELECT * FROM (VALUES (NULL, 1), ('', 2) ${values}) t(term, row_no)`;
  const size = await writeTermIndex(db, {
    query,
    path,
    ...(batchPostings === undefined ? {} : {batchPostings}),
  });
  return {path, size, index: openTermIndex(mapFile(path).buffer)};
}

function plain(pairs: readonly Pair[]): Map<string, number[]> {
  const words = [...new Set(pairs.map(([word]) => word))].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  return new Map(
    words.map((word) => [
      word,
      [...ascending([...new Set(pairs.filter((p) => p[0] === word).map((p) => p[1]))])],
    ]),
  );
}

function allOf(index: TermIndex): [string, number[]][] {
  return Array.from({length: index.terms}, (_, i) => [index.termAt(i), [...index.rowsAt(i)]]);
}

test("the term index answers like a plain scan: exact, by prefix, in order", async () => {
  const property = fc.asyncProperty(
    fc.array(pair, {maxLength: 80}),
    fc.constantFrom(1, 5, 1000),
    fc.array(term, {maxLength: 5}),
    async (pairs, batchPostings, asked) => {
      const {index, size} = await build(pairs, batchPostings);
      const all = [...plain(pairs)];
      expect(allOf(index)).toEqual(all);
      expect(size).toEqual({terms: all.length, postings: all.flatMap(([, rows]) => rows).length});
      for (const word of [...asked, ...all.map(([w]) => w), ""]) {
        expect([...index.find(word)]).toEqual(plain(pairs).get(word) ?? []);
        const begun = all.filter(([w]) => w.startsWith(word));
        const {from, to} = index.withPrefix(word);
        expect(all.slice(from, to)).toEqual(begun);
        expect(index.rowsOf({from, to}).flatMap((rows) => [...rows])).toEqual(
          begun.flatMap(([, rows]) => rows),
        );
      }
    },
  );
  await fc.assert(property, {numRuns: 60});
});

test("packs terms into batches by the number of their rows, and reads the lists in place", async () => {
  const pairs = Array.from({length: 5000}, (_, i): Pair => [i % 2 === 0 ? "COMMON" : `T${i % 100}`, i]);
  const {path, index} = await build(pairs, 300);
  const {buffer} = mapFile(path);
  const lengths = openBatches(buffer)
    .column("rows")
    .map((data) => data.children[0]!.length);
  expect(lengths.length).toBeGreaterThan(5);
  expect(lengths.filter((length) => length > 300)).toEqual([2500]);
  expect(index.find("COMMON").length).toBe(2500);
  expect(openTermIndex(buffer).find("T3").buffer).toBe(buffer);
});

test("the same pairs in another order give the same bytes", async () => {
  const pairs = Array.from({length: 4000}, (_, i): Pair => [`T${(i * 31) % 90}`, i % 1000]);
  const sha = async (list: readonly Pair[]) =>
    createHash("sha256")
      .update(readFileSync((await build(list)).path))
      .digest("hex");
  expect(await sha(pairs)).toBe(await sha([...pairs].reverse()));
});

test("M3: answers the same from a mapped and from a copied file", async () => {
  const {path, index} = await build(
    Array.from({length: 500}, (_, i): Pair => [`T${i % 90}`, i]),
    100,
  );
  expect(allOf(openTermIndex(mapFile(path, undefined, "copied").buffer))).toEqual(allOf(index));
});

test("no terms give an index without terms", async () => {
  const {index, size} = await build([]);
  expect([size, index.terms, [...index.find("A")], index.withPrefix(""), index.near("ABCDE")]).toEqual([
    {terms: 0, postings: 0},
    0,
    [],
    {from: 0, to: 0},
    [],
  ]);
  expect(() => index.termAt(0)).toThrow(RangeError);
});

test("300,000 pairs over several chunks and batches are found", async () => {
  const path = join(folder, "many.arrow");
  const query = "SELECT 'T' || (i % 5003) AS term, i AS row_no FROM range(300000) t(i)";
  expect(await writeTermIndex(db, {query, path, batchPostings: 7000})).toEqual({
    terms: 5003,
    postings: 300_000,
  });
  const index = openTermIndex(mapFile(path).buffer);
  for (let k = 0; k < 5003; k += 13) {
    const expected = Array.from({length: Math.ceil((300_000 - k) / 5003)}, (_, i) => k + i * 5003);
    expect([...index.find(`T${k}`)]).toEqual(expected);
  }
});

test("finds the terms one edit away as comparing all of them would, in few terms and in thousands", async () => {
  const word = fc.string({unit: fc.constantFrom("A", "B", "C", "9"), minLength: 1, maxLength: 7});
  const many = Array.from({length: 3_000}, (_, i) => i.toString(4).replaceAll("0", "A").replaceAll("1", "B"));
  const property = fc.asyncProperty(
    fc.uniqueArray(word, {minLength: 30, maxLength: 120}),
    fc.array(word, {maxLength: 10}),
    fc.boolean(),
    async (words, asked, isLarge) => {
      const terms = [...new Set(isLarge ? [...words, ...many] : words)];
      const {index} = await build(
        terms.map((each, i): Pair => [each, i]),
        300,
      );
      for (const token of [...asked, ...words.slice(0, 8)]) {
        const near = index.near(token).map((number) => index.termAt(number));
        expect([token, ...near.sort()]).toEqual([
          token,
          ...terms.filter((each) => editDistance(token, each, 1) === 1).sort(),
        ]);
      }
    },
  );
  await fc.assert(property, {numRuns: 10});
});
