import {createReadStream} from "node:fs";
import {type FileHandle, open} from "node:fs/promises";
import {join} from "node:path";
import {writeScratch} from "@open-cattle/safe-files";
import {rowsOfAnswer} from "@open-cattle/usda-reports";

/** Bytes to sample at each end of a body. */
const sampleBytes = 1 << 20;

/** The rows of a large answer in their own file, as an array of flat objects that all have the same members. */
export type BodyRows = {
  readonly path: string;
  readonly members: readonly string[];
  /** Row count that the answer states; 0 if it states none. */
  readonly stated: number;
};

/** Cuts the array of rows out of an answer without parsing it; null where `rowsOfAnswer` finds none at its ends. */
export async function rowsOfBody(path: string, tempDir: string): Promise<BodyRows | null> {
  await using file = await open(path);
  const {size} = await file.stat();
  const head = await textAt(file, 0, Math.min(size, sampleBytes));
  const tail = await textAt(file, Math.max(0, size - sampleBytes), size);
  const found = rowsOfAnswer(head, tail, size);
  if (found === null) return null;
  const {members, stated, span} = found;
  if (span === null) return {path, members, stated};
  const rows = join(tempDir, "rows.json");
  await writeScratch(rows, createReadStream(path, span));
  return {path: rows, members, stated};
}

async function textAt(file: FileHandle, from: number, to: number): Promise<string> {
  const {buffer} = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.toString("utf8");
}
