import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import type {SignalFeed} from "../../../../pipeline/market/feeds/feed.ts";
import {openText} from "../../../../pipeline/market/signals/content.ts";
import {type ContextRow, contextRows} from "../../../../pipeline/market/signals/context.ts";
import type {ListContent} from "../../../../pipeline/market/signals/lists/list-tables.ts";
import {openList} from "../../../../pipeline/market/signals/lists/open-list.ts";
import type {GatheredRow, SignalInput, SignalReading} from "../../../../pipeline/market/signals/reading.ts";
import type {RawFile} from "../../../../pipeline/raw/raw-files.ts";

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
      side: "market",
      unit: path.split("/")[0]!,
      sizeBytes: bytes.length,
      sha256: "",
      meta: {retrieved_at: retrievedAt, ...(url === undefined ? {} : {url})},
      retrievedAt,
      retrievedAtFrom: "meta",
    };
    return reader({file, content: (await openText(file))!});
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
    return (await openList({...listFile(path), absolutePath}, dir))!;
  } finally {
    rmSync(dir, {recursive: true, force: true});
  }
}

/** A file below `market/`, as a reader of lists gets it. */
export function listFile(path: string): RawFile {
  const facts = {side: "market", sizeBytes: 1, sha256: "", meta: null, retrievedAtFrom: "meta"} as const;
  return {
    ...facts,
    path: `market/${path}`,
    absolutePath: "",
    unit: path.split("/")[0]!,
    retrievedAt: "2026-11-20T06:00:00Z",
  };
}

/** The values of the accepted rows, only with the named columns. */
export function valuesOf(reading: SignalReading, ...columns: string[]): unknown[][] {
  return reading.rows.map(({values}) => columns.map((column) => values[column]));
}

/** Reasons of the rejected rows, in order. */
export function reasonsOf(reading: SignalReading): string[] {
  return reading.rejected.map(({reason}) => reason);
}

/** The context of a feed from rows of its table; `current` has the paths of the newest fetches. */
export function contextOf(
  {context, source}: SignalFeed,
  rows: readonly GatheredRow[],
  asOf: string,
  current: readonly string[] = [],
): ContextRow[] {
  return contextRows(context!, {rows, source, setting: {asOf, current: new Set(current)}});
}
