import {Field, Int32, Schema, Uint32} from "apache-arrow";
import {groupNames, type ProvenanceGroup} from "../../../lib/parcels/conform/groups.ts";
import {recordSelect} from "../../../lib/parcels/record/record-sql.ts";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {appendBytes, type TextsOfBatch} from "../../../lib/storage/arrow-file/chunk-bytes.ts";
import {bytesData, fixedData} from "../../../lib/storage/arrow-file/column-data.ts";
import {textType} from "../../../lib/storage/arrow-file/columns.ts";
import {checkRowNumbers, chunkColumn, fixedChunks} from "../../../lib/storage/arrow-file/duckdb-chunks.ts";
import {noNulls} from "../../../lib/storage/arrow-file/nulls.ts";
import {type ArrowOutput, writeArrowOutput} from "../../../lib/storage/arrow-file/output.ts";
import {rowChecksum} from "../../../lib/storage/row-checksum.ts";
import {factColumns} from "../../../schemas/parcel-columns.ts";

/** Rows of a batch: some 100 MB of text. */
const batchRows = 2 ** 17;

const schema = new Schema([
  new Field("facts", textType, false),
  new Field("provenance", new Int32(), false),
  new Field("source_url", textType, true),
  new Field("crc32", new Uint32(), false),
]);

/** The rows of a state in their order, and columns that are null in all of them. */
export type RecordRows = {
  readonly table: string;
  readonly rows: number;
  readonly empty: ReadonlySet<string>;
};

/**
 * Writes the records file of a state: for each row the members of its record as JSON text, the number of its kind, and the page of the
 * parcel at the source as JSON text. Gives the texts of the kinds by number, in the order in which rows first have them.
 */
export async function writeRecords(db: Database, rows: RecordRows, path: string): Promise<string[]> {
  const kinds = new KindNumbers();
  await writeArrowOutput(path, schema, (output) => writeBatches(db, rows, {output, kinds}));
  return kinds.texts;
}

const originOf = (group: ProvenanceGroup | "default") => `prov_${group}`;

/** Columns that are null in every row are named so: what is made of them costs nothing then. */
function recordQuery({table, empty}: RecordRows): string {
  const columns = factColumns.map(({name}) => (empty.has(name) ? `NULL AS ${sqlName(name)}` : sqlName(name)));
  const origins = ["default" as const, ...groupNames].map(originOf);
  const rows = `(SELECT ${["rowid", ...columns, ...origins].join(", ")} FROM ${sqlName(table)})`;
  return `SELECT encode(facts), encode(kind), encode(source_url), row_no::BIGINT::DOUBLE FROM (${recordSelect(rows, originOf, "rowid")})`;
}

async function writeBatches(
  db: Database,
  rows: RecordRows,
  {output, kinds}: {output: ArrowOutput; kinds: KindNumbers},
): Promise<void> {
  let batch = new RecordBatchInMaking(Math.min(batchRows, rows.rows));
  let written = 0;
  for await (const chunk of fixedChunks(db, recordQuery(rows))) {
    checkRowNumbers(chunkColumn(chunk, 3).items, written + batch.rows);
    for (let from = 0; from < chunk.rowCount; ) {
      const length = Math.min(chunk.rowCount - from, batch.room());
      appendBytes(chunk, {index: 0, name: "facts", from, length}, batch.facts, batch.rows);
      appendBytes(chunk, {index: 2, name: "source_url", from, length}, batch.urls, batch.rows);
      kinds.append(chunk, {from, length}, batch);
      batch.rows += length;
      from += length;
      if (batch.room() > 0) continue;
      await output.write(batch.columns(written), batch.rows);
      written += batch.rows;
      batch = new RecordBatchInMaking(Math.min(batchRows, rows.rows - written), batch);
    }
  }
  if (written !== rows.rows) throw new Error(`${rows.table}: ${written} records of ${rows.rows} rows`);
}

type Chunk = Parameters<typeof appendBytes>[0];

/** The columns of a batch while they are filled. Memory of the batch before it is used again. */
class RecordBatchInMaking {
  rows = 0;
  readonly facts: TextsOfBatch;
  readonly urls: TextsOfBatch;
  readonly kinds: Int32Array<ArrayBuffer>;
  readonly #length: number;

  constructor(length: number, before?: RecordBatchInMaking) {
    this.#length = length;
    this.facts = textsOf(length, before?.facts.bytes);
    this.urls = textsOf(length, before?.urls.bytes);
    this.kinds = new Int32Array(length);
  }

  room(): number {
    return this.#length - this.rows;
  }

  /** The columns of a batch that begins with row `first`. */
  columns(first: number) {
    const {facts, urls, kinds} = this;
    return [
      dataOf(facts, this.rows),
      fixedData("int32", kinds, noNulls(this.rows)),
      dataOf(urls, this.rows),
      fixedData("uint32", this.#checksums(first), noNulls(this.rows)),
    ];
  }

  #checksums(first: number): Uint32Array<ArrayBuffer> {
    const {facts, urls, kinds} = this;
    const sums = new Uint32Array(this.rows);
    for (let i = 0; i < this.rows; i++) {
      sums[i] = rowChecksum([textAt(facts, i), textAt(urls, i)], first + i, kinds[i]);
    }
    return sums;
  }
}

function textsOf(length: number, bytes = new Uint8Array(0)): TextsOfBatch {
  return {offsets: new Int32Array(length + 1), nulls: noNulls(length), bytes};
}

function textAt({offsets, bytes}: TextsOfBatch, index: number): Uint8Array {
  return bytes.subarray(offsets[index], offsets[index + 1]);
}

function dataOf({offsets, bytes, nulls}: TextsOfBatch, rows: number) {
  return bytesData("text", offsets, bytes.subarray(0, offsets[rows]), nulls);
}

/** Numbers of the kinds of records: 0, 1, 2 … as rows first have them. Neighbours are mostly of one kind. */
class KindNumbers {
  readonly texts: string[] = [];
  readonly #numbers = new Map<string, number>();
  #last: {bytes: Buffer; number: number} = {bytes: Buffer.alloc(0), number: -1};
  #scratch = new Uint8Array(0);

  append(chunk: Chunk, {from, length}: {from: number; length: number}, batch: RecordBatchInMaking): void {
    const texts = textsOf(length, this.#scratch);
    appendBytes(chunk, {index: 1, name: "kind", from, length}, texts, 0);
    this.#scratch = texts.bytes;
    const bytes = Buffer.from(texts.bytes.buffer, texts.bytes.byteOffset, texts.bytes.byteLength);
    for (let i = 0; i < length; i++) {
      batch.kinds[batch.rows + i] = this.#numberOf(bytes, texts.offsets[i]!, texts.offsets[i + 1]!);
    }
  }

  #numberOf(bytes: Buffer, start: number, end: number): number {
    const {bytes: last, number} = this.#last;
    if (end - start === last.length && last.compare(bytes, start, end) === 0) return number;
    const text = bytes.toString("latin1", start, end);
    let known = this.#numbers.get(text);
    if (known === undefined) {
      known = this.texts.length;
      this.texts.push(text);
      this.#numbers.set(text, known);
    }
    this.#last = {bytes: Buffer.from(bytes.subarray(start, end)), number: known};
    return known;
  }
}
