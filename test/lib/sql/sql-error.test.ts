import {expect, test} from "vitest";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {SqlError} from "../../../lib/sql/sql-error.ts";
import {streamChunks} from "../../../lib/storage/arrow-file/duckdb-chunks.ts";

test.each([
  ["FROM nowhere", "Catalog", true],
  ["SELECT x FROM (SELECT 1 AS y)", "Binder", true],
  ["SELEC 1", "Parser", true],
  ["SELECT 'a'::INTEGER", "Conversion", false],
  ["SELECT error('of a row')", "Invalid Input", false],
  ["FROM read_csv('/no/such/file.csv')", "IO", false],
])("tells the type of the error of %s", async (sql, type, isOfStatement) => {
  using db = await openDatabase();
  for (const step of [db.run, db.rows]) {
    const error = await step(sql).then(
      () => null,
      (thrown: unknown) => thrown as SqlError,
    );
    expect(error).toBeInstanceOf(SqlError);
    expect([error!.type, error!.isOfStatement]).toEqual([type, isOfStatement]);
    expect(error!.message.startsWith(`${type} Error: `)).toBe(true);
  }
});

test("marks the place in the statement", async () => {
  using db = await openDatabase();
  await expect(db.stream("SELECT 'Müller',\n  nothing")).rejects.toThrow(/\n\nLINE 2: {3}nothing\n {10}\^$/);
});

test.skipIf(process.platform !== "linux")("tells a fault of the machine from one of the rows", async () => {
  using db = await openDatabase({memoryLimit: "64MB", tempDirectory: ""});
  const isOfMachine = (sql: string) =>
    db.run(sql).then(
      () => null,
      (thrown: unknown) => (thrown as SqlError).isOfMachine,
    );
  expect(await isOfMachine("COPY (FROM range(100000)) TO '/dev/full' (FORMAT csv)")).toBe(true);
  expect(
    await isOfMachine("CREATE TABLE much AS SELECT repeat('x', 1000) || range FROM range(1000000)"),
  ).toBe(true);
  expect(await isOfMachine("FROM read_csv('/no/such/file.csv')")).toBe(false);
  expect(await isOfMachine("SELECT error('No space left on device')")).toBe(false);
});

test.each([
  ["a row that does not fit", "CASE WHEN range = 3_000_000 THEN 'x' ELSE '1' END::INTEGER", "Conversion"],
  ["an error of a row", "CASE WHEN range = 3_000_000 THEN error('of a row') ELSE range END", "Invalid Input"],
])("ends a stream with the error of %s, however late it comes", async (_what, column, type) => {
  using db = await openDatabase();
  const sql = `SELECT ${column} AS value FROM range(4_000_000)`;
  const rows = async (chunks: AsyncIterable<unknown>) => {
    for await (const _chunk of chunks);
  };
  await expect(db.stream(sql).then(({batches}) => rows(batches))).rejects.toMatchObject({type});
  await expect(rows(streamChunks(db, sql))).rejects.toMatchObject({type});
  await rows((await db.stream("SELECT range FROM range(4_000_000)")).batches);
});
