import {afterAll, beforeAll, expect, it} from "vitest";
import {borrowUdf, ensureTextFunction, installMacros} from "../../../../lib/parcels/conform/functions.ts";
import {type Database, openDatabase} from "../../../../lib/sql/duckdb.ts";

let db: Database;
beforeAll(async () => {
  db = await openDatabase({memoryLimit: "256MB"});
});
afterAll(() => db.close());

const answer = async (call: string, of = "unnest(['a', NULL, 'b'])") =>
  (await db.rows<{answer: string | null}>(`SELECT ${call} AS answer FROM (SELECT ${of} AS text)`)).map(
    (row) => row.answer,
  );
const functions = async () =>
  (await db.rows<{n: number}>("SELECT count(*)::INTEGER AS n FROM duckdb_functions()"))[0]!.n;

it("a function that is ensured answers texts, and null with null", async () => {
  await ensureTextFunction(db, "twice", (text) => text + text);
  expect(await answer("twice(text)")).toEqual(["aa", null, "bb"]);
});

it("a function that is ensured again stays the first one of its name", async () => {
  await ensureTextFunction(db, "named", (text) => `first ${text}`);
  await ensureTextFunction(db, "named", (text) => `second ${text}`);
  expect(await answer("named(text)")).toEqual(["first a", null, "first b"]);
});

it("functions that are borrowed at once answer each for itself, over more rows than a chunk has", async () => {
  const [one, two] = [
    await borrowUdf(db, "parsed", (text) => `1${text}`),
    await borrowUdf(db, "parsed", () => null),
  ];
  expect(await answer(`${one.name}(text)`)).toEqual(["1a", null, "1b"]);
  expect(await answer(`concat(${one.name}(text), ${two.name}(text), ${one.name}(text))`)).toEqual([
    "1a1a",
    "",
    "1b1b",
  ]);
  const many = await answer(`${one.name}(text)`, "unnest(range(5000)::VARCHAR[])");
  expect(many).toEqual(Array.from({length: 5000}, (_, i) => `1${i}`));
  for (const udf of [one, two]) udf.end();
});

it("a function that was given back fails, and leaves nothing in the database", async () => {
  const udf = await borrowUdf(db, "parsed", (text) => text);
  udf.end();
  await expect(answer(`${udf.name}(text)`)).rejects.toThrow(/is not borrowed any more/);
  const before = await functions();
  for (let i = 0; i < 20; i++) (await borrowUdf(db, "parsed", (text) => text)).end();
  expect(await functions()).toBe(before);
});

it.each([
  ["787571234", "78757-1234"],
  ["78757 1234", "78757-1234"],
  ["AUSTIN TX 78757-1234", "78757-1234"],
  ["78757123", null],
  ["787570000", null],
  ["7875712345", null],
])("reads the nine digits of a ZIP: %s", async (cell, expected) => {
  await installMacros(db);
  expect(await answer("zip9_text(text)", `'${cell}'`)).toEqual([expected]);
});
