import {UserError} from "../../errors.ts";
import type {Database} from "../../sql/duckdb.ts";
import {type ArrowColumn, byteLengthSql, isBytesKind} from "./columns.ts";
import type {Relation} from "./relation.ts";

/** Number of rows of a relation, and the bytes of its texts, lists (as joined text) and binaries together. */
export type KnownSize = {readonly rows: number; readonly textBytes: number};

type TableExtent = {readonly rows: number; readonly bytes: number};

/** A batch has at most 1 Mi rows (`docs/design/architecture.md` section 5). */
const maxBatchRows = 2 ** 20;
const minBatchRows = 2 ** 10;
/** Average size of a batch, which is in memory as a whole while it is written. */
const batchBytes = 2 ** 28;
/** Upper bound for a fixed-width value or an offset, with its null bit. */
const fixedBytes = 8;

/** Number and approximate size of a relation's rows. Throws a `UserError` when the row numbers are not 0 to n - 1. */
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

/** The same for a relation whose rows and text bytes are known. */
export function extentOf({rows, textBytes}: KnownSize, columns: readonly ArrowColumn[]): TableExtent {
  return {rows, bytes: textBytes + rows * columns.length * fixedBytes};
}

/** Number of rows in a batch: a power of two, so that a reader finds the batch of a row by a shift. */
export function batchSize({rows, bytes}: TableExtent): number {
  const perRow = rows === 0 ? 1 : Math.max(bytes / rows, 1);
  const fitting = 2 ** Math.floor(Math.log2(batchBytes / perRow));
  return Math.min(Math.max(fitting, minBatchRows), maxBatchRows);
}
