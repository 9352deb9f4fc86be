import {closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync} from "node:fs";
import {type FileHandle, open, stat} from "node:fs/promises";
import {prettifyError, type z} from "zod";
import {messageOf, UserError} from "../errors.ts";

/** Without it the opening of a named pipe waits until somebody writes into it; Windows has neither. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Texts that are read whole (locks, metas, keys) are smaller by far. */
const usualBytes = 64 * 2 ** 20;

/** The fault of a path that leads to a folder, a named pipe, a socket or a device where a file was expected. */
export class NotAFile extends UserError {}

/**
 * Opens a file that others may have put there, for reading. It never waits: what is no regular file is a `NotAFile`, named with what
 * came, and nothing of it is read. Other faults are those of the system.
 */
export async function openForeign(path: string): Promise<FileHandle> {
  // The look before the opening keeps hands off devices, on which the opening itself may do something.
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

/** Gives the text of a small file. Throws as `openForeign` does, and a `UserError` for a file of more than `maxBytes`. */
export async function readForeign(path: string, maxBytes: number = usualBytes): Promise<string> {
  await using file = await openForeign(path);
  requireSmall(path, await file.stat(), maxBytes);
  return file.readFile("utf8");
}

/** Gives what a small file holds by a schema; null where it is absent, cannot be read or holds something else. */
export async function readForeignJson<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readForeign(path)));
  } catch {
    return null;
  }
}

/** The same as `readForeign`, at once. */
export function readForeignNow(path: string, maxBytes: number = usualBytes): string {
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

/** Gives in words what a path leads to: `a folder`, `a named pipe`. */
export function kindOf(stats: Pick<Stats, "isDirectory" | "isFIFO" | "isSocket" | "isSymbolicLink">): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return stats.isSymbolicLink() ? "a link" : "a device";
}

function requireFile(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new NotAFile(`${path}: ${kindOf(stats)} came, a file was expected.`);
}

function requireSmall(path: string, {size}: Stats, maxBytes: number): void {
  if (size > maxBytes) throw new UserError(`${path}: ${size} bytes came, at most ${maxBytes} are read.`);
}

/**
 * Gives the value of a JSON text that says by its member `format` how it is to be read. Throws a `UserError` that begins with `path` for
 * a text that is not JSON and for a value that breaks the schema (`name` is its noun), and one with the whole message that `refusal` gives
 * for another format.
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
