import {expect, test} from "vitest";
import {openDatabase} from "../../../lib/sql/duckdb.ts";
import {SqlError} from "../../../lib/sql/sql-error.ts";

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
