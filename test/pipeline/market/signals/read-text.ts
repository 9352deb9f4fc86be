import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {asOfDate} from "../../../../lib/models/build-facts.ts";
import type {AnyModel} from "../../../../lib/models/model.ts";
import {ModelRun} from "../../../../lib/models/model-run.ts";
import {recordModel} from "../../../../lib/models/record-model.ts";
import {openDatabase} from "../../../../lib/sql/duckdb.ts";
import {signals} from "../../../../pipeline/market/context/signal-context.ts";
import {openSignalFile} from "../../../../pipeline/market/documents/file-content.ts";
import type {SignalFeed} from "../../../../pipeline/market/feeds/feed.ts";
import {type ContextRules, contextSql} from "../../../../pipeline/market/signals/context.ts";
import type {ListContent} from "../../../../pipeline/market/signals/lists/list-tables.ts";
import {openList} from "../../../../pipeline/market/signals/lists/open-list.ts";
import type {
  ReadSignalFile,
  SignalInput,
  SignalReading,
} from "../../../../pipeline/market/signals/reading.ts";
import {futuresLicensed} from "../../../../pipeline/market/signals/signal-futures.ts";
import {signal_rejects, signalReadings} from "../../../../pipeline/market/signals/signal-tables.ts";
import type {RawFile} from "../../../../pipeline/raw/raw-files.ts";
import {ContextItem} from "../../../../schemas/market-answer.ts";
import {type SignalTable, signalFiles} from "../../../../schemas/signal-files.ts";

/** A file of a feed with the given content, as a reader gets it. Objects are written as JSON. */
export async function readText<Reading extends SignalReading>(
  reader: (input: SignalInput) => Reading,
  path: string,
  content: string | Buffer | object,
  {url, retrievedAt = "2026-11-20T06:00:00Z"}: {url?: string; retrievedAt?: string} = {},
): Promise<Reading> {
  const dir = mkdtempSync(join(tmpdir(), "signal-"));
  try {
    const absolutePath = join(dir, "file");
    const bytes = typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content);
    writeFileSync(absolutePath, bytes);
    const file: RawFile = {
      path: `market/${path}`,
      absolutePath,
      kind: "market",
      feedOrEntryId: path.split("/")[0]!,
      sizeBytes: bytes.length,
      sha256: "",
      meta: {retrieved_at: retrievedAt, ...(url === undefined ? {} : {url})},
      retrievedAt,
      retrievedAtFrom: "meta",
    };
    return reader({file, content: await openSignalFile(file, dir)});
  } finally {
    rmSync(dir, {recursive: true, force: true});
  }
}

/** A licence list or a roster with the given content, opened as a build opens it. Objects are written as JSON. */
export async function listContent(path: string, content: string | Buffer | object): Promise<ListContent> {
  const dir = mkdtempSync(join(tmpdir(), "list-"));
  try {
    const absolutePath = join(dir, "file");
    writeFileSync(
      absolutePath,
      typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    );
    return await openList({...listFile(path), absolutePath}, dir);
  } finally {
    rmSync(dir, {recursive: true, force: true});
  }
}

/** A file below `market/`, as a reader of lists gets it. */
export function listFile(path: string): RawFile {
  const facts = {kind: "market", sizeBytes: 1, sha256: "", meta: null, retrievedAtFrom: "meta"} as const;
  return {
    ...facts,
    path: `market/${path}`,
    absolutePath: "",
    feedOrEntryId: path.split("/")[0]!,
    retrievedAt: "2026-11-20T06:00:00Z",
  };
}

/** The values of the accepted rows, only with the named columns. */
export function valuesOf(reading: SignalReading, ...columns: string[]): unknown[][] {
  return reading.rows.map((values) => columns.map((column) => values[column]));
}

/** Reasons of the rejected rows, in order. */
export function reasonsOf(reading: SignalReading): string[] {
  return reading.rejected.map(({reason}) => reason);
}

/** A signal in a test; missing columns are null. */
export type SignalValue = Readonly<Record<string, unknown>>;

/** The rows of a signal table, in input order, after these files were read and the feed has completed them. */
export async function gathered(
  {source}: SignalFeed,
  table: SignalTable,
  files: readonly ReadSignalFile[],
  asOf = "2026-11-21",
): Promise<{rows: Record<string, unknown>[]; kept: Record<string, unknown>[]}> {
  const db = await openDatabase();
  try {
    const run = new ModelRun(db).give(asOfDate, asOf).give(futuresLicensed, true);
    run.give(
      signalReadings,
      files.map((file) => ({...file, source})),
    );
    await run.make(signals[table], signal_rejects);
    return {
      rows: await db.rows(`FROM signal_${table} ORDER BY seq`),
      kept: await db.rows("SELECT reject_reason, detail FROM signal_rejects ORDER BY ALL"),
    };
  } finally {
    db.close();
  }
}

/** A line of the table `context`; the item is that of the answers. */
type ContextLine = {
  key_type: string;
  key: string;
  signal: string;
  item: ContextItem | null;
  age_days: number | null;
};

/** The context of a feed from rows of its first table, and of the models that its rules read beside it. */
export async function contextOf(
  {context}: SignalFeed,
  rows: readonly SignalValue[],
  asOf: string,
  beside: readonly AnyModel[] = [],
): Promise<ContextLine[]> {
  const [{table}] = context as readonly [ContextRules];
  const db = await openDatabase();
  try {
    const more = [
      {name: "seq", type: "INTEGER", about: ""},
      {name: "is_current", type: "BOOLEAN", about: ""},
    ];
    const numbered = rows.map((row, seq) => ({source_id: "nws", is_current: true, ...row, seq}));
    await new ModelRun(db).make(
      recordModel({
        name: `signal_${table}`,
        columns: [...signalFiles[table].columns, ...more],
        rows: () => numbered,
      }),
      ...beside,
    );
    const rules = context!.filter((other) => other.table === table);
    const lines = await db.rows<Omit<ContextLine, "item"> & {item: string | null}>(
      `FROM (${contextSql(rules, asOf)}) ORDER BY key_type, key, item`,
    );
    return lines.map((line) => ({
      ...line,
      item: line.item === null ? null : ContextItem.parse(JSON.parse(line.item)),
    }));
  } finally {
    db.close();
  }
}
