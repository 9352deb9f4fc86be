import {createHash} from "node:crypto";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {type KeyEntry, type KeyIndex, mapFile, openKeyIndex} from "@open-cattle/mapped-index";
import fc from "fast-check";
import {afterAll, beforeAll, expect, test} from "vitest";
import {type Database, openDatabase, sqlText} from "../../../../lib/sql/duckdb.ts";
import {writeKeyIndex} from "../../../../pipeline/parcels/files/write-keys.ts";

let folder: string;
let db: Database;
let serial = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "keys-"));
  db = await openDatabase({threads: 2});
});

afterAll(() => {
  db.close();
  rmSync(folder, {recursive: true});
});

const key = fc.oneof(
  fc.string({unit: fc.constantFrom("0", "1", "A", "Ä", "😀", "-"), minLength: 1, maxLength: 4}),
  fc.constantFrom("301-22-014", "30122014", "301-22-01", "\u{10FFFF}", "\uE000"),
);

const entry: fc.Arbitrary<KeyEntry> = fc.record({
  key,
  row: fc.oneof(fc.integer({min: 0, max: 9}), fc.constant(2 ** 32 - 1)),
  form: fc.integer({min: 0, max: 255}),
});

async function build(
  entries: readonly KeyEntry[],
  batchRows?: number,
): Promise<{path: string; index: KeyIndex}> {
  const path = join(folder, `${++serial}.arrow`);
  const values = entries.map(({key, row, form}) => `(${sqlText(key)}, ${row}, ${form})`);
  const query = `SELECT * FROM (VALUES (NULL, 1, 1), ('', 2, 1) ${values.map((v) => `, ${v}`).join("")}) t("key", row_no, form)`;
  await writeKeyIndex(db, {query, path, ...(batchRows === undefined ? {} : {batchRows})});
  return {path, index: openKeyIndex(mapFile(path).buffer)};
}

function bytewise(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The expected content of the index, computed without it: one entry for each key and row in order, with forms joined. */
function plain(entries: readonly KeyEntry[]): KeyEntry[] {
  const joined = new Map<string, KeyEntry>();
  for (const {key, row, form} of entries) {
    const id = `${key}\0${row}`;
    joined.set(id, {key, row, form: (joined.get(id)?.form ?? 0) | form});
  }
  return [...joined.values()].sort((a, b) => bytewise(a.key, b.key) || a.row - b.row);
}

test("the entries are sorted by key and row, each pair once with all its forms", async () => {
  const property = fc.asyncProperty(
    fc.array(entry, {maxLength: 60}),
    fc.constantFrom(1, 4, 1024),
    async (entries, batchRows) => {
      const {index} = await build(entries, batchRows);
      expect(index.prefix("", 100)).toEqual(plain(entries));
    },
  );
  await fc.assert(property, {numRuns: 60});
});

test("the same entries in another order give the same bytes", async () => {
  const entries = Array.from({length: 3000}, (_, i) => ({key: `k${i % 700}`, row: i, form: 1 << (i % 4)}));
  const sha = async (list: readonly KeyEntry[]) =>
    createHash("sha256")
      .update(readFileSync((await build(list, 1024)).path))
      .digest("hex");
  expect(await sha(entries)).toBe(await sha([...entries].reverse()));
});

test("no keys give an index without entries", async () => {
  const {index} = await build([]);
  expect([index.find("a"), index.prefix("", 5)]).toEqual([[], []]);
});

test("400,000 keys over several batches and threads are found", async () => {
  const path = join(folder, "many.arrow");
  const query = `SELECT 'P' || ((i * 7919) % 400000) AS "key", i AS row_no, 2 AS form FROM range(400000) t(i)`;
  expect(await writeKeyIndex(db, {query, path, batchRows: 2 ** 16})).toEqual({entries: 400_000});
  const index = openKeyIndex(mapFile(path).buffer);
  for (let i = 0; i < 400_000; i += 997) {
    expect(index.find(`P${(i * 7919) % 400_000}`)).toEqual([{row: i, form: 2}]);
  }
});
