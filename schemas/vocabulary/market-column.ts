import {type DescribedColumn, instantType, workingType} from "./described-file.ts";

/** The column names, comma-separated, for a SELECT or INSERT list. */
export function namesOf(columns: readonly DescribedColumn[]): string {
  return columns.map(({name}) => name).join(", ");
}

/** The SELECT list that converts columns of a working table to those of a Parquet file. */
export function fileColumnsOf(columns: readonly DescribedColumn[]): string {
  return columns
    .map(({name, type}) => (type === instantType ? `"${name}"::${instantType} AS "${name}"` : `"${name}"`))
    .join(", ");
}

/** The SELECT list that casts columns of the same names to those of a working table. */
export function castsOf(columns: readonly DescribedColumn[]): string {
  return columns.map((column) => `"${column.name}"::${workingType(column)} AS "${column.name}"`).join(", ");
}
