import type {DuckDBDataChunk} from "@duckdb/node-api";
import {rowChecksum} from "@open-cattle/mapped-index";
import {Field, Int32, Schema, Uint32} from "apache-arrow";
import {groupNames, type ProvenanceGroup} from "../../../lib/parcels/conform/file-cells.ts";
import {originColumn} from "../../../lib/parcels/dedupe/dedupe-sql.ts";
import {recordSelect} from "../../../lib/parcels/record/record-kind.ts";
import {type Database, sqlName, sqlText} from "../../../lib/sql/duckdb.ts";
import {textType} from "../../../lib/storage/arrow-file/arrow-columns.ts";
import {arrowData, BytesColumn, type ChunkRows} from "../../../lib/storage/arrow-file/batch-columns.ts";
import {checkRowNumbers, streamChunks} from "../../../lib/storage/arrow-file/duckdb-chunks.ts";
import {type WriteBatch, writeArrowOutput} from "../../../lib/storage/arrow-file/output.ts";
import {factColumns} from "../../../schemas/parcel-columns.ts";

/** Rows per batch: about 100 MB of text. */
const batchRows = 2 ** 17;

const schema = new Schema([
  new Field("values", textType, false),
  new Field("provenance", new Int32(), false),
  new Field("source_url", textType, true),
  new Field("crc32", new Uint32(), false),
]);

/** The rows of a state in order, and the columns and origin columns that are constant: their text, or null for no value. */
export type RecordRows = {
  readonly table: string;
  readonly rows: number;
  readonly constants: ReadonlyMap<string, string | null>;
};

/**
 * Writes a state's records file: per row the values of its record, the number of its kind (which holds the member names), and the parcel's
 * page at the source as JSON text. Returns the kinds' texts by number, in order of first use.
 */
export async function writeRecords(db: Database, rows: RecordRows, path: string): Promise<string[]> {
  const kinds = new KindNumbers();
  await writeArrowOutput(path, schema, (write) => writeBatches(db, rows, {write, kinds}));
  return kinds.texts;
}

const originOf = (group: ProvenanceGroup | "default") => `prov_${group}`;

/** Constant columns are inlined as literals, so that whatever depends only on them is computed once. */
function recordQuery({table, constants}: RecordRows): string {
  const literal = (text: string | null | undefined) => (typeof text === "string" ? sqlText(text) : "NULL");
  const columns = factColumns.map(({name}) =>
    constants.has(name) ? `${literal(constants.get(name))} AS ${sqlName(name)}` : sqlName(name),
  );
  const origins = ["default" as const, ...groupNames].map((group) =>
    constants.has(originColumn(group)) ? `NULL AS ${originOf(group)}` : originOf(group),
  );
  const rows = `(SELECT ${["rowid", ...columns, ...origins].join(", ")} FROM ${sqlName(table)})`;
  return `SELECT encode("values"), encode(kind), encode(source_url), row_no::BIGINT::DOUBLE FROM (${recordSelect(rows, originOf, "rowid")})`;
}

async function writeBatches(
  db: Database,
  rows: RecordRows,
  {write, kinds}: {write: WriteBatch; kinds: KindNumbers},
): Promise<void> {
  let batch = new RecordBatchInMaking(Math.min(batchRows, rows.rows));
  let written = 0;
  for await (const chunk of streamChunks(db, recordQuery(rows))) {
    checkRowNumbers(chunk, 3, written + batch.rows);
    for (let from = 0; from < chunk.rowCount; ) {
      const length = Math.min(chunk.rowCount - from, batch.room());
      batch.values.append(chunk, 0, {from, length});
      batch.urls.append(chunk, 2, {from, length});
      batch.kinds.set(kinds.numbers(chunk, 1, {from, length}), batch.rows);
      batch.rows += length;
      from += length;
      if (batch.room() > 0) continue;
      await write(batch.columns(written), batch.rows);
      written += batch.rows;
      batch = new RecordBatchInMaking(Math.min(batchRows, rows.rows - written), batch);
    }
  }
  if (written !== rows.rows) throw new Error(`${rows.table}: ${written} records of ${rows.rows} rows`);
}

/** A batch under construction; it reuses the memory of the previous batch. */
class RecordBatchInMaking {
  rows = 0;
  readonly values: BytesColumn;
  readonly urls: BytesColumn;
  readonly kinds: Int32Array<ArrayBuffer>;

  constructor(length: number, before?: RecordBatchInMaking) {
    this.values = new BytesColumn(length, {name: "values", type: textType, bytes: before?.values.bytes});
    this.urls = new BytesColumn(length, {name: "source_url", type: textType, bytes: before?.urls.bytes});
    this.kinds = new Int32Array(length);
  }

  room(): number {
    return this.kinds.length - this.rows;
  }

  /** The columns of a batch whose first row is row `first`. */
  columns(first: number) {
    return [
      this.values.data(),
      arrowData(new Int32(), this.rows, {data: this.kinds}),
      this.urls.data(),
      arrowData(new Uint32(), this.rows, {data: this.#checksums(first)}),
    ];
  }

  #checksums(first: number): Uint32Array<ArrayBuffer> {
    const {values, urls, kinds} = this;
    const sums = new Uint32Array(this.rows);
    for (let i = 0; i < this.rows; i++) {
      sums[i] = rowChecksum([values.at(i), urls.at(i)], first + i, kinds[i]);
    }
    return sums;
  }
}

/** Numbers the kinds of records 0, 1, 2 … in order of first use. Neighbouring rows usually share a kind. */
class KindNumbers {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  #last: {bytes: Buffer; number: number} = {bytes: Buffer.alloc(0), number: -1};
  #scratch = new Uint8Array(0);

  /** Returns the kind numbers for some rows of a chunk; column `index` holds the kinds' texts. */
  numbers(chunk: DuckDBDataChunk, index: number, rows: ChunkRows): Int32Array {
    const texts = new BytesColumn(rows.length, {name: "kind", type: textType, bytes: this.#scratch});
    texts.append(chunk, index, rows);
    this.#scratch = texts.bytes;
    const numbers = new Int32Array(rows.length);
    for (let i = 0; i < rows.length; i++) numbers[i] = this.#numberOf(texts.at(i));
    return numbers;
  }

  #numberOf(bytes: Uint8Array): number {
    const {bytes: last, number} = this.#last;
    if (last.equals(bytes)) return number;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    let known = this.#numbers.get(text);
    if (known === undefined) {
      known = this.texts.length;
      this.texts.push(text);
      this.#numbers.set(text, known);
    }
    this.#last = {bytes: Buffer.from(bytes), number: known};
    return known;
  }
}
