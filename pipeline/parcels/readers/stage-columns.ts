import {UserError} from "../../../lib/errors.ts";
import {resolveColumn} from "../../../lib/parcels/conform/cells.ts";
import {
  type SourceRecord,
  type StagedTable,
  stageRecords,
} from "../../../lib/parcels/conform/staged-table.ts";
import {sqlName} from "../../../lib/sql/duckdb.ts";
import type {ReadRequest} from "./reader.ts";

/**
 * Stages the rows of a format that names its columns first: `records` gets the needed columns only, in the order of the file, and
 * gives all of them in every row. Throws a `UserError` for a table without rows.
 */
export async function stageColumns(
  {db, dataset, table, wanted}: ReadRequest,
  columns: readonly string[],
  records: (needed: readonly string[]) => AsyncIterable<SourceRecord> | Iterable<SourceRecord>,
): Promise<StagedTable> {
  const needed = new Set(wanted.map((name) => resolveColumn(name, columns)));
  const staged = await stageRecords(
    db,
    {table, wanted},
    records(columns.filter((column) => needed.has(column))),
  );
  if (staged.rows > 0) return {...staged, seen: columns};
  await db.run(`DROP TABLE ${sqlName(table)}`);
  throw new UserError(`${dataset.shown}: no rows; expected at least one.`);
}
