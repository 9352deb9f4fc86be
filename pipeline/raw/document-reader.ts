import {stat} from "node:fs/promises";
import {isUserError, messageOf, UserError} from "../../lib/errors.ts";
import {SqlError} from "../../lib/sql/sql-error.ts";
import {BoundedChild} from "../../lib/system/bounded-child.ts";
import type {RawFile} from "./raw-files.ts";

/** Limits for reading a document made by others (`docs/design/reliability.md` section 2.1). */
const mebibyte = 2 ** 20;
const firstMs = 10_000;
const msPerMebibyte = 1_000;
const longestMs = 30 * 60_000;
const maxKib = 1.5 * mebibyte;
/** Maximum bytes extracted per byte of a document; small ones are always allowed `minOutputBytes`. */
const maxOutput = 64;
const minOutputBytes = 64 * mebibyte;

type DocumentPlace = {
  readonly path: string;
  readonly shownPath: string;
  readonly fault?: string | undefined;
  /** Bytes of the document with the files that belong to it, where it is more than one. */
  readonly bytes?: number;
};

/** Returns the location of a raw file for the reader. */
export function placeOf({
  absolutePath,
  path,
  fault,
}: Pick<RawFile, "absolutePath" | "path" | "fault">): DocumentPlace {
  return {path: absolutePath, shownPath: path, fault};
}

/** Reads documents in a child process, with limits on time, memory and output. */
export class DocumentReader {
  readonly #child: BoundedChild;

  constructor(program: URL) {
    this.#child = new BoundedChild(program);
  }

  /**
   * Returns the result of a task on a file. Throws a `UserError` that names `shownPath` if the file exceeds a limit or is already
   * known to be unreadable; rethrows what the task throws, whose messages name the file themselves.
   */
  async read(task: object, {path, shownPath, fault, bytes}: DocumentPlace): Promise<unknown> {
    if (fault !== undefined) throw new UserError(fault);
    const deadlineMs = deadlineOf(bytes ?? (await stat(path)).size);
    try {
      return await this.#child.ask(task, {deadlineMs, maxKib});
    } catch (error) {
      if (!isUserError(error) || error.code !== "task_limit") throw error;
      throw new UserError(`${shownPath}: ${messageOf(error)}`);
    }
  }
}

/** Processor time that reading a document of this size may take. */
export function deadlineOf(size: number): number {
  return Math.min(longestMs, firstMs + (size / mebibyte) * msPerMebibyte);
}

/** Maximum bytes that may be extracted from a document of this size. */
export function maxOutputBytes(size: number): number {
  return Math.max(minOutputBytes, maxOutput * size);
}

/**
 * True for a fault of the machine, such as a full disk, recognised by the error's code. Any other error while reading a file is attributed
 * to that file, so that no file stops the others.
 */
export function isSystemFault(thrown: unknown): boolean {
  if (thrown instanceof SqlError) return thrown.isOfMachine;
  return thrown instanceof Error && /^E[A-Z]+$/.test((thrown as NodeJS.ErrnoException).code ?? "");
}

/** Words why a file failed, including its path; for an unforeseen error its first line. */
export function faultOfFile(thrown: unknown, path: string): string {
  const text = messageOf(thrown);
  if (isUserError(thrown)) return text.includes(path) ? text : `${path}: ${text}`;
  return `${path}: ${text.split("\n")[0]}`;
}
