/** How a column is stored; `parquetTypes` maps each kind to its Parquet type. */
export type ColumnKind =
  | "text"
  | "dictionary"
  | "list"
  | "float64"
  | "float32"
  | "int32"
  | "int16"
  | "bool"
  | "money"
  | "date";

/** The Parquet type of each kind, as DuckDB names it. */
export const parquetTypes: Readonly<Record<ColumnKind, string>> = {
  text: "VARCHAR",
  dictionary: "VARCHAR",
  list: "VARCHAR[]",
  float64: "DOUBLE",
  float32: "FLOAT",
  int32: "INTEGER",
  int16: "SMALLINT",
  bool: "BOOLEAN",
  money: "DECIMAL(14,2)",
  date: "DATE",
};

/**
 * A column as FORMAT.md, `datapackage.json` and the file footer describe it. `type` is DuckDB's type name in Parquet files, Arrow's in
 * Arrow files.
 */
export type DescribedColumn = {
  readonly name: string;
  readonly type: string;
  readonly about: string;
  /** The values of an enumeration; for a list, those of its elements. */
  readonly values?: readonly string[];
  /** True for text that is JSON. */
  readonly json?: true;
};

/** The type of a column in the tables that a build makes: instants are then in UTC and have no zone. */
export function workingType({type}: DescribedColumn): string {
  return type === instantType ? "TIMESTAMP" : type;
}

/** A column that is not stored in the file, because its folder name contains it: `state=TX`. */
export type PartitionColumn = DescribedColumn & {readonly name: "state" | "year"};

/** A foreign key: columns that refer to the key of another table. */
export type TableReference = {
  readonly columns: readonly string[];
  readonly table: string;
  readonly key: readonly string[];
};

/** A file of a build as FORMAT.md describes it. In its path, `XX` stands for any state and `YYYY` for any year. */
export type DescribedFile = {
  readonly path: string;
  readonly about: string;
  /** Columns that together identify a row; empty if only its position does. */
  readonly key: readonly string[];
  readonly columns: readonly DescribedColumn[];
  readonly partition?: PartitionColumn;
  readonly references?: readonly TableReference[];
  /** Sentences that warn of likely mistakes in reading the table. */
  readonly traps?: readonly string[];
};

/** The Parquet type of an instant, adjusted to UTC. */
export const instantType = "TIMESTAMP WITH TIME ZONE";

/** The type of a GeoParquet geometry column; the file stores WKB. */
export const geometryType = "GEOMETRY('OGC:CRS84')";

/** The description of one column. */
export function column(
  name: string,
  type: string,
  about: string,
  more: Pick<DescribedColumn, "values" | "json"> = {},
): DescribedColumn {
  return {name, type, about, ...more};
}

/** The description of a text column with a fixed set of values, which its sentence lists. */
export function choice(name: string, values: readonly string[]): DescribedColumn {
  const words = values.map((value) => `\`${value}\``);
  return column(name, "VARCHAR", `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`, {values});
}
