import {FileError} from "./parcel-file.ts";

/** Limits on the growth of a compressed file, against decompression bombs. */
export type ExpansionLimits = {
  /** Maximum unpacked bytes of a raw file. */
  readonly totalBytes: number;
  /** Maximum unpacked bytes per packed byte; only enforced beyond `ratioFromBytes`. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
  /** Maximum members of an archive. */
  readonly members: number;
  /** Maximum bytes read into memory at once. */
  readonly memoryBytes: number;
};

/** 64 GiB is enough for any state's file. Deflate cannot exceed 1,032:1, and real tables stay below 100:1. */
export const expansionLimits: ExpansionLimits = {
  totalBytes: 64 * 2 ** 30,
  ratio: 250,
  ratioFromBytes: 256 * 2 ** 20,
  members: 10_000,
  memoryBytes: 2 ** 30,
};

/** Returns a counter for the bytes unpacked from a packed file, over all members; it throws a `FileError` beyond a limit. */
export function expansionCounter(path: string, packedBytes: number, limits: ExpansionLimits) {
  let total = 0;
  return (bytes: number): void => {
    total += bytes;
    if (total > limits.totalBytes) {
      throw new FileError(`${path}: unpacks to more than ${limits.totalBytes} bytes.`);
    }
    if (total > limits.ratioFromBytes && total > packedBytes * limits.ratio) {
      throw new FileError(`${path}: unpacks to more than ${limits.ratio} times its size.`);
    }
  };
}
