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

export type ReadFile = {readonly file: RawFile; readonly reading: SignalReading};

export type Gathered = {
  readonly tables: ReadonlyMap<SignalTable, GatheredRow[]>;
  /** Rows by path that became part of a row of the same key. */
  readonly merged: ReadonlyMap<string, number>;
};

type Kept = {row: GatheredRow; path: string};

/**
 * One row for each signal, key and first day: the one with the later source date, else of the file that was fetched
 * later. Of facilities and their permits the parts of several answers are put together, the newer value first.
 */
export function gather(files: readonly ReadFile[]): Gathered {
  const tables = new Map<SignalTable, Map<string, Kept>>();
  const merged = new Map<string, number>();
  const oldestFirst = [...files].sort((a, b) => compare(fetchOrder(a.file), fetchOrder(b.file)));
  for (const {file, reading} of oldestFirst) {
    for (const signal of reading.rows) {
      const kept = tables.get(signal.table) ?? new Map<string, Kept>();
      tables.set(signal.table, kept);
      const row = gathered(signal, file);
      const name = `${row.signal}\n${row.key}\n${row.valid_from}`;
      const known = kept.get(name);
      if (known === undefined) {
        kept.set(name, {row, path: file.path});
        continue;
      }
      const newer = (row.source_date ?? "") >= (known.row.source_date ?? "");
      const loser = newer ? known.path : file.path;
      merged.set(loser, (merged.get(loser) ?? 0) + 1);
      if (newer)
        kept.set(name, {row: signal.table === "facilities" ? filled(row, known.row) : row, path: file.path});
    }
  }
  const lists = [...tables].map(([table, kept]) => [table, [...kept.values()].map(({row}) => row)] as const);
  return {tables: new Map(lists), merged};
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
