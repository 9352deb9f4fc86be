import type {MarketSourceId} from "../../../schemas/market-source.ts";
import type {SignalTable} from "../../../schemas/signal-files.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import type {SignalContent} from "./content.ts";

/**
 * A signal as a reader makes it, with the columns of its table. The day of `valid_from` is its `source_date` where a reader gives none;
 * `source_id` is set where the rows of a feed belong to several registry ids, and `note` is a name under which reports count such rows.
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
  /** Place of the row in its file, from 1. */
  readonly ordinal: number;
  /** The row as it came; null where a row may hold what must not leave (names on licence lists). */
  readonly raw: unknown;
};

/** The outcome of reading a file: each row that came is in `rows`, `rejected`, `merged` or `otherAccepted`. */
export type SignalReading = {
  /** The table of the rows; null for a file without rows of any. */
  readonly table: SignalTable | null;
  readonly rows: readonly SignalValues[];
  readonly rejected: readonly RejectedRow[];
  /** Rows that became part of another row, such as the classes of one county. */
  readonly merged: number;
  /** Rows that were understood and are no signals: column descriptions, entries of a list of reports. */
  readonly otherAccepted: number;
  readonly notes: Readonly<Record<string, number>>;
  /** Set for a file that was read but holds nothing of use, with the reason. */
  readonly remark: string | null;
};

export type ReadSignalFile = {readonly file: RawFile; readonly reading: SignalReading};
export type SignalInput = {readonly file: RawFile; readonly content: SignalContent};

/**
 * Reads one file of a feed. Throws a UserError with place, what came and what was expected for a file that it cannot read;
 * nothing of that file is then kept.
 */
export type SignalReader = (input: SignalInput) => SignalReading;

/** A reading with the given parts; the others are empty. */
export function reading(part: Partial<SignalReading>): SignalReading {
  return {table: null, rows: [], rejected: [], merged: 0, otherAccepted: 0, notes: {}, remark: null, ...part};
}

class RowFault extends Error {}

/** Rejects the row that is being read, with a reason that reports count and words of what came and what was expected. */
export function reject(reason: string, detail: string): never {
  throw new RowFault(detail, {cause: reason});
}

type ReadOptions<Row> = {
  /** Gives what the quarantine keeps of a row: the row, or null for nothing. */
  readonly rawOf?: (row: Row) => unknown;
  /** Says of a row whether it stands apart from an earlier one of its key, as `<key>#2`; without it rows of one key are one signal. */
  readonly hasTwins?: (row: Row) => boolean;
};

/** Reads rows one by one: each is accepted or rejected with its place. */
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

/** Reads rows with one signal each into a table. */
export function readRows<Row>(
  table: SignalTable,
  rows: readonly Row[],
  read: (row: Row) => SignalValues,
  options: ReadOptions<Row> = {},
): SignalReading {
  const {hasTwins = () => false} = options;
  const {accepted, rejected} = readEach(
    rows,
    (row) => ({isApart: hasTwins(row), values: read(row)}),
    options,
  );
  const notes: Record<string, number> = {};
  const seen = new Map<string, number>();
  const signals = accepted.map(({isApart, values: {note, key, ...values}}) => {
    if (note != null) notes[note] = (notes[note] ?? 0) + 1;
    const name = `${key} ${values.valid_from}`;
    const twin = (seen.get(name) ?? 0) + 1;
    seen.set(name, twin);
    const own = isApart && twin > 1 ? `${key}#${twin}` : key;
    return {source_date: values.valid_from.slice(0, 10), ...values, key: own} as SignalValues;
  });
  const remark = rows.length === 0 ? "the file has no rows; nothing was deleted for it" : null;
  return reading({table, rows: signals, rejected, notes, remark});
}
