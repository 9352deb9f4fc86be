import {sqlText} from "../../sql/duckdb.ts";

/** A staged file of an entry. */
export type SourceTable = {
  /** Number of the file in reports and provenance. */
  readonly file: number;
  readonly table: string;
  /** `YYYY-MM-DD`. */
  readonly retrieved: string;
  /** Date of the last edit that the server stated, or null. */
  readonly layerEdit: string | null;
};

/** The staged rows of several files, each with the facts of its own (`factsSql`). */
export type GatheredTable = {readonly gathered: string};

/** The name of a staged table. */
export function tableOf(source: SourceTable | GatheredTable): string {
  return "gathered" in source ? source.gathered : source.table;
}

/** Gives SQL of the facts of a file that stand beside each of its rows: file, row, day of retrieval and of the layer's last edit. */
export function factsSql({file, retrieved, layerEdit}: Omit<SourceTable, "table">): string[] {
  return [
    `${file}::INTEGER AS "~file"`,
    `rowid AS "~row"`,
    `${sqlText(retrieved)} AS "~retrieved"`,
    `${layerEdit === null ? "NULL::VARCHAR" : sqlText(layerEdit)} AS "~layer_edit"`,
  ];
}

/** The columns of `factsSql`. */
export const factColumns = ['"~file"', '"~row"', '"~retrieved"', '"~layer_edit"'] as const;

/** The staged files of an entry: the main ones, and those of each joined table by prefix. */
export type EntrySources = {
  readonly main: readonly (SourceTable | GatheredTable)[];
  readonly joins: Readonly<Record<string, readonly (SourceTable | GatheredTable)[]>>;
};

/** Counts of the rows of a joined file that did not become rows of their own. */
export type JoinedRows = {
  readonly file: number;
  readonly merged: number;
  readonly rejected: Record<string, number>;
};
