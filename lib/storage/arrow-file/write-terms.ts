import {type Data, Field, List, makeData, Schema, Uint32} from "apache-arrow";
import {type Database, sqlName} from "../../sql/duckdb.ts";
import {textType} from "./columns.ts";
import {chunkColumn, fixedChunks} from "./duckdb-chunks.ts";
import {noNulls} from "./nulls.ts";
import {writeArrowOutput} from "./output.ts";
import {lengthRequest, type Relation, type Rows, readBytes, readFixed} from "./relation.ts";

export type TermIndexRequest = {
  /**
   * A SELECT with the columns `term` (text) and `row_no` (0 to 2^32 - 1). Null and empty terms and repeated pairs are
   * dropped.
   */
  readonly query: string;
  readonly path: string;
  /** Most rows in the lists of a batch, for tests; a longer list gets a batch of its own. */
  readonly batchPostings?: number;
};

export type TermIndexSize = {readonly terms: number; readonly postings: number};

type TermBatch = {readonly term: Data; readonly counts: Int32Array};

const maxBatchTerms = 2 ** 20;
/** 64 MiB of rows: offsets have 32 bits, and a batch is in memory as a whole. */
const maxBatchPostings = 2 ** 24;
const rowList = new List(new Field("item", new Uint32(), false));
const schema = new Schema([new Field("term", textType, false), new Field("rows", rowList, false)]);

let tables = 0;

/**
 * Writes a term index: an Arrow file with the columns `term` (utf8, sorted by bytes, unique) and `rows` (list<uint32>,
 * ascending). Terms are packed into batches by the number of their rows, so that no offset passes 2^31. Throws when the path
 * exists.
 */
export async function writeTermIndex(db: Database, request: TermIndexRequest): Promise<TermIndexSize> {
  const id = ++tables;
  const names = {pairs: sqlName(`term_pairs_${id}`), terms: sqlName(`terms_${id}`)};
  await db.run(
    `CREATE TEMP TABLE ${names.pairs} AS SELECT term::VARCHAR AS term, row_no::UINTEGER AS row_no FROM (${request.query}) WHERE term <> '';
     CREATE TEMP TABLE ${names.terms} AS SELECT term, count(*)::INTEGER AS pairs FROM ${names.pairs} GROUP BY term ORDER BY term`,
  );
  try {
    const batches = await termBatches(db, names.terms, request.batchPostings ?? maxBatchPostings);
    const postings = await writeLists(db, {path: request.path, pairs: names.pairs, batches});
    return {terms: batches.reduce((sum, {counts}) => sum + counts.length, 0), postings};
  } finally {
    await db.run(`DROP TABLE ${names.pairs}; DROP TABLE ${names.terms}`);
  }
}

/**
 * All terms with the numbers of their pairs, cut into batches; read before the stream of pairs, which no other query may
 * interrupt.
 */
async function termBatches(db: Database, table: string, batchPostings: number): Promise<TermBatch[]> {
  const relation: Relation = {from: table, order: "rowid"};
  const [{count} = {count: 0}] = await db.rows<{count: number}>(
    `SELECT count(*)::DOUBLE AS count FROM ${table}`,
  );
  const [pairs] = await readFixed(db, relation, {first: 0, length: count}, [{sql: "pairs", kind: "int32"}]);
  const counts = pairs!.values as Int32Array;
  const batches: TermBatch[] = [];
  for (const rows of cutBatches(counts, batchPostings)) {
    const term = await termData(db, relation, rows);
    batches.push({term, counts: counts.subarray(rows.first, rows.first + rows.length)});
  }
  return batches;
}

function* cutBatches(counts: Int32Array, batchPostings: number): Generator<Rows> {
  let first = 0;
  let postings = 0;
  for (const [i, count] of counts.entries()) {
    const length = i - first;
    if (length > 0 && (postings + count > batchPostings || length === maxBatchTerms)) {
      yield {first, length};
      first = i;
      postings = 0;
    }
    postings += count;
  }
  if (counts.length > first) yield {first, length: counts.length - first};
}

async function termData(db: Database, relation: Relation, rows: Rows): Promise<Data> {
  const column = {name: "term", kind: "text", nullable: false} as const;
  const [lengths] = await readFixed(db, relation, rows, [lengthRequest(column)]);
  return readBytes(db, relation, rows, {column, lengths: lengths!.values as Int32Array});
}

async function writeLists(
  db: Database,
  {path, pairs, batches}: {path: string; pairs: string; batches: readonly TermBatch[]},
): Promise<number> {
  let postings = 0;
  const rowNumbers = numbersOf(db, `SELECT row_no FROM ${pairs} ORDER BY term, row_no`);
  await writeArrowOutput(path, schema, async (output) => {
    for (const {term, counts} of batches) {
      const {data, length} = await listData(counts, rowNumbers);
      postings += length;
      await output.write([term, data], counts.length);
    }
  });
  return postings;
}

/** A stream of numbers from which each batch takes as many as it needs. */
type Numbers = {take(count: number, into: Uint32Array): Promise<void>};

function numbersOf(db: Database, sql: string): Numbers {
  const chunks = fixedChunks(db, sql);
  let rest: Uint32Array = new Uint32Array(0);
  return {
    async take(count, into) {
      for (let at = 0; at < count; ) {
        if (rest.length === 0) {
          const {value, done} = await chunks.next();
          if (done) throw new Error("fewer rows than the terms have");
          // The memory of a chunk is DuckDB's and may go while the next batch is awaited, so its numbers are copied.
          rest = chunkColumn(value, 0).items.slice() as Uint32Array;
        }
        const taken = rest.subarray(0, count - at);
        into.set(taken, at);
        at += taken.length;
        rest = rest.subarray(taken.length);
      }
    },
  };
}

/** The lists of one batch, without repeated numbers. */
async function listData(counts: Int32Array, numbers: Numbers): Promise<{data: Data; length: number}> {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const rows = new Uint32Array(total);
  await numbers.take(total, rows);
  const offsets = new Int32Array(counts.length + 1);
  let end = 0;
  let from = 0;
  for (const [i, count] of counts.entries()) {
    const start = end;
    for (let k = from; k < from + count; k++) {
      if (end > start && rows[end - 1] === rows[k]) continue;
      rows[end++] = rows[k] ?? 0;
    }
    from += count;
    offsets[i + 1] = end;
  }
  const child = makeData({type: new Uint32(), length: end, nullCount: 0, data: rows.subarray(0, end)});
  const {bitmap} = noNulls(counts.length);
  const data = makeData({
    type: rowList,
    length: counts.length,
    nullCount: 0,
    nullBitmap: bitmap,
    valueOffsets: offsets,
    child,
  });
  return {data, length: end};
}
