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

/** The staged files of an entry: the main ones, and those of each joined table by prefix. */
export type EntrySources = {
  readonly main: readonly SourceTable[];
  readonly joins: Readonly<Record<string, readonly SourceTable[]>>;
};

/** Counts of the rows of a joined file that did not become rows of their own. */
export type JoinedRows = {
  readonly file: number;
  readonly merged: number;
  readonly rejected: Record<string, number>;
};
