import {UserError} from "../../errors.ts";
import type {Database} from "../../sql/duckdb.ts";
import {type ArrowColumn, byteLengthSql, isBytesKind} from "./columns.ts";
import type {Relation} from "./relation.ts";

/** Rows of a relation, and the bytes of its texts, lists (as joined text) and binaries. */
export type KnownSize = {readonly rows: number; readonly textBytes: number};

export type TableExtent = {readonly rows: number; readonly bytes: number};

/** Batches of at most 1 Mi rows (`docs/design/architecture.md` section 5). */
const maxBatchRows = 2 ** 20;
const minBatchRows = 2 ** 10;
/** What a batch may take on average: it is in memory whole while it is written. */
const batchBytes = 2 ** 28;
/** A fixed-width value with its null bit, or an offset with its null bit, at most. */
const fixedBytes = 8;

/** Rows of a relation and about how many bytes they take. Throws `UserError` when the row numbers are not 0 to n - 1. */
export async function tableExtent(
  db: Database,
  relation: Relation,
  columns: readonly ArrowColumn[],
): Promise<TableExtent> {
  const lengths = columns.filter(({kind}) => isBytesKind(kind)).map(byteLengthSql);
  const text = lengths.length === 0 ? "0" : lengths.map((sql) => `coalesce(sum(${sql}), 0)`).join(" + ");
  const [extent] = await db.rows<{count: number; low: number | null; high: number | null; text: number}>(
    `SELECT count(*)::DOUBLE AS count, min(${relation.order})::DOUBLE AS low, max(${relation.order})::DOUBLE AS high, (${text})::DOUBLE AS text FROM ${relation.from}`,
  );
  const {count, low, high, text: textBytes} = extent!;
  if (count > 0 && (low !== 0 || high !== count - 1)) {
    throw new UserError(
      `${relation.from}: ${count} rows numbered ${low} to ${high}, expected 0 to ${count - 1}.`,
    );
  }
  return extentOf({rows: count, textBytes}, columns);
}

/** The same of a relation whose rows, and the bytes of whose texts, were counted before. */
export function extentOf({rows, textBytes}: KnownSize, columns: readonly ArrowColumn[]): TableExtent {
  return {rows, bytes: textBytes + rows * columns.length * fixedBytes};
}

/** Rows of a batch: a power of two, so that a reader finds the batch of a row by a shift. */
export function batchSize({rows, bytes}: TableExtent): number {
  const perRow = rows === 0 ? 1 : Math.max(bytes / rows, 1);
  const fitting = 2 ** Math.floor(Math.log2(batchBytes / perRow));
  return Math.min(Math.max(fitting, minBatchRows), maxBatchRows);
}
