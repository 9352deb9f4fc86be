import {messageOf, UserError} from "../../lib/errors.ts";

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
