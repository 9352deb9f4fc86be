import {stat} from "node:fs/promises";
import {messageOf, UserError} from "../../lib/errors.ts";
import {BoundedChild} from "../../lib/process/bounded-child.ts";
import type {RawFile} from "./raw-files.ts";

/** Bounds of the growth of a packed file, against decompression bombs. */
export type ExpansionLimits = {
  /** Most unpacked bytes of one raw file. */
  readonly totalBytes: number;
  /** Most unpacked bytes per packed byte; it counts only beyond `ratioFromBytes`. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
  /** Most members of an archive. */
  readonly members: number;
  /** Most bytes that are read into memory at once. */
  readonly memoryBytes: number;
};

/** 64 GiB holds any state's file; deflate itself cannot pass 1,032 to 1, and real tables stay below 100 to 1. */
export const expansionLimits: ExpansionLimits = {
  totalBytes: 64 * 2 ** 30,
  ratio: 250,
  ratioFromBytes: 256 * 2 ** 20,
  members: 10_000,
  memoryBytes: 2 ** 30,
};

/** What a document may cost that somebody else made (`docs/design/reliability.md` section 2.1). */
const mebibyte = 2 ** 20;
const firstMs = 10_000;
const msPerMebibyte = 1_000;
const longestMs = 30 * 60_000;
const maxKib = 1.5 * mebibyte;
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
      return await this.#child.ask(task, {deadlineMs, maxKib});
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

/** Gives a counter of the bytes unpacked from one raw file, over all its members; it throws a `UserError` beyond a limit. */
export function expansionCounter(path: string, packedBytes: number, limits: ExpansionLimits) {
  let total = 0;
  return (bytes: number): void => {
    total += bytes;
    if (total > limits.totalBytes) {
      throw new UserError(`${path}: unpacks to more than ${limits.totalBytes} bytes.`);
    }
    if (total > limits.ratioFromBytes && total > packedBytes * limits.ratio) {
      throw new UserError(`${path}: unpacks to more than ${limits.ratio} times its size.`);
    }
  };
}

/**
 * True for a fault of the machine, such as a full disk: it has an error code of the operating system. Everything else that is
 * thrown while one file is read is put down to that file, so that no file stops the others.
 */
export function isSystemFault(thrown: unknown): boolean {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return (
    /^E[A-Z]+$/.test(code ?? "") || /No space left on device|Out of Memory Error/i.test(messageOf(thrown))
  );
}

/** The reason for which a file failed, with its path; of a fault that no reader foresaw the first line. */
export function faultOfFile(thrown: unknown, path: string): string {
  const text = messageOf(thrown);
  if (thrown instanceof UserError) return text.includes(path) ? text : `${path}: ${text}`;
  return `${path}: ${text.split("\n")[0]}`;
}
