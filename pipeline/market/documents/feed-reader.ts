import type {RawReportHeader, RawReportRow} from "@open-cattle/usda-reports";
import type {RawFile} from "../../raw/raw-files.ts";
import type {ListedReport, Staging} from "../staging/staging.ts";

export type FeedInput = {
  readonly staging: Staging;
  readonly file: RawFile;
  /** Number of the file in the staging tables. */
  readonly fileNo: number;
  /** Folder for temporary files, deleted after reading. */
  readonly tempDir: string;
};

/** The outcome of reading a file. Tables are staged in SQL by the reader itself. */
export type FeedOutcome = {
  /** Rows and report headers that JavaScript read and that are still to be staged. */
  readonly rows: readonly RawReportRow[];
  readonly headers: readonly RawReportHeader[];
  /** Entries of a list of reports. */
  readonly listed: readonly ListedReport[];
  /** True if the reader staged the rows of a table in SQL. */
  readonly isExport: boolean;
  /** What such a table lacks if it has fewer rows than it states; its rows are then rejected. */
  readonly partial: string | null;
  /** Entries that are kept but are not price rows: those of a report list, or the sale of a file without usable rows. */
  readonly otherAccepted: number;
  /** Rows merged into their report, such as header sections. */
  readonly merged: number;
  readonly notes: Readonly<Record<string, number>>;
  /** Why a file that was read has no rows; else null. */
  readonly remark: string | null;
};

/**
 * Reads one file of a feed. For a file that it cannot read it throws an error with place, what came and what was expected;
 * nothing of that file is kept.
 */
export type FeedReader = (input: FeedInput) => Promise<FeedOutcome>;

export const plainOutcome: FeedOutcome = {
  rows: [],
  headers: [],
  listed: [],
  isExport: false,
  partial: null,
  otherAccepted: 0,
  merged: 0,
  notes: {},
  remark: null,
};
