import {tmpdir} from "node:os";
import {join} from "node:path";
import {type DuckDBConnection, DuckDBInstance, type DuckDBValue, StatementType} from "@duckdb/node-api";

/** Rows of a query while they come; the values are those of `Database.rows`. */
export type RowStream = {
  readonly names: string[];
  /** For each column, whether its type is one of numbers. */
  readonly numeric: boolean[];
  /** True for the result of a `COPY`: one row with the number of rows that were copied. */
  readonly isCopy: boolean;
  readonly batches: AsyncIterable<unknown[][]>;
};

/** True for the name of a DuckDB type of numbers. */
export function isNumberType(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*)$/.test(type);
}

export type Database = Disposable & {
  readonly connection: DuckDBConnection;
  /** Runs one or several statements and drops the result. */
  run(sql: string, values?: Record<string, DuckDBValue>): Promise<void>;
  /**
   * The rows as plain objects: lists are arrays, structs objects, DECIMALs numbers, dates `YYYY-MM-DD`. Throws for wrong
   * SQL.
   */
  rows<T = Record<string, unknown>>(sql: string, values?: Record<string, DuckDBValue>): Promise<T[]>;
  /** The rows of the last of some statements as they come, for results that memory does not hold. Throws for wrong SQL. */
  stream(sql: string): Promise<RowStream>;
  /**
   * Another connection to the same database, for work at the same time. It sees no temporary tables and is closed
   * separately.
   */
  beside(): Promise<Database>;
  close(): void;
};

type DatabaseOptions = {
  /** The file of the database; without one it is in memory. */
  path?: string;
  memoryLimit?: string;
  threads?: number;
  /** The folder to which DuckDB moves data that does not fit into memory; DuckDB makes it when needed. */
  tempDirectory?: string;
  /**
   * True to give memory back to the system as soon as it is free. A small query over wide rows takes 30 MB for a moment, and DuckDB would
   * keep ten times that; giving back takes some milliseconds a query.
   */
  keepsLittle?: boolean;
};

/** Freed memory goes back before a block of that size or more is taken, as it is for the result of a query. */
const flushFrom = "16KB";

/**
 * Opens DuckDB with bounded memory and two threads, and without ever downloading an extension. The process peaks at about
 * 1.2 times `memoryLimit`.
 */
export async function openDatabase({
  path = ":memory:",
  memoryLimit = "1500MB",
  threads = 2,
  tempDirectory = join(tmpdir(), `cattle-duckdb-${process.pid}`),
  keepsLittle = false,
}: DatabaseOptions = {}): Promise<Database> {
  const instance = await DuckDBInstance.create(path, {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    memory_limit: memoryLimit,
    threads: String(threads),
    temp_directory: tempDirectory,
    ...(keepsLittle ? {allocator_bulk_deallocation_flush_threshold: flushFrom} : {}),
  });
  const database = await connected(instance);
  const close = () => {
    database.close();
    instance.closeSync();
  };
  return {...database, close, [Symbol.dispose]: close};
}

/**
 * Does steps on one thread, and gives the others back. Of small steps a second thread does nothing but wait for the first, and DuckDB waits
 * by asking again and again: a fifth of the processor time of such steps, and on a loaded machine more.
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
  // By default a stream runs ahead of its reader by no more than one chunk of a wide table.
  await connection.run(
    "SET preserve_insertion_order = true; SET TimeZone = 'UTC'; SET streaming_buffer_size = '16MB'",
  );
  return {
    connection,
    beside: () => connected(instance),
    async run(sql, values) {
      await connection.run(sql, values);
    },
    async rows<T>(sql: string, values?: Record<string, DuckDBValue>) {
      const reader = await connection.runAndReadAll(sql, values);
      return reader.getRowObjectsJS().map((row) => plainRow(row)) as T[];
    },
    async stream(sql) {
      const result = await connection.stream(sql);
      return {
        names: result.columnNames(),
        numeric: result.columnTypes().map((type) => isNumberType(String(type))),
        isCopy: result.statementType === StatementType.COPY,
        batches: plainBatches(result.yieldRowsJs()),
      };
    },
    close: () => connection.closeSync(),
    [Symbol.dispose]: () => connection.closeSync(),
  };
}

/** Gives a value as JSON; a 64-bit integer is a number where that is exact, else text, and bytes are hex digits. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === "bigint") return Number.isSafeInteger(Number(part)) ? Number(part) : String(part);
    return part instanceof Uint8Array ? Buffer.from(part).toString("hex") : part;
  });
}

/** A text as an SQL literal, for names and constants of our own; values of callers are bound instead. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name as a quoted SQL identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function* plainBatches(batches: AsyncIterable<unknown[][]>): AsyncGenerator<unknown[][]> {
  for await (const rows of batches) yield rows.map((row) => row.map(plainValue));
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
 * A DATE or a midnight instant as `YYYY-MM-DD`, another instant as `YYYY-MM-DDTHH:MM:SSZ`; `strftime` in the query avoids
 * that.
 */
function isoDateOrInstant(value: Date): string {
  const text = value.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.replace(".000Z", "Z");
}
