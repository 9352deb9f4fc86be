import {closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync} from "node:fs";
import {type FileHandle, open, stat} from "node:fs/promises";
import {FileFault} from "./file-fault.ts";

/** Without O_NONBLOCK, opening a named pipe would block until somebody writes to it; Windows has neither. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Files that are read whole are far smaller. */
const defaultMaxBytes = 64 * 2 ** 20;

/** A path leads to a folder, a named pipe, a socket or a device instead of a file. */
export class NotAFile extends FileFault {}

/**
 * Opens a file for reading that somebody else may have put there. It never blocks: anything but a regular
 * file is a `NotAFile` that says what was found, and is not read. Other errors are those of the system.
 */
export async function openForeign(path: string): Promise<FileHandle> {
  // Checking before opening too, because opening a device can itself have an effect.
  requireFile(path, await stat(path));
  const file = await open(path, flags);
  try {
    requireFile(path, await file.stat());
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The text of a small file. Throws as `openForeign` does, and a `FileFault` for a file of more than
 * `maxBytes`.
 */
export async function readForeign(path: string, maxBytes: number = defaultMaxBytes): Promise<string> {
  await using file = await openForeign(path);
  requireSmall(path, await file.stat(), maxBytes);
  return file.readFile("utf8");
}

/** The content of a small JSON file, checked by a schema; null when it is absent, unreadable or invalid. */
export async function readForeignJson<T>(
  path: string,
  schema: {parse(value: unknown): T},
): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readForeign(path)));
  } catch {
    return null;
  }
}

/** Synchronous `readForeign`. */
export function readForeignSync(path: string, maxBytes: number = defaultMaxBytes): string {
  requireFile(path, statSync(path));
  const descriptor = openSync(path, flags);
  try {
    const stats = fstatSync(descriptor);
    requireFile(path, stats);
    requireSmall(path, stats, maxBytes);
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Describes what a path leads to: `a folder`, `a named pipe`. */
export function kindOf(stats: Pick<Stats, "isDirectory" | "isFIFO" | "isSocket" | "isSymbolicLink">): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return stats.isSymbolicLink() ? "a link" : "a device";
}

function requireFile(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new NotAFile(`${path}: expected a file, got ${kindOf(stats)}.`);
}

function requireSmall(path: string, {size}: Stats, maxBytes: number): void {
  if (size > maxBytes) throw new FileFault(`${path}: ${size} bytes; at most ${maxBytes} are read.`);
}
