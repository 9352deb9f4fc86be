import type {MarketSourceId} from "../../../schemas/market-source.ts";
import type {SignalTable} from "../../../schemas/signal-files.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import type {SignalContent} from "../documents/file-content.ts";

/**
 * A signal as a reader returns it, with the columns of its table. `source_date` defaults to the day of `valid_from`.
 * `source_id` is set if the rows of a feed have several registry ids; `note` is a name under which reports count such rows.
 */
export type SignalValues = {
  readonly signal: string;
  readonly key: string;
  readonly valid_from: string;
  readonly valid_to?: string | null;
  readonly area_type: string | null;
  readonly area: string | null;
  readonly source_date?: string | null;
  readonly source_id?: MarketSourceId;
  readonly note?: string | null;
  readonly [column: string]: unknown;
};

export type RejectedRow = {
  readonly reason: string;
  readonly detail: string;
  /** Position of the row in its file, from 1. */
  readonly ordinal: number;
  /** The row as published; null if it may hold what must not be published (names on licence lists). */
  readonly raw: unknown;
};

/** The outcome of reading a file: each input row is in `rows`, `rejected`, `merged` or `otherAccepted`. */
export type SignalReading = {
  /** The table that the rows belong to; null if the file has none. */
  readonly table: SignalTable | null;
  readonly rows: readonly SignalValues[];
  readonly rejected: readonly RejectedRow[];
  /** Rows combined into another row, such as the classes of one county. */
  readonly merged: number;
  /** Rows that were understood but are not signals: column descriptions, entries of a list of reports. */
  readonly otherAccepted: number;
  readonly notes: Readonly<Record<string, number>>;
  /** Why a file that was read has nothing of use; else null. */
  readonly remark: string | null;
};

export type ReadSignalFile = {readonly file: RawFile; readonly reading: SignalReading};
export type SignalInput = {readonly file: RawFile; readonly content: SignalContent};

/**
 * Reads one file of a feed. For a file that it cannot read it throws a UserError with place, what came and what was expected;
 * nothing of that file is kept.
 */
export type SignalReader = (input: SignalInput) => SignalReading;

class RowFault extends Error {}

/** Rejects the current row, with a reason that reports count and a detail of what came and what was expected. */
export function reject(reason: string, detail: string): never {
  throw new RowFault(detail, {cause: reason});
}

/**
 * Reads rows one by one; each is accepted, or rejected with its position and what `rawOf` gives the quarantine to keep of it.
 */
export function readEach<Row, Read>(
  rows: readonly Row[],
  read: (row: Row) => Read,
  rawOf: (row: Row) => unknown,
): {accepted: Read[]; rejected: RejectedRow[]} {
  const accepted: Read[] = [];
  const rejected: RejectedRow[] = [];
  for (const [index, row] of rows.entries()) {
    try {
      accepted.push(read(row));
    } catch (fault) {
      if (!(fault instanceof RowFault)) throw fault;
      const {cause, message: detail} = fault;
      rejected.push({reason: String(cause), detail, ordinal: index + 1, raw: rawOf(row)});
    }
  }
  return {accepted, rejected};
}
