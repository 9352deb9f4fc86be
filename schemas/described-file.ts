/** The way in which a column is stored; `parquetTypes` names the type of each kind in Parquet. */
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

/** The type of each kind in Parquet, in DuckDB's words. */
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

/** A column as FORMAT.md, `datapackage.json` and the footer of its file describe it; `type` is DuckDB's name in Parquet and Arrow's in Arrow files. */
export type DescribedColumn = {
  readonly name: string;
  readonly type: string;
  readonly about: string;
  /** The values of an enumeration; of a list, those of its members. */
  readonly values?: readonly string[];
  /** True for text that is JSON. */
  readonly json?: true;
};

/** A column that a file does not hold, because the name of its folder says it: `state=TX`. */
export type PartitionColumn = DescribedColumn & {readonly name: "state" | "year"};

/** A reference of columns to the key of another table. */
export type TableReference = {
  readonly columns: readonly string[];
  readonly table: string;
  readonly key: readonly string[];
};

/** A file of a build as FORMAT.md describes it; `XX` in its path is any state and `YYYY` any year. */
export type DescribedFile = {
  readonly path: string;
  readonly about: string;
  /** Columns whose values together name one row; empty where only the position names it. */
  readonly key: readonly string[];
  readonly columns: readonly DescribedColumn[];
  readonly partition?: PartitionColumn;
  readonly references?: readonly TableReference[];
  /** Sentences on mistakes that a reader of the table makes easily. */
  readonly traps?: readonly string[];
};

/** The type of an instant in Parquet: adjusted to UTC. */
export const instantType = "TIMESTAMP WITH TIME ZONE";

/** The type of a geometry of GeoParquet; the file has WKB. */
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

/** The description of a column of texts out of some, which its sentence names. */
export function choice(name: string, values: readonly string[]): DescribedColumn {
  const words = values.map((value) => `\`${value}\``);
  return column(name, "VARCHAR", `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`, {values});
}
