import {type DescribedColumn, instantType} from "./described-file.ts";

/** One column of a market table, as Parquet has it and FORMAT.md describes it. */
export type MarketColumn = DescribedColumn;

/** The type of a column while the market is made: instants are in UTC there and have no zone. */
export function workingType({type}: MarketColumn): string {
  return type === instantType ? "TIMESTAMP" : type;
}

/** The column list of a `CREATE TABLE`. */
export function ddlOf(columns: readonly MarketColumn[]): string {
  return columns.map((column) => `${column.name} ${workingType(column)}`).join(", ");
}

/** Column names joined for a SELECT or INSERT list. */
export function namesOf(columns: readonly MarketColumn[]): string {
  return columns.map(({name}) => name).join(", ");
}

/** The SELECT list that makes the columns of a Parquet file from those of the table of the market. */
export function fileColumnsOf(columns: readonly MarketColumn[]): string {
  return columns
    .map(({name, type}) => (type === instantType ? `"${name}"::${instantType} AS "${name}"` : `"${name}"`))
    .join(", ");
}
