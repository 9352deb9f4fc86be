import {createHash} from "node:crypto";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {mapFile, openTermIndex, type TermIndex} from "@open-cattle/mapped-index";
import {tableFromIPC} from "apache-arrow";
import fc from "fast-check";
import {afterAll, beforeAll, expect, test} from "vitest";
import {type Database, openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {writeTermIndex} from "../../../../pipeline/parcels/files/write-terms.ts";

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

test("the terms are sorted by bytes, each once with its rows in order", async () => {
  const property = fc.asyncProperty(
    fc.array(pair, {maxLength: 80}),
    fc.constantFrom(1, 5, 1000),
    async (pairs, batchPostings) => {
      const {index, size} = await build(pairs, batchPostings);
      const all = [...plain(pairs)];
      expect(allOf(index)).toEqual(all);
      expect(size).toEqual({terms: all.length, postings: all.flatMap(([, rows]) => rows).length});
    },
  );
  await fc.assert(property, {numRuns: 60});
});

test("packs terms into batches by the number of their rows", async () => {
  const pairs = Array.from({length: 5000}, (_, i): Pair => [i % 2 === 0 ? "COMMON" : `T${i % 100}`, i]);
  const {path, index} = await build(pairs, 300);
  const lengths = tableFromIPC(readFileSync(path)).batches.map(
    ({data}) => data.children[1]!.children[0]!.length,
  );
  // Six terms of 50 rows each fill a batch; no batch is empty.
  expect(lengths).toEqual([2500, ...Array<number>(8).fill(300), 100]);
  expect(index.find("COMMON").length).toBe(2500);
});

test("the same pairs in another order give the same bytes", async () => {
  const pairs = Array.from({length: 4000}, (_, i): Pair => [`T${(i * 31) % 90}`, i % 1000]);
  const sha = async (list: readonly Pair[]) =>
    createHash("sha256")
      .update(readFileSync((await build(list)).path))
      .digest("hex");
  expect(await sha(pairs)).toBe(await sha([...pairs].reverse()));
});

test("no terms give an index without terms", async () => {
  const {index, size} = await build([]);
  expect([size, index.terms]).toEqual([{terms: 0, postings: 0}, 0]);
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
