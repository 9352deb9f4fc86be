import {UserError} from "../errors.ts";
import {type HashedBytes, hashedBytes, xxh32} from "./xxh32.ts";

/** The error of a place of a published file that is not as it was written. */
export class DamagedFileError extends UserError {
  override name = "DamagedFileError";
  readonly path: string;

  /** `place` says what is damaged: `row 7`. */
  constructor(path: string, place: string) {
    super(`${path}: ${place} is damaged. Run "cattle verify".`);
    this.path = path;
  }
}

/** Bytes of a served file that have a checksum of their own in `checksums.arrow`; the last block of a file may be shorter. */
export const guardedBytes = 256;

/** The checksum of a block. Its number is the seed, so that another block of the file does not pass. */
export function blockSum(hashed: HashedBytes, at: {from: number; to: number; block: number}): number {
  return xxh32(hashed, at.from, at.to, at.block);
}

const guards = new WeakMap<ArrayBufferLike, BlockGuard>();
/** The guards that checked blocks in this turn of the event loop. */
const busy: BlockGuard[] = [];

/**
 * Checks the blocks of a mapped file when they are read (`docs/design/reliability.md` section 4.3). A block is checked when it is read
 * for the first time in a turn of the event loop, so that a byte that turns over later is found by the next question that reads it.
 */
export class BlockGuard {
  readonly #path: string;
  readonly #hashed: HashedBytes;
  readonly #sums: Uint32Array;
  /** One bit for each block, set when it was checked in this turn: bit `block & 31` of word `block >>> 5`. */
  readonly #checked: Int32Array;
  #inTurn: number[] = [];

  constructor(buffer: ArrayBuffer, {path, sums}: {path: string; sums: Uint32Array}) {
    this.#path = path;
    this.#hashed = hashedBytes(buffer);
    this.#sums = sums;
    this.#checked = new Int32Array((sums.length + 31) >>> 5);
  }

  /** Throws a `DamagedFileError` when the block of a byte is not as it was written. */
  at(byte: number): void {
    const block = Math.floor(byte / guardedBytes);
    if (!this.#isChecked(block)) this.#check(block);
  }

  /** Throws a `DamagedFileError` when a block of the bytes `from` to `to` is not as it was written. */
  range(from: number, to: number): void {
    const end = Math.ceil(to / guardedBytes);
    for (let block = Math.floor(from / guardedBytes); block < end; block++)
      if (!this.#isChecked(block)) this.#check(block);
  }

  /** Forgets which blocks were checked. */
  endTurn(): void {
    for (const block of this.#inTurn) this.#checked[block >>> 5] = 0;
    this.#inTurn = [];
  }

  #isChecked(block: number): boolean {
    return ((this.#checked[block >>> 5]! >>> (block & 31)) & 1) === 1;
  }

  #check(block: number): void {
    const from = block * guardedBytes;
    const to = Math.min(from + guardedBytes, this.#hashed.bytes.length);
    if (from >= to || blockSum(this.#hashed, {from, to, block}) !== this.#sums[block])
      throw new DamagedFileError(this.#path, `a byte from ${from} to ${to}`);
    if (this.#inTurn.length === 0) {
      if (busy.length === 0) setImmediate(endTurn);
      busy.push(this);
    }
    this.#checked[block >>> 5]! |= 1 << (block & 31);
    this.#inTurn.push(block);
  }
}

function endTurn(): void {
  for (const guard of busy) guard.endTurn();
  busy.length = 0;
}

/** Lets every reader of a buffer check what it reads by the checksums of its blocks. */
export function guardBuffer(buffer: ArrayBuffer, file: {path: string; sums: Uint32Array}): void {
  guards.set(buffer, new BlockGuard(buffer, file));
}

/** The guard of the file that a view is part of; null for private memory and for a file without checksums. */
export function guardOf(buffer: ArrayBufferLike): BlockGuard | null {
  return guards.get(buffer) ?? null;
}

/** Checks entries of a list that is a view of a file. Throws a `DamagedFileError` when one is not as it was written. */
export function checkEntries(list: Uint32Array, from = 0, to = list.length): void {
  const guard = guardOf(list.buffer);
  if (guard === null) return;
  const {byteOffset, BYTES_PER_ELEMENT} = list;
  guard.range(byteOffset + from * BYTES_PER_ELEMENT, byteOffset + to * BYTES_PER_ELEMENT);
}
