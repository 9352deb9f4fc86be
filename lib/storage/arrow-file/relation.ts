import type {Data} from "apache-arrow";
import type {Database} from "../../sql/duckdb.ts";
import {bytesData, offsetsOf} from "./column-data.ts";
import {
  type ArrowColumn,
  type BytesKind,
  byteLengthSql,
  type FixedArray,
  type FixedKind,
  fixedStorage,
  gatheredSql,
} from "./columns.ts";
import {blobOf, checkRowNumbers, chunkColumn, copyColumn, fixedChunks} from "./duckdb-chunks.ts";
import {markNull, type Nulls, noNulls} from "./nulls.ts";

/** Numbered rows: `from` is the SQL of a FROM clause, and the SQL expression `order` gives the row numbers 0, 1, 2 … */
export type Relation = {readonly from: string; readonly order: string};

/** A run of rows of a relation. */
export type Rows = {readonly first: number; readonly length: number};

/** An SQL expression that `readFixed` reads, and the kind of its values. */
type FixedRequest = {readonly sql: string; readonly kind: FixedKind};

type FixedValues = {readonly values: FixedArray; readonly nulls: Nulls};

/** A text, list or binary column. */
type BytesColumn = ArrowColumn & {readonly kind: BytesKind};

/** Most bytes of text that one query gathers; `string_agg` keeps a few copies of them in DuckDB's memory. */
const textSliceBytes = 2 ** 26;

/**
 * The values of fixed-width expressions over a run of rows, from one streamed query. Throws when the row numbers are not
 * exactly those of the run.
 */
export async function readFixed(
  db: Database,
  relation: Relation,
  rows: Rows,
  requests: readonly FixedRequest[],
): Promise<FixedValues[]> {
  const columns = requests.map(({kind}) => ({
    values: new fixedStorage[kind].array(rows.length),
    nulls: noNulls(rows.length),
  }));
  const list = [`(${relation.order})::INTEGER AS row_number_`, ...requests.map(({sql}) => sql)].join(", ");
  const sql = `SELECT ${list} FROM ${relation.from} WHERE ${within(relation, rows)} ORDER BY row_number_`;
  let at = 0;
  for await (const chunk of fixedChunks(db, sql)) {
    checkRowNumbers(chunkColumn(chunk, 0).items, rows.first + at);
    columns.forEach(({values, nulls}, i) => {
      copyColumn(chunkColumn(chunk, i + 1), {values, nulls}, {from: 0, length: chunk.rowCount, at});
    });
    at += chunk.rowCount;
  }
  if (at !== rows.length) throw new Error(`${relation.from}: ${at} rows instead of ${rows.length}`);
  return columns;
}

/** The request to `readFixed` for the byte lengths that `readBytes` needs; null has length -1. */
export function lengthRequest(column: BytesColumn): FixedRequest {
  return {sql: `coalesce(${byteLengthSql(column)}, -1)::INTEGER`, kind: "int32"};
}

/**
 * A text, list or binary column over a run of rows; `lengths` are the values of `lengthRequest`. One query gathers some 64
 * MiB as a single value, which is many times cheaper than a value per row (`docs/design/measurements.md` section 1). Throws
 * when the bytes do not add up to the lengths.
 */
export async function readBytes(
  db: Database,
  relation: Relation,
  rows: Rows,
  {column, lengths}: {column: BytesColumn; lengths: Int32Array},
): Promise<Data> {
  const offsets = offsetsOf(lengths, column.name);
  const bytes = new Uint8Array(offsets[rows.length] ?? 0);
  for (const {first, length} of textSlices(offsets)) {
    const from = offsets[first] ?? 0;
    const slice = {first: rows.first + first, length};
    const gathered = await blobOf(
      db,
      `SELECT ${gatheredSql(column, relation.order)} FROM ${relation.from} WHERE ${within(relation, slice)}`,
    );
    if (from + gathered.length !== offsets[first + length]) {
      throw new Error(`column ${column.name}: ${gathered.length} bytes are not what the lengths say`);
    }
    bytes.set(gathered, from);
  }
  return bytesData(column.kind, offsets, bytes, nullsOf(lengths));
}

function within({order}: Relation, {first, length}: Rows): string {
  return `(${order}) >= ${first} AND (${order}) < ${first + length}`;
}

/** Runs of rows with at most `textSliceBytes` of text each, or one long row; runs without text are left out. */
function* textSlices(offsets: Int32Array): Generator<Rows> {
  const rows = offsets.length - 1;
  let first = 0;
  for (let row = 1; row <= rows; row++) {
    const start = offsets[first] ?? 0;
    const isLast = row === rows;
    if (!isLast && (offsets[row + 1] ?? 0) - start <= textSliceBytes) continue;
    if ((offsets[row] ?? 0) > start) yield {first, length: row - first};
    first = row;
  }
}

function nullsOf(lengths: Int32Array): Nulls {
  const nulls = noNulls(lengths.length);
  for (let i = 0; i < lengths.length; i++) {
    if ((lengths[i] ?? 0) < 0) markNull(nulls, i);
  }
  return nulls;
}
