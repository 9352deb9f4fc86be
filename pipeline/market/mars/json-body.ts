import {createReadStream} from "node:fs";
import {type FileHandle, open} from "node:fs/promises";
import {join} from "node:path";
import {writeScratch} from "@open-cattle/safe-files";
import {matchColumns, missingColumns} from "../documents/column-aliases.ts";
import {isObject} from "../documents/json-values.ts";

/** Bytes to sample at each end of a body. */
const sampleBytes = 1 << 20;

/** The rows of a large answer in their own file, as an array of flat objects that all have the same members. */
export type BodyRows = {
  readonly path: string;
  readonly members: readonly string[];
  /** Row count that the answer states; 0 if it states none. */
  readonly stated: number;
};

/**
 * Cuts the array of rows out of `{…, "results": […]}` or `[{…, "results": […]}]`, or takes a bare array of rows, without
 * parsing the whole answer. Null if the ends of the file show anything else (sections, header rows, other members, no cattle
 * prices); such a body is read by `shapeOf`. Rows in the middle are assumed to have the members of those at the ends.
 */
export async function rowsOfBody(path: string, tempDir: string): Promise<BodyRows | null> {
  await using file = await open(path);
  const {size} = await file.stat();
  const head = await textAt(file, 0, Math.min(size, sampleBytes));
  const tail = await textAt(file, Math.max(0, size - sampleBytes), size);
  const before = /^\uFEFF?\s*\[?\s*\{[^[]*?"results"\s*:\s*(?=\[)/.exec(head)?.[0];
  const after = (before === undefined ? /\](\s*)$/ : /\](\s*\}\s*(?:\]\s*)?)$/).exec(tail)?.[1];
  if (after === undefined) return null;
  const members = membersOf([
    ...(recordsIn(head.slice(before?.length ?? 0).replace(/^\uFEFF?\s*\[/, ""), "head") ?? [null]),
    ...(recordsIn(tail.slice(0, tail.length - after.length - 1), "tail") ?? [null]),
  ]);
  if (members === null || !isPriced(members)) return null;
  if (before === undefined) return {path, members, stated: 0};
  const rows = join(tempDir, "rows.json");
  const ends = {start: Buffer.byteLength(before), end: size - Buffer.byteLength(after) - 1};
  await writeScratch(rows, createReadStream(path, ends));
  return {path: rows, members, stated: Number(/"returnedRows"\s*:\s*(\d+)/.exec(before)?.[1] ?? 0)};
}

async function textAt(file: FileHandle, from: number, to: number): Promise<string> {
  const {buffer} = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.toString("utf8");
}

/** The complete objects in a piece of an array, without a truncated row; null if the piece cannot be parsed. */
function recordsIn(piece: string, end: "head" | "tail"): unknown[] | null {
  const text =
    end === "head" ? piece.slice(0, piece.lastIndexOf("},") + 1) : piece.slice(piece.indexOf("},") + 2);
  try {
    return JSON.parse(`[${text}]`) as unknown[];
  } catch {
    // Not an error yet: the whole body is parsed next, which reports its faults.
    return null;
  }
}

/** The members that all records share, in order; null if one is not a flat object or has other members. */
function membersOf(records: readonly unknown[]): string[] | null {
  const [first] = records;
  if (!isObject(first)) return null;
  const members = Object.keys(first);
  const same = (record: unknown) =>
    isObject(record) &&
    Object.values(record).every((value) => typeof value !== "object" || value === null) &&
    Object.keys(record).join("\n") === members.join("\n");
  return records.every(same) ? members : null;
}

/** True for rows with all columns of a price row, including its report. */
function isPriced(members: readonly string[]): boolean {
  const match = matchColumns(members);
  return match.has("slug") && missingColumns(match, members) === null;
}
