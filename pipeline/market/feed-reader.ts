import type {Database} from "../../lib/sql/duckdb.ts";
import type {RawFile} from "../raw/raw-files.ts";
import type {RawReportHeader, RawReportRow} from "./staging.ts";

export type FeedInput = {
  readonly db: Database;
  readonly file: RawFile;
  /** Number of the file in the staging tables. */
  readonly fileNo: number;
  /** Folder for files that are thrown away after the reading. */
  readonly tempDir: string;
};

/** The outcome of reading a file. The reader itself puts a table file into the staging tables, in SQL. */
export type FeedOutcome = {
  /** Rows and report headers that were read in JavaScript, still to be staged. */
  readonly rows: readonly RawReportRow[];
  readonly headers: readonly RawReportHeader[];
  /** Entries that are kept but are no price rows: those of a report list, the sale of a file without usable rows. */
  readonly otherAccepted: number;
  /** Rows that became part of the report they stand above, such as header sections. */
  readonly merged: number;
  readonly notes: Readonly<Record<string, number>>;
  /** Set for a file that was read but holds nothing, with the reason. */
  readonly remark: string | null;
};

/**
 * Reads one file of a feed. Throws an error with place, what came and what was expected for a
 * file that it cannot read; nothing of that file is then kept.
 */
export type FeedReader = (input: FeedInput) => Promise<FeedOutcome>;

export const plainOutcome: FeedOutcome = {
  rows: [],
  headers: [],
  otherAccepted: 0,
  merged: 0,
  notes: {},
  remark: null,
};
