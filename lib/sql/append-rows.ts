import {inspect} from "node:util";
import {
  type DuckDBAppender,
  DuckDBBlobValue,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBListType,
  DuckDBMapType,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
  listValue,
  mapValue,
} from "@duckdb/node-api";
import {UserError} from "../errors.ts";
import {type Database, sqlName} from "./duckdb.ts";

/** A column of a table that JavaScript fills. */
export type TableColumn = {readonly name: string; readonly type: DuckDBType};

/** Creates an empty table. Throws when a table of that name exists. */
export async function createTable(
  db: Database,
  table: string,
  columns: readonly TableColumn[],
): Promise<void> {
  await db.run(
    `CREATE TABLE ${sqlName(table)} (${columns.map(({name, type}) => `${sqlName(name)} ${type}`).join(", ")})`,
  );
}

/**
 * Appends rows to a table and returns their number. `columns` are all columns of the table, in its order;
 * missing members become null, and members without a column are ignored. Values: text for VARCHAR,
 * `YYYY-MM-DD` for DATE, a `Date` or `YYYY-MM-DDTHH:MM:SS(.mmm)Z` for TIMESTAMP, numbers, integers or bigints
 * for BIGINT, booleans, bytes for BLOB, arrays for lists, and plain objects or `Map`s for MAP. Throws a
 * `UserError` that names the column and the row, counted from 0, for a value that does not fit; earlier rows
 * may already be in the table.
 */
export async function appendRows(
  db: Database,
  table: string,
  columns: readonly TableColumn[],
  rows: Iterable<object> | AsyncIterable<object>,
): Promise<number> {
  const appender = await RowAppender.open(db, table, columns);
  const names = columns.map(({name}) => name);
  try {
    for await (const row of rows)
      appender.append(names.map((name) => (row as Record<string, unknown>)[name]));
    return appender.close();
  } catch (fault) {
    appender.abandon();
    throw fault;
  }
}

/** Appends the rows of a query to a table, by the names of its columns, and returns their number; other columns become null. */
export async function appendQuery(db: Database, table: string, select: string): Promise<number> {
  return db.run(`INSERT INTO ${sqlName(table)} BY NAME ${select}`);
}

const chunkRows = 2048;
const dayMs = 86_400_000;
/** Keeps a value in an error message short and on one line. */
const inspection = {breakLength: Infinity, maxStringLength: 100, maxArrayLength: 5};

/** Appends rows, given as arrays in column order, in chunks; JavaScript holds only one chunk at a time. */
export class RowAppender {
  private readonly appender: DuckDBAppender;
  private readonly columns: readonly TableColumn[];
  private readonly converters: readonly Converter[];
  private readonly chunk: DuckDBDataChunk;
  private readonly values: DuckDBValue[][];
  private appended = 0;

  private constructor(appender: DuckDBAppender, columns: readonly TableColumn[]) {
    this.appender = appender;
    this.columns = columns;
    this.converters = columns.map(({type}) => converterOf(type));
    this.chunk = DuckDBDataChunk.create(columns.map(({type}) => type));
    this.values = columns.map(() => []);
  }

  /** Opens an appender; columns and values are as for `appendRows`. */
  static async open(db: Database, table: string, columns: readonly TableColumn[]): Promise<RowAppender> {
    return new RowAppender(await db.connection.createAppender(table), columns);
  }

  append(row: readonly unknown[]): void {
    for (let column = 0; column < this.columns.length; column++) {
      const value = row[column] ?? null;
      const stored = value === null ? null : this.converters[column]!(value);
      if (stored === undefined) throw this.misfit(column, value);
      this.values[column]!.push(stored);
    }
    if (this.values[0]?.length === chunkRows) this.flush();
  }

  /** Flushes the remaining rows, closes the appender and returns the number of all rows. */
  close(): number {
    this.flush();
    this.appender.closeSync();
    return this.appended;
  }

  /** Closes the appender after an error and discards the rows that DuckDB has not written yet. */
  abandon(): void {
    this.appender.clear();
    this.appender.closeSync();
  }

  private flush(): void {
    const rows = this.values[0]?.length ?? 0;
    if (rows === 0) return;
    this.chunk.reset();
    this.chunk.setColumns(this.values);
    this.appender.appendDataChunk(this.chunk);
    for (const values of this.values) values.length = 0;
    this.appended += rows;
  }

  private misfit(column: number, value: unknown): UserError {
    const {name, type} = this.columns[column]!;
    const row = this.appended + this.values[column]!.length;
    return new UserError(`column ${name}, row ${row}: ${inspect(value, inspection)} is not a valid ${type}.`);
  }
}

/** Converts a value, neither null nor undefined, for DuckDB; undefined when it does not fit. */
type Converter = (value: unknown) => DuckDBValue | undefined;

const converters: Partial<Record<DuckDBTypeId, Converter>> = {
  [DuckDBTypeId.VARCHAR]: (value) => (typeof value === "string" ? value : undefined),
  [DuckDBTypeId.BOOLEAN]: (value) => (typeof value === "boolean" ? value : undefined),
  [DuckDBTypeId.DOUBLE]: toNumber,
  [DuckDBTypeId.FLOAT]: toNumber,
  [DuckDBTypeId.UTINYINT]: toInteger(0, 2 ** 8 - 1),
  [DuckDBTypeId.SMALLINT]: toInteger(-(2 ** 15), 2 ** 15 - 1),
  [DuckDBTypeId.INTEGER]: toInteger(-(2 ** 31), 2 ** 31 - 1),
  [DuckDBTypeId.UINTEGER]: toInteger(0, 2 ** 32 - 1),
  [DuckDBTypeId.BIGINT]: toBigint,
  [DuckDBTypeId.BLOB]: (value) => (value instanceof Uint8Array ? new DuckDBBlobValue(value) : undefined),
  [DuckDBTypeId.DATE]: toDate,
  [DuckDBTypeId.TIMESTAMP]: toTimestamp,
};

function converterOf(type: DuckDBType): Converter {
  if (type instanceof DuckDBListType) return toList(converterOf(type.valueType));
  if (type instanceof DuckDBMapType) return toMap(converterOf(type.keyType), converterOf(type.valueType));
  const converter = converters[type.typeId];
  if (converter === undefined) throw new Error(`cannot append JavaScript values to a column of type ${type}`);
  return converter;
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function toInteger(low: number, high: number): Converter {
  return (value) =>
    typeof value === "number" && Number.isInteger(value) && value >= low && value <= high ? value : undefined;
}

function toBigint(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? value : undefined;
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
}

function toDate(value: unknown): DuckDBDateValue | undefined {
  const millis = typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) ? millisOf(value) : Number.NaN;
  return Number.isNaN(millis) ? undefined : new DuckDBDateValue(millis / dayMs);
}

function toTimestamp(value: unknown): DuckDBTimestampValue | undefined {
  const isText = typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/.test(value);
  const millis = isText ? millisOf(value) : value instanceof Date ? value.getTime() : Number.NaN;
  return Number.isNaN(millis) ? undefined : new DuckDBTimestampValue(BigInt(millis) * 1000n);
}

/**
 * Milliseconds since 1970; NaN for a day that does not exist, because Date.parse turns 30 February into a day
 * in March.
 */
function millisOf(text: string): number {
  const millis = Date.parse(text);
  return Number.isNaN(millis) || !new Date(millis).toISOString().startsWith(text.slice(0, 19))
    ? Number.NaN
    : millis;
}

function toList(item: Converter): Converter {
  return (value) => {
    const items = Array.isArray(value) ? converted(value, item) : undefined;
    return items && listValue(items);
  };
}

function toMap(key: Converter, item: Converter): Converter {
  return (value) => {
    const entries = entriesOf(value);
    const keys = entries && converted([...entries.keys()], key);
    const values = entries && converted([...entries.values()], item);
    if (keys === undefined || values === undefined || keys.includes(null)) return undefined;
    return mapValue(keys.map((name, i) => ({key: name, value: values[i]!})));
  };
}

function entriesOf(value: unknown): ReadonlyMap<unknown, unknown> | undefined {
  if (value instanceof Map) return value;
  const isPlain = typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? new Map(Object.entries(value as object)) : undefined;
}

/** The converted items, with undefined as null; undefined when one does not fit. */
function converted(items: readonly unknown[], convert: Converter): DuckDBValue[] | undefined {
  const values = items.map((item) => (item === null || item === undefined ? null : convert(item)));
  return values.includes(undefined) ? undefined : (values as DuckDBValue[]);
}
