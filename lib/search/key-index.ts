import {type Database, sqlName} from "../sql/duckdb.ts";
import {writeArrowFile} from "../storage/arrow-file/write.ts";
import {openArrowTable} from "../storage/arrow-table/open.ts";

/** A row that has a key; the bits of `form` tell which spellings of the row gave the key. */
export type KeyHit = {readonly row: number; readonly form: number};

export type KeyEntry = KeyHit & {readonly key: string};

/**
 * Sorted keys ─▶ rows, found by binary search in the mapped file. Keys compare by UTF-8 bytes, and the hits
 * of a key come in row order. Results stop at `limit`.
 */
export type KeyIndex = {
  /** The hits of exactly this key. */
  find(key: string, limit?: number): KeyHit[];
  /** The entries whose key begins with `prefix`, in key order. */
  prefix(prefix: string, limit: number): KeyEntry[];
};

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

/**
 * Opens a key index in place. Throws a `UserError` that begins with `name` when the bytes are not a key
 * index.
 */
export function openKeyIndex(buffer: ArrayBuffer, name = "key index"): KeyIndex {
  const table = openArrowTable(buffer, name);
  const keys = table.text("key");
  const rows = table.number("row");
  const forms = table.number("form");
  const hit = (i: number): KeyHit => ({row: rows.at(i)!, form: forms.at(i)!});
  const entry = (i: number): KeyEntry => ({key: keys.at(i)!, ...hit(i)});
  return {
    find(key, limit = Number.POSITIVE_INFINITY) {
      const bytes = Buffer.from(key, "utf8");
      return collect(keys.lowerBound(bytes), table.rows, limit, (i) =>
        keys.equals(i, bytes) ? hit(i) : null,
      );
    },
    prefix(prefix, limit) {
      const bytes = Buffer.from(prefix, "utf8");
      return collect(keys.lowerBound(bytes), table.rows, limit, (i) =>
        keys.startsWith(i, bytes) ? entry(i) : null,
      );
    },
  };
}

/** Maps the entries from `from` on with `take`, until it returns null or `limit` is reached. */
function collect<T>(from: number, rows: number, limit: number, take: (i: number) => T | null): T[] {
  const items: T[] = [];
  for (let i = from; i < rows && items.length < limit; i++) {
    const item = take(i);
    if (item === null) break;
    items.push(item);
  }
  return items;
}
