import {stat} from "node:fs/promises";
import {messageOf, UserError} from "../../lib/errors.ts";
import {BoundedChild} from "../../lib/process/bounded-child.ts";
import type {RawFile} from "./raw-files.ts";

/** What a document may cost that somebody else made (`docs/design/reliability.md` section 2.1). */
const mebibyte = 2 ** 20;
const firstMs = 10_000;
const msPerMebibyte = 1_000;
const longestMs = 30 * 60_000;
const mostKib = 1.5 * mebibyte;
/** Bytes that are read out of a document, for each of its own; a small one may always have some. */
const mostOutput = 64;
const leastOutputBytes = 64 * mebibyte;

type DocumentPlace = {readonly path: string; readonly shown: string; readonly fault?: string | undefined};

/** Gives the place of a raw file for its reading. */
export function placeOf({
  absolutePath,
  path,
  fault,
}: Pick<RawFile, "absolutePath" | "path" | "fault">): DocumentPlace {
  return {path: absolutePath, shown: path, fault};
}

/** Reads documents in a process of its own, within bounds of time, memory and output. */
export class DocumentReader {
  readonly #child: BoundedChild;

  constructor(program: URL) {
    this.#child = new BoundedChild(program);
  }

  /**
   * Gives the result of a task on a file. Throws a `UserError` that begins with the shown path for a file past its bounds and for one of
   * which the build knows already that it must not be read, and what the task throws.
   */
  async read(task: object, {path, shown, fault}: DocumentPlace): Promise<unknown> {
    if (fault !== undefined) throw new UserError(fault);
    const {size} = await stat(path);
    const deadlineMs = Math.min(longestMs, firstMs + (size / mebibyte) * msPerMebibyte);
    try {
      return await this.#child.ask(task, {deadlineMs, mostKib});
    } catch (error) {
      if (!(error instanceof UserError) || error.message.startsWith(shown)) throw error;
      throw new UserError(`${shown}: ${messageOf(error)}`);
    }
  }
}

/** The most bytes that may be read out of a document of so many bytes. */
export function mostOutputBytes(size: number): number {
  return Math.max(leastOutputBytes, mostOutput * size);
}
