import {appendRows, createTable} from "../../sql/append-rows.ts";
import {openDatabase} from "../../sql/duckdb.ts";
import {type ArrowColumn, storage} from "./columns.ts";
import {writeArrowFile} from "./write.ts";

/** A value of a row. Dates are `YYYY-MM-DD`, lists are arrays of text, binary values are bytes; undefined counts as null. */
export type RowValue = string | number | boolean | readonly string[] | Uint8Array | null | undefined;

type ArrowRows = {
  readonly path: string;
  readonly columns: readonly ArrowColumn[];
  readonly rows: readonly Readonly<Record<string, RowValue>>[];
  readonly metadata?: Readonly<Record<string, string>>;
};

/**
 * Writes JavaScript rows, in their order, as `writeArrowFile` writes those of a table. Throws a `UserError` for a value that
 * does not fit its column, and an error when the path exists.
 */
export async function writeArrowRows({rows, ...file}: ArrowRows): Promise<{rows: number}> {
  const db = await openDatabase({threads: 1});
  try {
    const columns = file.columns.map(({name, kind}) => ({name, type: storage[kind].duckdb}));
    await createTable(db, "rows", columns);
    await appendRows(db, "rows", columns, rows);
    return await writeArrowFile(db, {...file, table: "rows", orderColumn: "rowid", inOrder: true});
  } finally {
    db.close();
  }
}
