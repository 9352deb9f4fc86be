import type {SignalTable} from "../../../schemas/signal-files.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import type {SignalContent} from "./content.ts";
import {unreadLine} from "./tables.ts";

/** A signal as a reader makes it; the file's own columns (source, path, fetch) are added where files are gathered. */
export type SignalValues = {
  readonly signal: string;
  readonly key: string;
  readonly valid_from: string;
  readonly valid_to?: string | null;
  readonly area_type: string | null;
  readonly area: string | null;
  readonly source_date: string | null;
  /** Set where the rows of a feed belong to several registry ids. */
  readonly source_id?: string;
  readonly [column: string]: unknown;
};

export type SignalRow = {readonly table: SignalTable; readonly values: SignalValues};

export type RejectedRow = {
  readonly reason: string;
  readonly detail: string;
  /** Place of the row in its file, from 1. */
  readonly ordinal: number;
  /** The row as it came; null where a row may hold what must not leave (names on licence lists). */
  readonly raw: unknown;
};

/** The outcome of reading a file: each row that came is in `rows`, `rejected`, `merged` or `otherAccepted`. */
export type SignalReading = {
  readonly rows: readonly SignalRow[];
  readonly rejected: readonly RejectedRow[];
  /** Rows that became part of another row, such as the classes of one county. */
  readonly merged: number;
  /** Rows that were understood and are no signals: column descriptions, entries of a list of reports. */
  readonly otherAccepted: number;
  readonly notes: Readonly<Record<string, number>>;
  /** Set for a file that was read but holds nothing of use, with the reason. */
  readonly remark: string | null;
};

export type SignalInput = {
  readonly file: RawFile;
  readonly content: SignalContent;
  readonly asOf: string;
};

/**
 * Reads one file of a feed. Throws a UserError with place, what came and what was expected for a file that it cannot read;
 * nothing of that file is then kept.
 */
export type SignalReader = (input: SignalInput) => SignalReading;

/** A reading with the given parts; the others are empty. */
export function reading(part: Partial<SignalReading>): SignalReading {
  return {rows: [], rejected: [], merged: 0, otherAccepted: 0, notes: {}, remark: null, ...part};
}

/** The outcome of reading one row. */
export type RowOutcome =
  | {readonly accept: SignalRow; readonly note?: string}
  | {readonly reject: string; readonly detail: string};

/**
 * The row by whose names a table is known: the first that `fits`, so that one damaged row does not hide the others; the first of
 * all where none does. Undefined for a table without rows.
 */
export function tellingRow<Row>(rows: readonly Row[], fits: (row: Row) => boolean): Row | undefined {
  return rows.find(fits) ?? rows[0];
}

/** The words for a line of a table that is no row of it; null for a row. */
function lineUnread(row: unknown): string | null {
  const line =
    typeof row === "object" && row !== null ? (row as Record<string, unknown>)[unreadLine] : undefined;
  return typeof line === "string" ? line : null;
}

/** Reads rows one by one: each is accepted or rejected with its place. `raw: false` keeps the rows out of the quarantine. */
export function readRows<Row>(
  rows: readonly Row[],
  read: (row: Row, ordinal: number) => RowOutcome,
  {raw = true}: {raw?: boolean} = {},
): SignalReading {
  const accepted: SignalRow[] = [];
  const rejected: RejectedRow[] = [];
  const notes: Record<string, number> = {};
  for (const [index, row] of rows.entries()) {
    const unread = lineUnread(row);
    const outcome: RowOutcome =
      unread === null ? read(row, index + 1) : {reject: "unread_line", detail: unread};
    if ("reject" in outcome) {
      const {reject: reason, detail} = outcome;
      rejected.push({reason, detail, ordinal: index + 1, raw: raw ? row : null});
      continue;
    }
    accepted.push(outcome.accept);
    if (outcome.note !== undefined) notes[outcome.note] = (notes[outcome.note] ?? 0) + 1;
  }
  const remark = rows.length === 0 ? "the file has no rows; nothing was deleted for it" : null;
  return reading({rows: accepted, rejected, notes, remark});
}
