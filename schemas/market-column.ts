/** One column of a market table, as Parquet has it and FORMAT.md describes it. */
export type MarketColumn = {
  readonly name: string;
  /** DuckDB type. */
  readonly type: string;
  readonly about: string;
};

/** The column list of a `CREATE TABLE`. */
export function ddlOf(columns: readonly MarketColumn[]): string {
  return columns.map(({name, type}) => `${name} ${type}`).join(", ");
}

/** Column names joined for a SELECT or INSERT list. */
export function namesOf(columns: readonly MarketColumn[]): string {
  return columns.map(({name}) => name).join(", ");
}
