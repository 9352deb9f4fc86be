import type {SignalTable} from "../../../schemas/signal-files.ts";
import type {RawFile} from "../../raw/raw-files.ts";
import {sourceOfFeed} from "../market-sources.ts";
import type {SignalReading, SignalRow} from "./reading.ts";

/** A signal as it goes into its table. */
export type GatheredRow = {
  readonly signal: string;
  readonly key: string;
  readonly valid_from: string;
  readonly source_id: string;
  readonly source_date: string | null;
  readonly ingested_at: string;
  readonly [column: string]: unknown;
};

export type ReadSignalFile = {readonly file: RawFile; readonly reading: SignalReading};

export type SignalTables = ReadonlyMap<SignalTable, readonly GatheredRow[]>;

export type Gathered = {
  readonly tables: SignalTables;
  /** Rows by path that became part of a row of the same key. */
  readonly merged: ReadonlyMap<string, number>;
};

type Kept = {row: GatheredRow; path: string};

/**
 * One row for each signal, key and first day: the one with the later source date, else of the file that was fetched
 * later. Of facilities and their permits the parts of several answers are put together, the newer value first.
 */
export function gather(files: readonly ReadSignalFile[]): Gathered {
  const gatherer = new Gatherer();
  const oldestFirst = [...files].sort((a, b) => compare(fetchOrder(a.file), fetchOrder(b.file)));
  for (const {file, reading} of oldestFirst) {
    for (const signal of reading.rows) gatherer.add(signal, file.path, gathered(signal, file));
  }
  return gatherer.result();
}

class Gatherer {
  private readonly tables = new Map<SignalTable, Map<string, Kept>>();
  private readonly merged = new Map<string, number>();

  /** Takes a row of the oldest file that is left: it replaces a known one unless its source date is earlier. */
  add({table}: SignalRow, path: string, row: GatheredRow): void {
    const kept = this.tables.get(table) ?? new Map<string, Kept>();
    this.tables.set(table, kept);
    const name = `${row.signal}\n${row.key}\n${row.valid_from}`;
    const known = kept.get(name);
    const newer = known === undefined || (row.source_date ?? "") >= (known.row.source_date ?? "");
    if (known !== undefined) {
      const loser = newer ? known.path : path;
      this.merged.set(loser, (this.merged.get(loser) ?? 0) + 1);
    }
    if (!newer) return;
    kept.set(name, {row: known !== undefined && table === "facilities" ? filled(row, known.row) : row, path});
  }

  result(): Gathered {
    const lists = [...this.tables].map(
      ([table, kept]) => [table, [...kept.values()].map(({row}) => row)] as const,
    );
    return {tables: new Map(lists), merged: this.merged};
  }
}

function gathered({values}: SignalRow, file: RawFile): GatheredRow {
  return {
    source_id: sourceOfFeed(file.unit),
    ...values,
    source_path: file.path,
    ingested_at: file.retrievedAt,
  };
}

function filled(newer: GatheredRow, older: GatheredRow): GatheredRow {
  const given = Object.entries(newer).filter(([, value]) => value !== null && value !== undefined);
  return {...older, ...Object.fromEntries(given)} as GatheredRow;
}

function fetchOrder({retrievedAt, path}: RawFile): string {
  return `${retrievedAt} ${path}`;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
