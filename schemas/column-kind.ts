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
