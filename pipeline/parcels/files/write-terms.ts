import {type Data, Field, List, Schema, Uint32} from "apache-arrow";
import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {textType} from "../../../lib/storage/arrow-file/arrow-columns.ts";
import {arrowData, BytesColumn} from "../../../lib/storage/arrow-file/batch-columns.ts";
import {chunkNumbers, streamChunks} from "../../../lib/storage/arrow-file/duckdb-chunks.ts";
import {writeArrowOutput} from "../../../lib/storage/arrow-file/output.ts";

type TermIndexRequest = {
  /**
   * A SELECT with the columns `term` (text) and `row_no` (0 to 2^32 - 1). Null or empty terms and duplicate
   * pairs are dropped.
   */
  readonly query: string;
  readonly path: string;
  /** Maximum number of rows in a batch's lists, for tests; a longer list gets a batch of its own. */
  readonly batchPostings?: number;
};

const maxBatchTerms = 2 ** 20;
/** 64 MiB of row numbers: offsets have 32 bits, and a whole batch is held in memory. */
const maxBatchPostings = 2 ** 24;
const rowList = new List(new Field("item", new Uint32(), false));
const schema = new Schema([new Field("term", textType, false), new Field("rows", rowList, false)]);

let tables = 0;

/**
 * Writes a term index: an Arrow file with the columns `term` (utf8, sorted by bytes, unique) and `rows`
 * (list<uint32>, ascending). Batches are limited by the number of rows in their lists, so that no offset
 * exceeds 2^31. Throws when the path exists.
 */
export async function writeTermIndex(
  db: Database,
  {query, path, batchPostings = maxBatchPostings}: TermIndexRequest,
): Promise<{terms: number; postings: number}> {
  const id = ++tables;
  const [pairs, terms] = [sqlName(`term_pairs_${id}`), sqlName(`terms_${id}`)];
  await db.run(
    `CREATE TEMP TABLE ${pairs} AS SELECT term::VARCHAR AS term, row_no::UINTEGER AS row_no FROM (${query}) WHERE term <> '';
     CREATE TEMP TABLE ${terms} AS SELECT term, count(*)::INTEGER AS pairs FROM ${pairs} GROUP BY term ORDER BY term`,
  );
  try {
    // Read the terms first: no other query may run while their rows are streamed.
    const {text, counts} = await readTerms(db, terms);
    const chunks = streamChunks(db, `SELECT row_no FROM ${pairs} ORDER BY term, row_no`);
    let pending = new Uint32Array(0);
    let postings = 0;
    await writeArrowOutput(path, schema, async (write) => {
      for (const {first, length, pairs} of batchesOf(counts, batchPostings)) {
        const rows = new Uint32Array(pairs);
        for (let at = 0; at < pairs; ) {
          if (pending.length === 0) {
            const {value, done} = await chunks.next();
            if (done) throw new Error("fewer rows than the terms need");
            // DuckDB owns a chunk's memory and may free it while the next batch is awaited, so the numbers
            // are copied.
            pending = chunkNumbers(value, 0, Uint32Array).slice();
          }
          const taken = pending.subarray(0, pairs - at);
          rows.set(taken, at);
          at += taken.length;
          pending = pending.subarray(taken.length);
        }
        const lists = listData(counts.subarray(first, first + length), rows);
        postings += lists.children[0]!.length;
        await write([text.slice(first, length), lists], length);
      }
    });
    return {terms: counts.length, postings};
  } finally {
    await db.run(`DROP TABLE ${pairs}; DROP TABLE ${terms}`);
  }
}

/** All terms with the number of pairs of each. */
async function readTerms(db: Database, table: string): Promise<{text: Data; counts: Int32Array}> {
  const [extent] = await db.rows<{count: number}>(`SELECT count(*)::DOUBLE AS count FROM ${table}`);
  const text = new BytesColumn(extent!.count, {name: "term", type: textType});
  const counts = new Int32Array(extent!.count);
  let at = 0;
  for await (const chunk of streamChunks(db, `SELECT encode(term), pairs FROM ${table} ORDER BY rowid`)) {
    text.append(chunk, 0, {from: 0, length: chunk.rowCount});
    counts.set(chunkNumbers(chunk, 1, Int32Array), at);
    at += chunk.rowCount;
  }
  return {text: text.data(), counts};
}

type TermBatch = {readonly first: number; readonly length: number; readonly pairs: number};

function* batchesOf(counts: Int32Array, batchPostings: number): Generator<TermBatch> {
  let first = 0;
  let pairs = 0;
  for (const [i, count] of counts.entries()) {
    const length = i - first;
    if (length > 0 && (pairs + count > batchPostings || length === maxBatchTerms)) {
      yield {first, length, pairs};
      first = i;
      pairs = 0;
    }
    pairs += count;
  }
  if (counts.length > first) yield {first, length: counts.length - first, pairs};
}

/** The row lists of one batch, built from the concatenated rows of its terms, with duplicates removed. */
function listData(counts: Int32Array, rows: Uint32Array): Data {
  const valueOffsets = new Int32Array(counts.length + 1);
  let end = 0;
  let from = 0;
  for (const [i, count] of counts.entries()) {
    const start = end;
    for (let k = from; k < from + count; k++) {
      if (end > start && rows[end - 1] === rows[k]) continue;
      rows[end++] = rows[k]!;
    }
    from += count;
    valueOffsets[i + 1] = end;
  }
  const child = arrowData(new Uint32(), end, {data: rows.subarray(0, end)});
  return arrowData(rowList, counts.length, {valueOffsets, child});
}
