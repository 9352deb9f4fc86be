import {mkdtempSync, readdirSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {afterEach, beforeEach, expect, expectTypeOf, test} from "vitest";
import {type AnyModel, model, value} from "../../../lib/models/model.ts";
import {ModelRun} from "../../../lib/models/model-run.ts";
import {packageRoot} from "../../../lib/paths.ts";
import {type Database, openDatabase} from "../../../lib/sql/duckdb.ts";
import type {county_prices} from "../../../pipeline/market/answers/county-prices.ts";

let db: Database;
beforeEach(async () => {
  db = await openDatabase();
});
afterEach(() => db.close());

const numbers = model({name: "numbers", columns: {INTEGER: "n", VARCHAR: "word"}});
const evens = model({
  name: "evens",
  reads: [numbers],
  columns: {INTEGER: "n"},
  materialise: "view",
  sql: ({numbers}) => `SELECT n FROM ${numbers} WHERE n % 2 = 0`,
});
const total = model({
  name: "total",
  reads: [evens],
  columns: {INTEGER: "sum"},
  sql: ({evens}) => `SELECT sum(n)::INTEGER AS sum FROM ${evens}`,
});
const rows = [
  {n: 1, word: "one"},
  {n: 2, word: "two"},
  {n: 4, word: null},
];

test("makes what a model reads before it, and types its rows", async () => {
  const run = new ModelRun(db);
  await run.giveRows(numbers, rows);
  await run.make(total);
  const [{sum}] = (await run.rows(total)) as [{sum: number | null}];
  expect(sum).toBe(6);
  expect(run.made.map(({name, rows, reads}) => [name, rows, reads])).toEqual([
    ["numbers", 3, []],
    ["evens", null, ["numbers"]],
    ["total", 1, ["evens"]],
  ]);
});

test("drops a planned model when its last reader is made, through views too, and keeps the outputs", async () => {
  const run = new ModelRun(db, {outputs: [total]});
  await run.giveRows(numbers, rows);
  await run.make(total);
  expect(await tables()).toEqual(["total"]);
  await run.release(total);
  expect(await tables()).toEqual([]);
});

test("keeps all models that are asked for, where a second connection sees them", async () => {
  const run = new ModelRun(db, {outputs: [total], keep: true});
  await run.giveRows(numbers, rows);
  await run.make(total);
  using beside = await db.beside();
  expect(await beside.rows("FROM evens ORDER BY n")).toEqual([{n: 2}, {n: 4}]);
});

test("makes rows of TypeScript from values that the run was given or computes once", async () => {
  const given = value<number>("given");
  let calls = 0;
  const doubled = value("doubled", async (run) => {
    calls++;
    return 2 * (await run.value(given));
  });
  const made = model({
    name: "made",
    columns: {INTEGER: "n"},
    rows: async (run) => [{n: await run.value(doubled)}, {n: await run.value(doubled)}],
  });
  const run = new ModelRun(db).give(given, 21);
  await run.make(made);
  expect(await run.rows(made)).toEqual([{n: 42}, {n: 42}]);
  expect(calls).toBe(1);
});

test("opens a model for readers, and takes back what a step appended that threw or is not kept", async () => {
  const run = new ModelRun(db, {outputs: [total]});
  const open = await run.open(numbers);
  expect(await open.append(rows)).toBe(3);
  await run.allOrNothing(() => open.appendSql("SELECT 6 AS n"));
  const tooLate = run.allOrNothing(async () => {
    await open.appendSql("SELECT 8 AS n");
    await open.appendSql("SELECT 'ten'::INTEGER AS n");
  });
  await expect(tooLate).rejects.toThrow("Conversion Error");
  const retried = await run.allOrNothing(
    () => open.appendSql("SELECT 12 AS n"),
    (count) => count > 1,
  );
  expect(retried).toBe(1);
  await open.close();
  await run.make(total);
  expect(await run.rows(total)).toEqual([{sum: 12}]);
  expect(await run.count(numbers)).toBe(4);
  expect(await tables()).toEqual(["total"]);
});

test("counts a view when it is asked", async () => {
  const run = new ModelRun(db);
  await run.giveSql(numbers, "SELECT i::INTEGER AS n, NULL::VARCHAR AS word FROM range(5) AS r(i)");
  await run.make(evens);
  expect([await run.count(numbers), await run.count(evens)]).toEqual([5, 3]);
});

test("stores texts as values of an ENUM, but for those without any value", async () => {
  const coded = model({
    name: "coded",
    reads: [numbers],
    columns: {VARCHAR: "word none"},
    enums: ["word", "none"],
    sql: () => "SELECT word, NULL::VARCHAR AS none FROM numbers",
  });
  const run = new ModelRun(db);
  await run.giveRows(numbers, rows);
  await run.make(coded);
  expect(await db.rows("SELECT DISTINCT typeof(word) AS word, typeof(none) AS none FROM coded")).toEqual([
    {word: "ENUM('one', 'two')", none: "VARCHAR"},
  ]);
});

test("refuses a circle of models and two models of one name", async () => {
  const reads: AnyModel[] = [];
  const first = {...model({name: "first", columns: {INTEGER: "n"}, sql: () => "SELECT 1 AS n"}), reads};
  const second = model({name: "second", reads: [first], columns: {INTEGER: "n"}, sql: () => "SELECT 1 AS n"});
  reads.push(second);
  await expect(new ModelRun(db).make(second)).rejects.toThrow("second -> first -> second");
  const twin = model({name: "evens", columns: {INTEGER: "n"}, sql: () => "SELECT 1 AS n"});
  const both = model({
    name: "both",
    reads: [evens, twin],
    columns: {INTEGER: "n"},
    sql: () => "SELECT 1 AS n",
  });
  await expect(new ModelRun(db).make(both)).rejects.toThrow(
    /two models are named evens: in .*models\.test\.ts/,
  );
});

test("names the model and its file in an error of its SQL, of its check, and of an input that was not given", async () => {
  const wrong = model({name: "wrong", columns: {INTEGER: "n"}, sql: () => "SELECT nothing FROM nowhere"});
  await expect(new ModelRun(db).make(wrong)).rejects.toThrow(
    /^model wrong \(test\/lib\/models\/models\.test\.ts\): Catalog Error/,
  );
  await expect(new ModelRun(db).make(evens)).rejects.toThrow("model numbers");
  const missing = value<string>("the date");
  const needy = model({
    name: "needy",
    columns: {VARCHAR: "v"},
    rows: async (run) => [{v: await run.value(missing)}],
  });
  await expect(new ModelRun(db).make(needy)).rejects.toThrow("the run was not given the value the date");
});

test("rows of the price tables are typed by their fields, their drafts and their sums", () => {
  type Row = NonNullable<(typeof county_prices)["row"]>;
  expectTypeOf<Row["price_avg"]>().toEqualTypeOf<number | null>();
  expectTypeOf<Row["venue_ids"]>().toEqualTypeOf<string[] | null>();
  expectTypeOf<Row["week_cells"]>().toEqualTypeOf<number | null>();
  // @ts-expect-error A county's price has no end of a week.
  expectTypeOf<Row["week_end_date"]>().toBeString();
});

test("a model that has nothing without another's rows is empty where that one is, and its SQL is not asked", async () => {
  const asked: string[] = [];
  const some = (n: number) =>
    model({name: `some_${n}`, columns: {INTEGER: "n"}, sql: () => `SELECT n FROM range(${n}) t(n)`});
  const of = (read: AnyModel) =>
    model({
      name: `of_${read.name}`,
      reads: [read],
      columns: {VARCHAR: "word"},
      nothingWithout: read,
      sql: () => {
        asked.push(read.name);
        return "SELECT 'x' AS word";
      },
    });
  const [none, one] = [of(some(0)), of(some(1))];
  const run = new ModelRun(db);
  await run.make(none, one);
  expect([await run.rows(none), await run.rows(one)]).toEqual([[], [{word: "x"}]]);
  expect(asked).toEqual(["some_1"]);
});

test("a model that is a file is read like a table, with the columns that it does not store, and removed with its view", async () => {
  const folder = mkdtempSync(join(tmpdir(), "models-"));
  const filed = model({
    name: "filed",
    columns: {INTEGER: "n", VARCHAR: "word"},
    materialise: "file",
    derived: {word: "'number ' || n"},
    sql: () => "SELECT n::INTEGER AS n, 'number ' || n AS word FROM range(2) t(n)",
  });
  const run = new ModelRun(db, {folder});
  await run.make(filed);
  const rows = [
    {n: 0, word: "number 0"},
    {n: 1, word: "number 1"},
  ];
  expect(await run.rows(filed, "ORDER BY n")).toEqual(rows);
  expect(await db.rows(`FROM '${join(folder, "filed.parquet")}' ORDER BY n`)).toEqual([{n: 0}, {n: 1}]);
  await run.release(filed);
  expect([await tables(), readdirSync(folder)]).toEqual([[], []]);
  rmSync(folder, {recursive: true});
});

/** Rooms whose tables and views are models, made by the runner alone. */
const roomsOfModels = ["lib/models", "lib/parcels", "pipeline/market", "pipeline/parcels"];
/** The readers of raw files, which fill inputs, the macros, and the writers of indexes, whose temporary tables end with the call. */
const beside =
  /^lib\/parcels\/conform\/(staged-table|functions)|^pipeline\/parcels\/(readers\/|stage-file|propose\/only-table|files\/write-(keys|terms))/;

test("nothing in a room of models but the runner creates, changes or drops a table", () => {
  const files = roomsOfModels.flatMap((room) =>
    readdirSync(join(packageRoot, room), {recursive: true, encoding: "utf8"})
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(room, file)),
  );
  const changing = files.filter((file) => {
    const text = readFileSync(join(packageRoot, file), "utf8");
    return /\b(CREATE|DROP|UPDATE|INSERT|DELETE|TRUNCATE|ALTER) |sql\/append-rows/.test(text);
  });
  expect(changing.filter((file) => !beside.test(file))).toEqual([
    "lib/models/model-run.ts",
    "lib/models/model-store.ts",
  ]);
});

async function tables(): Promise<string[]> {
  const found = await db.rows<{name: string}>(
    "SELECT table_name AS name FROM information_schema.tables ORDER BY name",
  );
  return found.map(({name}) => name);
}
