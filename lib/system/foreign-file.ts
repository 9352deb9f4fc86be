import {closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync} from "node:fs";
import {type FileHandle, open, stat} from "node:fs/promises";
import {prettifyError, type z} from "zod";
import {messageOf, UserError} from "../errors.ts";

/** Without O_NONBLOCK, opening a named pipe would block until somebody writes to it; Windows has neither. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Files that are read whole (locks, metas, keys) are far smaller. */
const defaultMaxBytes = 64 * 2 ** 20;

/** A path leads to a folder, a named pipe, a socket or a device instead of a file. */
export class NotAFile extends UserError {}

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
 * The text of a small file. Throws as `openForeign` does, and a `UserError` for a file of more than
 * `maxBytes`.
 */
export async function readForeign(path: string, maxBytes: number = defaultMaxBytes): Promise<string> {
  await using file = await openForeign(path);
  requireSmall(path, await file.stat(), maxBytes);
  return file.readFile("utf8");
}

/** The content of a small JSON file, validated by a schema; null when it is absent, unreadable or invalid. */
export async function readForeignJson<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
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
  if (size > maxBytes) throw new UserError(`${path}: ${size} bytes; at most ${maxBytes} are read.`);
}

/**
 * Parses a JSON text whose member `format` says how to read it. Throws a `UserError` that begins with `path`
 * for text that is not JSON and for a value that does not match the schema (`name` is its noun). For another
 * format it throws one with the message that `refusal` returns.
 */
export function parseFormatted<Schema extends z.ZodType>(
  path: string,
  text: string,
  {
    schema,
    name,
    formats,
    refusal,
  }: {schema: Schema; name: string; formats: readonly unknown[]; refusal: (format: unknown) => string},
): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${path}: not JSON: ${messageOf(error)}`);
  }
  const found = (value as {format?: unknown} | null)?.format;
  if (!formats.includes(found)) throw new UserError(refusal(found));
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new UserError(`${path}: not ${name}:\n${prettifyError(parsed.error)}`);
  return parsed.data;
}
