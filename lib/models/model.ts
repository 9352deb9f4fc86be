import {relative} from "node:path";
import {type DescribedColumn, workingType} from "../../schemas/vocabulary/described-file.ts";
import {packageRoot} from "../paths.ts";
import type {Database} from "../sql/duckdb.ts";

/**
 * How a model is stored: not at all, as a table that all connections see, as a table of this connection alone, which DuckDB
 * may move to disk sooner, or as a Parquet file of the run's folder: many rows take a third of the time that way and no memory. A run
 * without a folder makes a table of it.
 */
export type Materialise = "view" | "table" | "temp" | "file";

/** Columns by type, names separated by spaces: `{INTEGER: "issue_no cell_no", DATE: "week_end_date"}`. */
export type Columns = Readonly<Record<string, string>>;

type Word<Line extends string, Words = never> = Line extends `${infer First} ${infer Rest}`
  ? Word<Rest, Words | First>
  : Words | Line;

/** The value of an SQL type in JavaScript; `unknown` for structures, whose form the type's name does not tell. */
type ValueOf<Type> = Type extends `${infer Item}[]`
  ? ValueOf<Item>[]
  : Type extends "VARCHAR" | "DATE" | "TIMESTAMP" | "JSON"
    ? string
    : Type extends "INTEGER" | "DOUBLE" | `DECIMAL${string}`
      ? number
      : Type extends "BIGINT" | "UBIGINT" | "HUGEINT"
        ? bigint
        : Type extends "BOOLEAN"
          ? boolean
          : unknown;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** A list of columns that is made of a table of fields, with the type of a row of theirs. */
export type ColumnsOf<Row> = readonly DescribedColumn[] & {readonly row?: Row};

/** The row of a model with these columns. Every column may be null. */
export type RowOf<C> = C extends readonly unknown[]
  ? C extends {readonly row?: infer Row}
    ? unknown extends Row
      ? Record<string, unknown>
      : NonNullable<Row>
    : Record<string, unknown>
  : Intersection<{[Type in keyof C]: {[Name in Word<C[Type] & string>]: ValueOf<Type> | null}}[keyof C]>;

/** What models see of the run that makes them. */
export type Run = {
  readonly db: Database;
  /** A value that was given to the run or that it computes once. */
  value<T>(value: Value<T>): Promise<T>;
  /** The rows of a model that is made; `more` is SQL that filters or orders them. */
  rows<Row>(model: Model<Row>, more?: string): Promise<Row[]>;
};

/** A file of the build that a model is written to: its path, and the options of DuckDB's COPY. */
export type WrittenTo = {readonly path: string; readonly options: readonly string[]};

/** A table or view of the build: what it reads, its columns, and the SQL or the rows that make it. */
export type Model<Row = Record<string, unknown>, Name extends string = string> = {
  readonly name: Name;
  /** The file that declares it, from the root of the package. */
  readonly file: string;
  readonly reads: readonly AnyModel[];
  readonly columns: Columns | readonly DescribedColumn[];
  readonly materialise: Materialise;
  readonly sql?: (reads: Record<string, string>, run: Run) => string | Promise<string>;
  readonly rows?: (run: Run) => Rows | Promise<Rows>;
  /** Writes files from what it reads, in TypeScript; there is no table then. */
  readonly writes?: (run: Run) => Promise<void>;
  /** For a file that outlives the run: where it is written. Who reads the model finds the number of each row as `rowid`. */
  readonly writtenTo?: (run: Run) => Promise<WrittenTo>;
  /** The files, beside its own, in which values of its columns are computed or stand as data. */
  readonly computedIn?: readonly string[];
  /** Text columns that are stored as ENUM values, which sort like the texts; a text without any value stays text where a view reads the model. */
  readonly enums?: readonly string[];
  /** SQL over the other columns, by column, of those that a file does not store because they are quickly computed when it is read. */
  readonly derived?: Readonly<Record<string, string>>;
  /** One of `reads` without whose rows this model has none: its SQL, which may take long to plan, is then not asked. */
  readonly nothingWithout?: AnyModel;
  /** Throws if the rows break a promise on which later models rely. */
  readonly check?: (run: Run) => Promise<void>;
  /** Never set: carries the type of a row. */
  readonly row?: Row;
};
// biome-ignore lint/suspicious/noExplicitAny: a list of models holds models of all rows.
export type AnyModel = Model<any>;
export type Rows = Iterable<object> | AsyncIterable<object>;

type Definition<Name extends string, Reads extends readonly AnyModel[], C> = {
  name: Name;
  reads?: Reads;
  columns: C;
  materialise?: Materialise;
  sql?: (reads: {[M in Reads[number]["name"]]: string}, run: Run) => string | Promise<string>;
  rows?: (run: Run) => Rows | Promise<Rows>;
  writes?: (run: Run) => Promise<void>;
  writtenTo?: (run: Run) => Promise<WrittenTo>;
  computedIn?: readonly string[];
  enums?: readonly string[];
  derived?: Readonly<Record<string, string>>;
  nothingWithout?: AnyModel;
  check?: (run: Run) => Promise<void>;
};

/**
 * Declares a model. `sql` gets the names of the models that it may read, so that a name that is not declared does not compile;
 * `rows` are computed in TypeScript, and `writes` are files. A model without any is an input, whose rows are given to the run. Throws if it
 * has both SQL and rows.
 */
export function model<
  const Name extends string,
  const Reads extends readonly AnyModel[] = readonly [],
  const C extends Columns | readonly DescribedColumn[] = Columns,
>(definition: Definition<Name, Reads, C>): Model<RowOf<C>, Name> {
  const {name, reads = [], columns, materialise = "temp", sql, rows, ...more} = definition;
  if (sql !== undefined && rows !== undefined) throw new Error(`model ${name} has both SQL and rows.`);
  return {
    name,
    file: declaringFile(),
    reads,
    columns,
    materialise,
    ...more,
    ...(sql === undefined ? {} : {sql: sql as NonNullable<AnyModel["sql"]>}),
    ...(rows === undefined ? {} : {rows}),
  };
}

const declaringHelpers = /\/lib\/models\/(model|record-model)\.[jt]s$/;

/** The file that called `model` or `recordModel`, from the stack. */
function declaringFile(): string {
  const paths = [...(new Error().stack ?? "").matchAll(/(?:file:\/\/)?(\/[^\s()]+\.[jt]s)/g)].map(
    (match) => match[1]!,
  );
  return relative(packageRoot, paths.find((path) => !declaringHelpers.test(path)) ?? packageRoot);
}

/** A value that models need and no table holds: given to a run, or computed in it once. */
export type Value<T> = {readonly name: string; readonly compute?: (run: Run) => T | Promise<T>};

/** Declares a value. Without `compute`, the run must be given it. */
export function value<T>(name: string, compute?: (run: Run) => T | Promise<T>): Value<T> {
  return {name, ...(compute === undefined ? {} : {compute})};
}

/** The columns of a model, each with its type, in order. */
export function columnTypes(columns: Columns | readonly DescribedColumn[]): {name: string; type: string}[] {
  if (Array.isArray(columns)) return (columns as readonly DescribedColumn[]).map(workingColumn);
  return Object.entries(columns as Columns).flatMap(([type, names]) =>
    names.split(" ").map((name) => ({name, type})),
  );
}

function workingColumn(column: DescribedColumn): {name: string; type: string} {
  return {name: column.name, type: workingType(column)};
}
