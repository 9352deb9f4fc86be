import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {
  Bool,
  Field,
  Float64,
  Int32,
  List,
  RecordBatchReader,
  Table,
  tableFromArrays,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from "apache-arrow";
import fc from "fast-check";
import {afterAll, beforeAll, describe, expect, test} from "vitest";
import {openArrowTable} from "../src/arrow-table.ts";
import {batchHead} from "../src/batch-data.ts";
import {openBatches, rowLocator} from "../src/batches.ts";
import {mapFile} from "../src/mapped-file.ts";
import {arrowBytes} from "./arrow-file.ts";

let folder: string;
let path: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "table-"));
  path = join(folder, "rows.arrow");
  const rows = [...Array(5000).keys()];
  const columns = {
    a: vectorFromArray(
      rows.map((i) => (i % 5 === 0 ? null : `row ${i}`)),
      new Utf8(),
    ),
    b: vectorFromArray(
      rows.map((i) => i * 0.25),
      new Float64(),
    ),
    c: vectorFromArray(rows.map((i) => ["US", "CA"][i % 2]!)),
    d: vectorFromArray(
      rows.map((i) => i % 3 === 0),
      new Bool(),
    ),
  };
  writeFileSync(path, arrowBytes(columns, 1024));
});

afterAll(() => {
  rmSync(folder, {recursive: true});
});

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

describe("an Arrow table", () => {
  test("reads in place: values, offsets, null bits and codes are views of the mapped file", () => {
    const {buffer} = mapFile(path);
    const batches = openBatches(buffer);
    for (const name of ["a", "b", "c", "d"]) {
      for (const data of batches.column(name)) {
        const views = [data.values, data.valueOffsets, data.nullCount > 0 ? data.nullBitmap : undefined];
        for (const view of views) expect((view as Uint8Array | undefined)?.buffer ?? buffer).toBe(buffer);
      }
    }
    expect(batches.column("a").length).toBe(5);
  });

  test("answers the same from a mapped and from a copied file, as the library itself does", () => {
    const library = tableFromIPC(readFileSync(path));
    for (const mode of ["mmap", "copied"] as const) {
      const table = openArrowTable(mapFile(path, undefined, mode).buffer);
      for (const row of [0, 1, 1023, 1024, 2047, 4096, 4999]) {
        const ours = table.columns.map((name) => table.value(name).at(row));
        expect(ours).toEqual(Object.values(library.get(row)!.toJSON()));
      }
    }
  });

  test("compares text by bytes, in place", () => {
    const column = openArrowTable(mapFile(path).buffer).text("a");
    expect(column.compare(1, Buffer.from("row 1"))).toBe(0);
    expect(column.compare(1, Buffer.from("row 10"))).toBeLessThan(0);
    expect(column.compare(11, Buffer.from("row 1"))).toBeGreaterThan(0);
    expect(column.compare(1, Buffer.from("é"))).toBeLessThan(0);
    expect(column.equals(1, Buffer.from("row 1"))).toBe(true);
    for (const other of ["row 2", "row 10", "row", ""])
      expect(column.equals(1, Buffer.from(other))).toBe(false);
    expect(column.equals(5, Buffer.alloc(0))).toBe(true);
    expect(column.startsWith(4999, Buffer.from("row 49"))).toBe(true);
    expect(column.startsWith(1, Buffer.from("row 11"))).toBe(false);
    expect([column.isNull(5), column.isNull(6)]).toEqual([true, false]);
  });

  test("refuses rows that are not there", () => {
    const table = openArrowTable(mapFile(path).buffer);
    for (const row of [-1, 5000, 1.5, Number.NaN]) {
      expect(() => table.text("a").at(row)).toThrow(RangeError);
      expect(() => table.number("b").at(row)).toThrow(RangeError);
    }
  });

  test("names the file and the column when a column is missing or of another type", () => {
    const table = openArrowTable(mapFile(path).buffer, "rows.arrow");
    expect(() => table.text("z")).toThrow('rows.arrow: no column "z".');
    expect(() => table.number("a")).toThrow('rows.arrow: column "a" is Utf8, not number.');
    expect(() => table.flag("b")).toThrow("not flag");
    expect([table.has("a"), table.has("z"), table.typeOf("b")]).toEqual([true, false, "Float64"]);
  });

  test("opens files of other writers, with batches of any length", () => {
    const ipc = tableToIPC(tableFromArrays({x: Int32Array.of(4, 5, 6), s: ["a", "b", "c"]}), "file");
    const table = openArrowTable(bufferOf(ipc));
    expect([table.number("x").at(2), table.string("s").at(1)]).toEqual([6, "b"]);
  });

  test("describes the columns of a batch as the library does, lists in lists among them", () => {
    const lists = new List(new Field("list", new List(new Field("number", new Int32()))));
    const table = new Table({
      lists: vectorFromArray([[[1, 2], []], null, [], [[3]]], lists),
      words: vectorFromArray(["a", null, "b", "a"]),
      numbers: vectorFromArray([1, 2, 3, 4], new Float64()),
      flags: vectorFromArray([true, null, false, true]),
    });
    const ipc = tableToIPC(table, "file");
    const batches = openBatches(bufferOf(ipc));
    for (const [i, {name}] of batches.fields.entries()) {
      const [ours] = batches.column(name);
      const theirs = tableFromIPC(ipc).batches[0]!.data.children[i]!;
      const facts = [ours, theirs].map((data) => {
        const {length, nullCount, values, valueOffsets, children} = data!;
        return {length, nullCount, values, valueOffsets, children: children.map(({values}) => values)};
      });
      expect(facts[0]).toEqual(facts[1]);
    }
  });

  test("refuses columns of types that it does not read", () => {
    const ipc = tableToIPC(tableFromArrays({s: [{a: 1}, {a: 2}] as never}), "file");
    expect(() => openArrowTable(bufferOf(ipc))).toThrow(/Struct.* are not supported/);
  });

  test("refuses a column whose bytes are not aligned and so cannot be read in place", () => {
    const bytes = readFileSync(path);
    const [block] = RecordBatchReader.from(bytes).open().footer!.recordBatches();
    const {buffers} = batchHead(new DataView(bufferOf(bytes)), block!);
    // The second buffer of the text column `a` has its offsets, the third its bytes; numbers cannot begin at an odd place.
    const moved = (at: number, value: number) => {
      const copy = Buffer.from(bytes);
      copy[buffers + at] = value;
      return openArrowTable(bufferOf(copy), "rows.arrow");
    };
    expect(() => moved(16, 1).text("a")).toThrow("rows.arrow, column a: its buffers cannot be read in place");
    expect(() => moved(16 + 12, 1).text("a")).toThrow("column a: its buffers cannot be read in place");
    expect(moved(16, 1).number("b").at(3)).toBe(0.75);
  });

  test("finds the batch of a row whatever the lengths of the batches are", () => {
    const lengthsOfBatches = fc.array(fc.integer({min: 1, max: 9}), {minLength: 1, maxLength: 9});
    fc.assert(
      fc.property(lengthsOfBatches, (lengths) => {
        const {batchOf, starts} = rowLocator(lengths);
        const expected = lengths.flatMap((length, batch) => Array<number>(length).fill(batch));
        expect(expected.map((_, row) => batchOf(row))).toEqual(expected);
        expect(starts).toEqual(lengths.map((_, batch) => expected.indexOf(batch)));
      }),
    );
  });

  test("has no rows when the file has no batches", () => {
    const table = openArrowTable(bufferOf(arrowBytes({c: vectorFromArray(["US"]).slice(0, 0)})));
    expect([table.rows, table.dictionary("c").values]).toEqual([0, []]);
  });

  test("refuses what is not a whole Arrow file, wherever it was cut", () => {
    const bytes = readFileSync(path);
    const lengths = [0, 5, 6, 8, 100, bytes.length >> 1, bytes.length - 11, bytes.length - 1];
    for (const length of lengths) {
      expect(() => openArrowTable(bufferOf(bytes.subarray(0, length)))).toThrow("Arrow IPC file");
    }
    expect(() => openArrowTable(bufferOf(Buffer.from("ARROW1..ARROW1")))).toThrow("Arrow IPC file");
  });
});
