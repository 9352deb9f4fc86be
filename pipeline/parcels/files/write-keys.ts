import {type Database, sqlName} from "../../../lib/sql/duckdb.ts";
import {writeArrowFile} from "../../../lib/storage/arrow-file/write.ts";

type KeyIndexRequest = {
  /**
   * A SELECT with the columns `key` (text), `row_no` (0 to 2^32 - 1) and `form` (bits, 0 to 255). Null and
   * empty keys are dropped.
   */
  readonly query: string;
  readonly path: string;
  /** True when no pair of key and row repeats; saves the deduplication. */
  readonly unique?: boolean;
  /** Number of rows in a batch, for tests. */
  readonly batchRows?: number;
};

let tables = 0;

/**
 * Writes a key index: an Arrow file with the columns `key` (utf8), `row` (uint32) and `form` (uint8), sorted
 * by key and row. There is one entry per pair of key and row, with the bits of all its forms. Batches keep
 * text far below 2 GiB. Throws when the path exists.
 */
export async function writeKeyIndex(
  db: Database,
  {query, path, unique = false, batchRows}: KeyIndexRequest,
): Promise<{entries: number}> {
  const table = sqlName(`key_index_${++tables}`);
  const [form, group] = unique ? ["form::UTINYINT", ""] : ["bit_or(form::UTINYINT)", "GROUP BY ALL"];
  await db.run(
    `CREATE TEMP TABLE ${table} AS SELECT "key", row_no::UINTEGER AS "row", ${form} AS form
     FROM (SELECT "key"::VARCHAR AS "key", row_no, form FROM (${query})) WHERE "key" <> '' ${group} ORDER BY "key", "row"`,
  );
  try {
    const {rows} = await writeArrowFile(db, {
      table,
      orderColumn: "rowid",
      inOrder: true,
      path,
      columns: [
        {name: "key", kind: "text", nullable: false},
        {name: "row", kind: "uint32", nullable: false},
        {name: "form", kind: "uint8", nullable: false},
      ],
      ...(batchRows === undefined ? {} : {batchRows}),
    });
    return {entries: rows};
  } finally {
    await db.run(`DROP TABLE ${table}`);
  }
}
