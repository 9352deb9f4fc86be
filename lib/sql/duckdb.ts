import {tmpdir} from "node:os";
import {join} from "node:path";
import type {
  DuckDBConnection,
  DuckDBInstance,
  DuckDBMaterializedResult,
  DuckDBResult,
  DuckDBValue,
} from "@duckdb/node-api";
import {duckdbLibrary} from "./duckdb-library.ts";
import {refuseCutStream, sqlErrorOf, withSqlErrors} from "./sql-error.ts";

/** A query result that is streamed; values are as in `Database.rows`. */
export type RowStream = {
  readonly names: string[];
  /** For each column, whether its type is numeric. */
  readonly numeric: boolean[];
  /** True for the result of a `COPY`: one row with the number of copied rows. */
  readonly isCopy: boolean;
  readonly batches: AsyncIterable<unknown[][]>;
};

/** True for a numeric DuckDB type. */
export function isNumberType(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/.test(type);
}

export type Database = Disposable & {
  readonly connection: DuckDBConnection;
  /** Runs one or more statements and returns the number of rows that the last one wrote; 0 for one that writes none. */
  run(sql: string, values?: Record<string, DuckDBValue>): Promise<number>;
  /**
   * The rows as plain objects: lists become arrays, structs objects, DECIMALs numbers, dates `YYYY-MM-DD`.
   * Throws for invalid SQL.
   */
  rows<T = Record<string, unknown>>(sql: string, values?: Record<string, DuckDBValue>): Promise<T[]>;
  /**
   * Streams the rows of the last statement, for results too large for memory. Throws for invalid SQL; the batches throw for a row that
   * ends it later.
   */
  stream(sql: string): Promise<RowStream>;
  /**
   * Another connection to the same database, for concurrent work. It sees no temporary tables and is closed
   * separately.
   */
  beside(): Promise<Database>;
  close(): void;
};

type DatabaseOptions = {
  /** The database file; in memory when absent. */
  path?: string;
  memoryLimit?: string;
  threads?: number;
  /** The folder to which DuckDB spills data that does not fit into memory; DuckDB creates it when needed. */
  tempDirectory?: string;
  /**
   * True to return memory to the system as soon as it is free. A small query over wide rows takes 30 MB for a
   * moment, and DuckDB would keep ten times that; returning it costs some milliseconds per query.
   */
  returnsMemory?: boolean;
  /** True to open the file only for reading. */
  readOnly?: boolean;
};

/**
 * DuckDB returns freed memory before it allocates a block of at least this size, as it does for a query
 * result.
 */
const flushThreshold = "16KB";

/**
 * Opens DuckDB with bounded memory and two threads, and without downloading extensions. The process peaks at
 * about 1.2 times `memoryLimit`.
 */
export async function openDatabase({
  path = ":memory:",
  memoryLimit = "1500MB",
  threads = 2,
  tempDirectory = join(tmpdir(), `cattle-duckdb-${process.pid}`),
  returnsMemory = false,
  readOnly = false,
}: DatabaseOptions = {}): Promise<Database> {
  const instance = await duckdbLibrary().DuckDBInstance.create(path, {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    memory_limit: memoryLimit,
    threads: String(threads),
    temp_directory: tempDirectory,
    ...(readOnly ? {access_mode: "READ_ONLY"} : {}),
    ...(returnsMemory ? {allocator_bulk_deallocation_flush_threshold: flushThreshold} : {}),
  });
  const database = await connected(instance);
  const close = () => {
    database.close();
    instance.closeSync();
  };
  return {...database, close, [Symbol.dispose]: close};
}

/**
 * Runs steps on a single thread, then restores the thread count. In small steps a second thread only waits
 * for the first, and DuckDB waits by spinning: a fifth of their processor time, and more on a loaded machine.
 */
export async function onOneThread<Made>(db: Database, steps: () => Promise<Made>): Promise<Made> {
  const [before] = await db.rows<{threads: string}>("SELECT current_setting('threads')::VARCHAR AS threads");
  await db.run("SET threads = 1");
  try {
    return await steps();
  } finally {
    await db.run(`SET threads = ${before!.threads}`);
  }
}

async function connected(instance: DuckDBInstance): Promise<Database> {
  const connection = await instance.connect();
  // By default a stream buffers no more than one chunk of a wide table ahead of its reader.
  await connection.run(
    "SET preserve_insertion_order = true; SET TimeZone = 'UTC'; SET streaming_buffer_size = '16MB'; SET errors_as_json = true",
  );
  return {
    connection,
    beside: () => connected(instance),
    async run(sql, values) {
      return writtenRows(await withSqlErrors(sql, () => connection.run(sql, values)));
    },
    async rows<T>(sql: string, values?: Record<string, DuckDBValue>) {
      const reader = await withSqlErrors(sql, () => connection.runAndReadAll(sql, values));
      return reader.getRowObjectsJS().map((row) => plainRow(row)) as T[];
    },
    async stream(sql) {
      const result = await withSqlErrors(sql, () => connection.stream(sql));
      return {
        names: result.columnNames(),
        numeric: result.columnTypes().map((type) => isNumberType(String(type))),
        isCopy: result.statementType === duckdbLibrary().StatementType.COPY,
        batches: plainBatches(connection, result, sql),
      };
    },
    close: () => connection.closeSync(),
    [Symbol.dispose]: () => connection.closeSync(),
  };
}

/** Number of rows that a statement wrote; DuckDB gives that of a `CREATE TABLE AS` as its only row. */
async function writtenRows(result: DuckDBMaterializedResult): Promise<number> {
  const {INSERT, CREATE, COPY} = duckdbLibrary().StatementType;
  if (![INSERT, CREATE, COPY].includes(result.statementType)) return 0;
  const [row] = await result.getRowsJS();
  return Number(row?.[0] ?? 0);
}

/**
 * A value as JSON: a 64-bit integer becomes a number where that is exact, otherwise text; bytes become hex
 * digits; NaN and the infinities, which JSON lacks, become their names.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === "bigint") return Number.isSafeInteger(Number(part)) ? Number(part) : String(part);
    if (typeof part === "number" && !Number.isFinite(part)) return String(part);
    return part instanceof Uint8Array ? Buffer.from(part).toString("hex") : part;
  });
}

/** Quotes text as an SQL literal, for our own names and constants; values from callers are bound instead. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Quotes a name as an SQL identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function* plainBatches(
  connection: DuckDBConnection,
  result: DuckDBResult,
  sql: string,
): AsyncGenerator<unknown[][]> {
  try {
    for await (const rows of result.yieldRowsJs()) yield rows.map((row) => row.map(plainValue));
    await refuseCutStream(connection, result, sql);
  } catch (thrown) {
    throw sqlErrorOf(sql, thrown);
  }
}

function plainRow(row: Record<string, unknown>): Record<string, unknown> {
  for (const name in row) row[name] = plainValue(row[name]);
  return row;
}

function plainValue(value: unknown): unknown {
  if (value instanceof Date) return isoDateOrInstant(value);
  if (Array.isArray(value)) return value.map(plainValue);
  if (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype) {
    return plainRow(value as Record<string, unknown>);
  }
  return value;
}

/**
 * A DATE or a timestamp at midnight as `YYYY-MM-DD`, any other timestamp as `YYYY-MM-DDTHH:MM:SSZ`; use
 * `strftime` in the query to avoid the ambiguity.
 */
function isoDateOrInstant(value: Date): string {
  const text = value.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.replace(".000Z", "Z");
}
