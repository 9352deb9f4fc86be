import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DATE,
  DOUBLE,
  INTEGER,
  INTERVAL,
  LIST,
  MAP,
  TIMESTAMP,
  UINTEGER,
  VARCHAR,
} from "@duckdb/node-api";
import fc from "fast-check";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {appendRows, createTable, type TableColumn} from "../../../lib/sql/append-rows.ts";
import {type Database, openDatabase} from "../../../lib/sql/duckdb.ts";

const columns: TableColumn[] = [
  {name: "text", type: VARCHAR},
  {name: "number", type: DOUBLE},
  {name: "whole", type: INTEGER},
  {name: "unsigned", type: UINTEGER},
  {name: "large", type: BIGINT},
  {name: "flag", type: BOOLEAN},
  {name: "day", type: DATE},
  {name: "instant", type: TIMESTAMP},
  {name: "bytes", type: BLOB},
  {name: "texts", type: LIST(VARCHAR)},
  {name: "numbers", type: MAP(VARCHAR, DOUBLE)},
];
/** What DuckDB says of each value, by its own functions; none of them goes through our reading of its types. */
const readBack = `SELECT text, number, whole, unsigned, large::VARCHAR AS large, flag, strftime(day, '%Y-%m-%d') AS day,
  epoch_ms(instant)::DOUBLE AS instant, hex(bytes) AS bytes, texts, map_keys(numbers) AS keys, map_values(numbers) AS numbers
  FROM target ORDER BY rowid`;

const text = fc.string({unit: "binary", maxLength: 30});
const times = {
  min: new Date("0001-01-01T00:00:00Z"),
  max: new Date("9999-12-31T00:00:00Z"),
  noInvalidDate: true,
};
const row = fc.record({
  text: fc.option(text),
  number: fc.option(fc.double()),
  whole: fc.option(fc.integer()),
  unsigned: fc.option(fc.nat(2 ** 32 - 1)),
  large: fc.option(fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.maxSafeInteger())),
  flag: fc.option(fc.boolean()),
  day: fc.option(fc.date(times).map((date) => date.toISOString().slice(0, 10))),
  instant: fc.option(
    fc.oneof(
      fc.date(times),
      fc.date(times).map((date) => date.toISOString()),
    ),
  ),
  bytes: fc.option(fc.uint8Array({maxLength: 40})),
  texts: fc.option(fc.array(fc.option(text), {maxLength: 5})),
  numbers: fc.option(fc.dictionary(text, fc.option(fc.double()), {maxKeys: 4, noNullPrototype: true})),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

let db: Database;
beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.close());

describe("appended rows", () => {
  test("are read back as they were written, over the borders of chunks", async () => {
    const lengths = fc.constantFrom(0, 1, 7, 2047, 2048, 2049, 4097);
    await fc.assert(
      fc.asyncProperty(fc.array(row, {minLength: 1, maxLength: 40}), lengths, async (some, length) => {
        const rows = Array.from({length}, (_, i) => some[i % some.length]!);
        await remade(columns);
        expect(await appendRows(db, "target", columns, rows)).toBe(length);
        expect(await db.rows(readBack)).toEqual(rows.map(expected));
      }),
      {numRuns: 20},
    );
  });

  test("take a missing member as null, leave members without a column out, and follow rows that are there", async () => {
    const some = [
      {name: "a", type: VARCHAR},
      {name: "b", type: INTEGER},
    ];
    await remade(some);
    await appendRows(db, "target", some, [{b: 1, c: 2}]);
    await appendRows(db, "target", some, new Set([{a: undefined, b: 3}]));
    expect(await db.rows("FROM target ORDER BY rowid")).toEqual([
      {a: null, b: 1},
      {a: null, b: 3},
    ]);
  });

  test("name column and row of a value that does not fit", async () => {
    for (const [type, value, words] of [
      [VARCHAR, 7, "7 is not a valid VARCHAR"],
      [DOUBLE, "7", "'7' is not a valid DOUBLE"],
      [INTEGER, 1.5, "1.5 is not a valid INTEGER"],
      [INTEGER, 2 ** 31, "2147483648 is not a valid INTEGER"],
      [UINTEGER, -1, "-1 is not a valid UINTEGER"],
      [UINTEGER, 2 ** 32, "4294967296 is not a valid UINTEGER"],
      [BIGINT, 2 ** 53, "9007199254740992 is not a valid BIGINT"],
      [BIGINT, 2n ** 63n, "9223372036854775808n is not a valid BIGINT"],
      [BOOLEAN, 1, "1 is not a valid BOOLEAN"],
      [DATE, "2026-02-30", "'2026-02-30' is not a valid DATE"],
      [DATE, "2026-02-03T00:00:00Z", "'2026-02-03T00:00:00Z' is not a valid DATE"],
      [TIMESTAMP, "2026-02-30T00:00:00Z", "'2026-02-30T00:00:00Z' is not a valid TIMESTAMP"],
      [TIMESTAMP, "2026-02-03T00:00:00.123456Z", "'2026-02-03T00:00:00.123456Z' is not a valid TIMESTAMP"],
      [TIMESTAMP, new Date(Number.NaN), "Invalid Date is not a valid TIMESTAMP"],
      [BLOB, "x", "'x' is not a valid BLOB"],
      [LIST(VARCHAR), ["a", 1], "[ 'a', 1 ] is not a valid VARCHAR[]"],
      [MAP(VARCHAR, DOUBLE), {a: "1"}, "{ a: '1' } is not a valid MAP(VARCHAR, DOUBLE)"],
      [
        MAP(VARCHAR, DOUBLE),
        new Map([[null, 1]]),
        "Map(1) { null => 1 } is not a valid MAP(VARCHAR, DOUBLE)",
      ],
      [MAP(VARCHAR, DOUBLE), [1], "[ 1 ] is not a valid MAP(VARCHAR, DOUBLE)"],
    ] as const) {
      const some = [
        {name: "fine", type: INTEGER},
        {name: "price", type},
      ];
      await remade(some);
      const rows = [...Array.from({length: 2050}, () => ({fine: 1})), {fine: 1, price: value}];
      const appended = appendRows(db, "target", some, rows);
      await expect(appended).rejects.toThrow(`column price, row 2050: ${words}.`);
    }
  });

  test("are refused for a column that JavaScript has no value for, and for a table of other columns", async () => {
    const some = [{name: "a", type: VARCHAR}];
    await remade(some);
    await expect(appendRows(db, "target", [...some, ...some], [{a: "x"}])).rejects.toThrow("column count");
    await expect(appendRows(db, "target", [{name: "a", type: LIST(INTERVAL)}], [{}])).rejects.toThrow(
      "cannot append JavaScript values to a column of type INTERVAL",
    );
    expect(await db.rows("FROM target")).toEqual([]);
  });
});

async function remade(some: readonly TableColumn[]): Promise<void> {
  await db.run("DROP TABLE IF EXISTS target");
  await createTable(db, "target", some);
}

function expected({text, number, whole, unsigned, large, flag, day, instant, bytes, texts, numbers}: Row) {
  return {
    text,
    number,
    whole,
    unsigned,
    large: large === null ? null : String(large),
    flag,
    day,
    instant: instant === null ? null : new Date(instant).getTime(),
    bytes: bytes === null ? null : Buffer.from(bytes).toString("hex").toUpperCase(),
    texts,
    keys: numbers === null ? null : Object.keys(numbers),
    numbers: numbers === null ? null : Object.values(numbers),
  };
}
