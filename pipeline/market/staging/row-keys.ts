import {BIGINT, BOOLEAN, DuckDBScalarFunction} from "@duckdb/node-api";
import {issueColumns, rawNumberColumns, wordColumns} from "@open-cattle/usda-reports";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {chunkColumn} from "../../../lib/storage/arrow-file/duckdb-chunks.ts";

/**
 * SQL: 63-bit hash keys of a row's word combination and of its issue, valid for one run. Collisions between files are detected
 * where the combinations are read; within one file, the probability that two of a million combinations collide is 1 in 10^7.
 */
const wordKey = `(hash(${wordColumns.join(", ")}) >> 1)::BIGINT`;
const issueKey = `(hash(file_no, ${issueColumns.join(", ")}) >> 1)::BIGINT`;

/** Text columns that are replaced by the two keys; only rows with a new key keep them. */
const textColumns: readonly string[] = [...wordColumns, ...issueColumns];

/** SQL: text columns out of the list of a row's texts. */
export function textsSql(names: readonly string[]): string {
  return names.map((name) => `texts[${textColumns.indexOf(name) + 1}] AS ${name}`).join(", ");
}

/** SQL: nulls `nan` and `inf`, which break sums and JSON. */
const finite = rawNumberColumns
  .map((name) => `CASE WHEN isfinite(${name}) THEN ${name} END AS ${name}`)
  .join(", ");

/**
 * SQL: the rows of a relation, in its order, with keys in place of their texts; it must have `file_no` and all columns of a row. Call
 * `forgetKeys` first.
 */
export function keyedRowsSql(relation: string): string {
  const texts = textColumns.join(", ");
  return `SELECT ${wordKey} AS word_key, ${issueKey} AS issue_key,
    CASE WHEN is_new_key(word_key, issue_key) THEN [${texts}] END AS texts, * EXCLUDE (${texts}) REPLACE (${finite}) FROM ${relation}`;
}

/**
 * Recently seen keys, a direct-mapped cache indexed by their low bits. Rows of an issue are adjacent and word combinations are
 * few, so it rarely misses.
 */
const recentKeys = new WeakMap<Database, Int32Array>();
const keySlots = 2 ** 15;

/** Makes every key new again: the texts of an earlier relation may have been taken back. */
export function forgetKeys(db: Database): void {
  recentKeys.get(db)!.fill(-1);
}

/**
 * Registers the SQL function `is_new_key(word_key, issue_key)`: false if the cache holds both keys. A miss only stores texts
 * twice; without the function each file would be read a second time for its texts.
 */
export function registerIsNewKey(db: Database): void {
  if (recentKeys.has(db)) return;
  const recent = new Int32Array(2 * keySlots);
  recentKeys.set(db, recent);
  const isNew = (keys: Int32Array, row: number) => {
    const [low, high] = [keys[2 * row]!, keys[2 * row + 1]!];
    const slot = 2 * (low & (keySlots - 1));
    if (recent[slot] === low && recent[slot + 1] === high) return false;
    recent[slot] = low;
    recent[slot + 1] = high;
    return true;
  };
  db.connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name: "is_new_key",
      parameterTypes: [BIGINT, BIGINT],
      returnType: BOOLEAN,
      volatile: true,
      mainFunction(_, chunk, output) {
        const [words, issues] = [0, 1].map((column) => {
          const {bytes} = chunkColumn(chunk, column, 8);
          return new Int32Array(bytes.buffer, bytes.byteOffset, 2 * chunk.rowCount);
        }) as [Int32Array, Int32Array];
        for (let row = 0; row < chunk.rowCount; row++)
          output.setItem(row, isNew(words, row) || isNew(issues, row));
        output.flush();
      },
    }),
  );
}

/** Throws if two combinations have the same 63-bit key, because rows would then get each other's words. Never observed. */
export async function refuseCollisions(db: Database, table: string, key: string): Promise<void> {
  const shared = await db.rows(
    `SELECT ${key} FROM ${table} WHERE ${key} IS NOT NULL GROUP BY ALL HAVING count(*) > 1`,
  );
  if (shared.length > 0) {
    throw new Error(
      "Two different combinations of report words have the same 63-bit key; their rows cannot be told apart.",
    );
  }
}
