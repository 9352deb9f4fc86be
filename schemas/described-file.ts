/** A column as FORMAT.md and `datapackage.json` describe it; `type` is DuckDB's name in Parquet and Arrow's in Arrow files. */
export type DescribedColumn = {readonly name: string; readonly type: string; readonly about: string};

/** A file of a build as FORMAT.md describes it; `XX` in its path is any state and `YYYY` any year. */
export type DescribedFile = {
  readonly path: string;
  readonly about: string;
  /** Columns whose values together name one row; empty where only the position names it. */
  readonly key: readonly string[];
  readonly columns: readonly DescribedColumn[];
};

/** The description of one column. */
export function column(name: string, type: string, about: string): DescribedColumn {
  return {name, type, about};
}
