import {createHash} from "node:crypto";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {type ArrowTable, mapFile, openArrowTable} from "@open-cattle/mapped-index";
import {tableFromIPC} from "apache-arrow";
import fc from "fast-check";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {type Database, openDatabase, sqlName, sqlText} from "../../../../lib/sql/duckdb.ts";
import {
  type ArrowColumn,
  type RowValue,
  writeArrowFile,
  writeArrowRows,
} from "../../../../lib/storage/arrow-file/write.ts";
import {parquetTypes} from "../../../../schemas/vocabulary/described-file.ts";

const columns: readonly ArrowColumn[] = [
  {name: "a text", kind: "text", nullable: true},
  {name: "words", kind: "dictionary", nullable: true},
  {name: "list", kind: "list", nullable: true},
  {name: "double", kind: "float64", nullable: true},
  {name: "single", kind: "float32", nullable: true},
  {name: "int", kind: "int32", nullable: true},
  {name: "short", kind: "int16", nullable: true},
  {name: "flag", kind: "bool", nullable: true},
  {name: "money", kind: "money", nullable: true},
  {name: "day", kind: "date", nullable: true},
  {name: "byte", kind: "uint8", nullable: true},
  {name: "place", kind: "uint32", nullable: true},
  {name: "long", kind: "int64", nullable: true},
  {name: "bytes", kind: "binary", nullable: true},
];

const sqlTypes: Record<string, string> = {
  ...parquetTypes,
  uint8: "UTINYINT",
  uint32: "UINTEGER",
  int64: "BIGINT",
  binary: "BLOB",
};

type Row = Record<string, RowValue>;

const text = fc.oneof(
  fc.constant(""),
  fc.string({unit: "binary", maxLength: 12}).map((s) => s.replaceAll("\0", "0")),
  fc.constantFrom("Ñandú", "😀 barn", "O'Hara", "x".repeat(5000), "é".repeat(9)),
);

const row: fc.Arbitrary<Row> = fc.record({
  "a text": fc.option(text),
  words: fc.option(fc.constantFrom("", "US", "CA", "Ä", "zz")),
  list: fc.option(
    fc.array(
      text.filter((s) => s !== "" && !s.includes("\n")),
      {maxLength: 3},
    ),
  ),
  double: fc.option(fc.double({noNaN: true})),
  single: fc.option(fc.float({noNaN: true})),
  int: fc.option(fc.integer()),
  short: fc.option(fc.integer({min: -32768, max: 32767})),
  flag: fc.option(fc.boolean()),
  money: fc.option(fc.integer({min: -99_999_999, max: 99_999_999}).map((cents) => cents / 100)),
  day: fc.option(
    fc
      .date({min: new Date("1600-01-01"), max: new Date("2400-01-01"), noInvalidDate: true})
      .map((d) => d.toISOString().slice(0, 10)),
  ),
  byte: fc.option(fc.integer({min: 0, max: 255})),
  place: fc.option(fc.integer({min: 0, max: 2 ** 32 - 1})),
  long: fc.option(fc.maxSafeInteger()),
  bytes: fc.option(fc.uint8Array({maxLength: 20})),
});

let folder: string;
let db: Database;
let serial = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "arrow-"));
  db = await openDatabase({threads: 1});
});

afterAll(() => {
  db.close();
  rmSync(folder, {recursive: true});
});

function newPath(): string {
  return join(folder, `${++serial}.arrow`);
}

function literal(value: RowValue): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "string") return sqlText(value);
  if (value instanceof Uint8Array) return `unhex('${Buffer.from(value).toString("hex")}')`;
  if (Array.isArray(value)) return `[${value.map((item) => sqlText(item)).join(", ")}]::VARCHAR[]`;
  return typeof value === "number" ? `'${Object.is(value, -0) ? "-0.0" : value}'` : String(value);
}

async function fillTable(rows: readonly Row[]): Promise<void> {
  const types = columns.map(({name, kind}) => `${sqlName(name)} ${sqlTypes[kind]}`);
  await db.run(`CREATE OR REPLACE TABLE source (row_no INTEGER, ${types.join(", ")})`);
  if (rows.length === 0) return;
  const values = rows.map((r, i) => `(${i}, ${columns.map(({name}) => literal(r[name])).join(", ")})`);
  // Backwards: the order of the file is that of the row number, not that of the table.
  await db.run(`INSERT INTO source VALUES ${values.reverse().join(", ")}`);
}

function read(table: ArrowTable): Row[] {
  return Array.from({length: table.rows}, (_, i) =>
    Object.fromEntries(columns.map(({name, kind}) => [name, readValue(table, {name, kind}, i)])),
  );
}

function readValue(table: ArrowTable, {name, kind}: Pick<ArrowColumn, "name" | "kind">, i: number): RowValue {
  if (kind === "list") return table.list(name).at(i);
  if (kind !== "binary") return table.value(name).at(i);
  const bytes = table.bytes(name).at(i);
  return bytes === null ? null : new Uint8Array(bytes);
}

/** The rows as the library reads them, which shares no code with our reader. */
function readByLibrary(path: string): Row[] {
  const table = tableFromIPC(readFileSync(path));
  return Array.from({length: table.numRows}, (_, i) =>
    Object.fromEntries(
      columns.map(({name, kind}) => {
        const value: unknown = table.getChild(name)!.get(i);
        if (value === null) return [name, null];
        if (kind === "date") return [name, new Date(Number(value)).toISOString().slice(0, 10)];
        if (kind === "list") return [name, value === "" ? [] : String(value).split("\n")];
        if (kind === "int64") return [name, Number(value)];
        return [name, value as RowValue];
      }),
    ),
  );
}

function openFile(path: string): ArrowTable {
  return openArrowTable(mapFile(path).buffer, path);
}

function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

describe("an Arrow file from DuckDB", () => {
  test("reads back what was written, for all kinds, nulls, empty and long texts, over several batches", async () => {
    const property = fc.asyncProperty(
      fc.array(row, {maxLength: 40}),
      fc.constantFrom(1, 2, 8, 16, 1024),
      async (rows, batchRows) => {
        await fillTable(rows);
        const path = newPath();
        const written = await writeArrowFile(db, {
          table: "source",
          orderColumn: "row_no",
          columns,
          path,
          batchRows,
        });
        expect(written).toEqual({rows: rows.length});
        expect(read(openFile(path))).toEqual(rows);
        expect(readByLibrary(path)).toEqual(rows);
      },
    );
    await fc.assert(property, {numRuns: 60});
  });

  test("has the same bytes as the one written from JavaScript rows, in one batch", async () => {
    const property = fc.asyncProperty(fc.array(row, {maxLength: 20}), async (rows) => {
      await fillTable(rows);
      const [fromTable, fromRows] = [newPath(), newPath()];
      const metadata = {title: "Ä", b: "1"};
      await writeArrowFile(db, {table: "source", orderColumn: "row_no", columns, path: fromTable, metadata});
      await writeArrowRows({path: fromRows, columns, rows, metadata});
      expect(sha256(fromRows)).toBe(sha256(fromTable));
      expect(Object.fromEntries(openFile(fromRows).metadata)).toEqual(metadata);
    });
    await fc.assert(property, {numRuns: 30});
  });

  test("has the same bytes with one thread and with two, and from a view", async () => {
    const make = async (threads: number, path: string) => {
      const other = await openDatabase({threads});
      await other.run(`CREATE VIEW numbers AS SELECT i::INTEGER AS n, 'row ' || (i % 1000) AS a, CASE WHEN i % 3 = 0 THEN NULL ELSE i * 0.5 END AS b,
        'k' || (i % 70) AS c FROM range(60000) t(i) ORDER BY hash(i)`);
      await writeArrowFile(other, {
        table: "numbers",
        orderColumn: "n",
        path,
        batchRows: 16384,
        columns: [
          {name: "a", kind: "text", nullable: false},
          {name: "b", kind: "float64", nullable: true},
          {name: "c", kind: "dictionary", nullable: false},
        ],
      });
      other.close();
      return sha256(path);
    };
    expect(await make(1, newPath())).toBe(await make(2, newPath()));
  });

  test("keeps constant columns and columns that are null throughout", async () => {
    const path = newPath();
    await writeArrowFile(db, {
      table:
        "(SELECT i AS n, 'same' AS a, 7 AS b, NULL::VARCHAR AS c, NULL::DATE AS d, true AS e, NULL::VARCHAR[] AS f FROM range(5000) t(i))",
      orderColumn: "n",
      path,
      batchRows: 4096,
      columns: [
        {name: "a", kind: "text", nullable: false},
        {name: "b", kind: "int32", nullable: false},
        {name: "c", kind: "dictionary", nullable: true},
        {name: "d", kind: "date", nullable: true},
        {name: "e", kind: "bool", nullable: false},
        {name: "f", kind: "list", nullable: true},
      ],
    });
    const table = openFile(path);
    const at = (i: number) => ["a", "b", "c", "d", "e", "f"].map((name) => table.value(name).at(i));
    expect([at(0), at(4095), at(4999)]).toEqual(Array(3).fill(["same", 7, null, null, true, null]));
    expect(table.dictionary("c").codeAt(17)).toBe(-1);
  });

  test("uses 32-bit codes beyond 32,768 words, one sorted dictionary for all batches", async () => {
    const path = newPath();
    await writeArrowFile(db, {
      table: "(SELECT i AS n, 'w' || i AS a FROM range(40000) t(i))",
      orderColumn: "n",
      path,
      batchRows: 8192,
      columns: [{name: "a", kind: "dictionary", nullable: false}],
    });
    const column = openFile(path).dictionary("a");
    expect(column.values).toEqual([...column.values].sort());
    expect([0, 8192, 39_999].map((i) => column.at(i))).toEqual(["w0", "w8192", "w39999"]);
  });

  test("cleans items of lists so that splitting gives them back", async () => {
    const path = newPath();
    await writeArrowFile(db, {
      table: "(SELECT 0 AS n, ['a' || chr(10) || 'b', '', NULL, 'c'] AS list)",
      orderColumn: "n",
      path,
      columns: [{name: "list", kind: "list", nullable: true}],
    });
    expect(openFile(path).list("list").at(0)).toEqual(["a b", "c"]);
  });

  test("refuses row numbers with a gap or a repeat, nulls that are not allowed, and a path that exists", async () => {
    const column: ArrowColumn = {name: "a", kind: "int32", nullable: false};
    const write = (table: string, path = newPath()) =>
      writeArrowFile(db, {table, orderColumn: "n", columns: [column], path});
    await expect(write("(SELECT * FROM (VALUES (1, 1), (2, 2)) t(n, a))")).rejects.toThrow("expected 0 to 1");
    await expect(write("(SELECT * FROM (VALUES (0, 1), (2, 2), (2, 3)) t(n, a))")).rejects.toThrow(
      "row number",
    );
    await expect(write("(SELECT 0 AS n, NULL AS a)")).rejects.toThrow("1 nulls where none is allowed");
    const taken = newPath();
    writeFileSync(taken, "mine");
    await expect(write("(SELECT 0 AS n, 1 AS a)", taken)).rejects.toThrow("EEXIST");
    expect(readFileSync(taken, "utf8")).toBe("mine");
  });

  test("leaves neither a broken file nor a type behind when it fails", async () => {
    const path = newPath();
    const columns: ArrowColumn[] = [
      {name: "w", kind: "dictionary", nullable: false},
      {name: "a", kind: "int16", nullable: false},
    ];
    const table = "(SELECT 0 AS n, 'x' AS w, 100000 AS a)";
    await expect(writeArrowFile(db, {table, orderColumn: "n", columns, path})).rejects.toThrow();
    expect(() => readFileSync(path)).toThrow("ENOENT");
    expect(await db.rows("SELECT type_name FROM duckdb_types() WHERE type_name LIKE 'arrow_%'")).toEqual([]);
  });

  test("keeps texts of 20 MB next to each other", async () => {
    const path = newPath();
    await writeArrowFile(db, {
      table: "(SELECT i AS n, chr(65 + (i % 26)::INTEGER) || repeat('x', 20000000) AS a FROM range(5) t(i))",
      orderColumn: "n",
      path,
      columns: [{name: "a", kind: "text", nullable: false}],
    });
    const column = openFile(path).text("a");
    expect(Array.from({length: 5}, (_, i) => column.at(i)?.slice(0, 2))).toEqual([
      "Ax",
      "Bx",
      "Cx",
      "Dx",
      "Ex",
    ]);
    expect(column.at(4)?.length).toBe(20_000_001);
    rmSync(path);
  });
});

describe("an Arrow file from JavaScript rows", () => {
  test("refuses values that do not fit", async () => {
    const write = (kind: ArrowColumn["kind"], value: RowValue, nullable = true) =>
      writeArrowRows({path: newPath(), columns: [{name: "a", kind, nullable}], rows: [{a: value}]});
    await expect(write("int32", "7")).rejects.toThrow("column a, row 0: '7' is not a valid INTEGER");
    await expect(write("date", "21 Nov 2026")).rejects.toThrow("is not a valid DATE");
    await expect(write("text", 7)).rejects.toThrow("is not a valid VARCHAR");
    await expect(write("text", null, false)).rejects.toThrow("column a: 1 nulls where none is allowed");
  });
});
