import type {MarketSourceId} from "../../../schemas/market-source.ts";
import type {SignalTable} from "../../../schemas/signal-files.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import type {SignalContent} from "./content.ts";

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

/** A reading with the given parts; all others are empty. */
export function reading(part: Partial<SignalReading>): SignalReading {
  return {table: null, rows: [], rejected: [], merged: 0, otherAccepted: 0, notes: {}, remark: null, ...part};
}

class RowFault extends Error {}

/** Rejects the current row, with a reason that reports count and a detail of what came and what was expected. */
export function reject(reason: string, detail: string): never {
  throw new RowFault(detail, {cause: reason});
}

export type ReadOptions<Row> = {
  /** What the quarantine keeps of a row: the row, or null for nothing. */
  readonly rawOf?: (row: Row) => unknown;
  /**
   * Tells signals of one key and first day apart: each further identity has a key of its own, `<key>#2`. By default they are one
   * signal.
   */
  readonly identity?: (row: Row) => unknown;
};

/** Reads rows one by one; each is accepted, or rejected with its position. */
export function readEach<Row, Read>(
  rows: readonly Row[],
  read: (row: Row) => Read,
  {rawOf = (row) => row}: ReadOptions<Row> = {},
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

/** Reads rows into a table, one signal per row. */
export function readRows<Row>(
  table: SignalTable,
  rows: readonly Row[],
  read: (row: Row) => SignalValues,
  {identity = () => null, ...options}: ReadOptions<Row> = {},
): SignalReading {
  const {accepted, rejected} = readEach(rows, (row) => ({own: identity(row), values: read(row)}), options);
  const notes: Record<string, number> = {};
  const numbers = new Map<string, Map<unknown, number>>();
  const signals = accepted.map(({own, values: {note, key, ...values}}): SignalValues => {
    if (note != null) notes[note] = (notes[note] ?? 0) + 1;
    const name = `${key} ${values.valid_from}`;
    const known = numbers.get(name) ?? new Map<unknown, number>();
    const number = known.get(own) ?? known.size + 1;
    numbers.set(name, known.set(own, number));
    const source_date = values.valid_from.slice(0, 10);
    return {source_date, ...values, key: number === 1 ? key : `${key}#${number}`};
  });
  const remark = rows.length === 0 ? "the file has no rows; nothing was deleted for it" : null;
  return reading({table, rows: signals, rejected, notes, remark});
}
