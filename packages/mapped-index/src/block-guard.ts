import {type FileHandle, open} from "node:fs/promises";
import {FileFault} from "@open-cattle/safe-files";
import {type HashedBytes, hashedBytes, xxh32} from "./xxh32.ts";

/** Part of a file differs from what was written; its code is `damaged`. */
export class DamagedFileError extends FileFault {
  override name = "DamagedFileError";
  readonly path: string;
  /** The damaged block and its first byte; null where a row or a name is damaged. */
  readonly block: {readonly number: number; readonly offset: number} | null;

  /** `place` names the damaged part: `row 7`. */
  constructor(path: string, place: string, block: DamagedFileError["block"] = null) {
    super(`${path}: ${place} is damaged.`, {code: "damaged"});
    this.path = path;
    this.block = block;
  }
}

/** Size of the blocks that have a checksum each; a file's last block may be shorter. */
export const guardedBytes = 256;

/** Size of a read. */
const readBytes = 16 * 1024 * guardedBytes;

/** The checksum of a block, seeded with its number so that another block of the file does not match. */
function blockSum(hashed: HashedBytes, at: {from: number; to: number; block: number}): number {
  return xxh32(hashed, at.from, at.to, at.block);
}

const guards = new WeakMap<ArrayBufferLike, BlockGuard>();
/** Guards that checked a block in this turn of the event loop. */
const busy: BlockGuard[] = [];

/**
 * Verifies the blocks of a mapped file on read (`docs/design/reliability.md` section 4.3). A block is
 * verified at its first read in each turn of the event loop, so that a bit that flips later is noticed by the
 * next request that reads it.
 */
export class BlockGuard {
  readonly #path: string;
  readonly #hashed: HashedBytes;
  readonly #sums: Uint32Array;
  /** One bit per block, set when it was verified in this turn: bit `block & 31` of word `block >>> 5`. */
  readonly #checked: Int32Array;
  /** The blocks verified in this turn, in the first `#count` places. */
  #inTurn = new Uint32Array(64);
  #count = 0;

  constructor(buffer: ArrayBuffer, {path, sums}: {path: string; sums: Uint32Array}) {
    this.#path = path;
    this.#hashed = hashedBytes(buffer);
    this.#sums = sums;
    this.#checked = new Int32Array((sums.length + 31) >>> 5);
  }

  /** Throws a `DamagedFileError` when the block of this byte is damaged. */
  at(byte: number): void {
    const block = Math.floor(byte / guardedBytes);
    if (!this.#isChecked(block)) this.#check(block);
  }

  /** Throws a `DamagedFileError` when a block of the bytes `from` to `to` is damaged. */
  range(from: number, to: number): void {
    const end = Math.ceil(to / guardedBytes);
    for (let block = Math.floor(from / guardedBytes); block < end; block++)
      if (!this.#isChecked(block)) this.#check(block);
  }

  /** Forgets which blocks were verified. */
  endTurn(): void {
    for (let i = 0; i < this.#count; i++) this.#checked[this.#inTurn[i]! >>> 5] = 0;
    this.#count = 0;
  }

  #isChecked(block: number): boolean {
    return ((this.#checked[block >>> 5]! >>> (block & 31)) & 1) === 1;
  }

  #check(block: number): void {
    const from = block * guardedBytes;
    const to = Math.min(from + guardedBytes, this.#hashed.bytes.length);
    if (from >= to || blockSum(this.#hashed, {from, to, block}) !== this.#sums[block])
      throw new DamagedFileError(this.#path, `a byte from ${from} to ${to}`, {number: block, offset: from});
    if (this.#count === 0) {
      if (busy.length === 0) setImmediate(endTurn);
      busy.push(this);
    }
    this.#checked[block >>> 5]! |= 1 << (block & 31);
    if (this.#count === this.#inTurn.length) this.#grow();
    this.#inTurn[this.#count++] = block;
  }

  #grow(): void {
    const wider = new Uint32Array(2 * this.#inTurn.length);
    wider.set(this.#inTurn);
    this.#inTurn = wider;
  }
}

function endTurn(): void {
  for (let i = 0; i < busy.length; i++) busy[i]!.endTurn();
  busy.length = 0;
}

/** Makes all readers of a buffer verify what they read against the block checksums. */
export function guardBuffer(buffer: ArrayBuffer, file: {path: string; sums: Uint32Array}): void {
  guards.set(buffer, new BlockGuard(buffer, file));
}

/** The same for a file without stored checksums, which are taken here: its bytes were just found to be right. */
export function guardOpened(buffer: ArrayBuffer, path: string): void {
  const sums = new Uint32Array(Math.ceil(buffer.byteLength / guardedBytes));
  sumBlocks(hashedBytes(buffer), buffer.byteLength, sums);
  guardBuffer(buffer, {path, sums});
}

/** The checksums of the blocks of a file, by plain reads. Rejects when it cannot be read. */
export async function fileBlockSums(path: string): Promise<Uint32Array<ArrayBuffer>> {
  await using file = await open(path);
  const {size} = await file.stat();
  const sums = new Uint32Array(Math.ceil(size / guardedBytes));
  const read = hashedBytes(new ArrayBuffer(Math.min(readBytes, size)));
  for (let at = 0; at < size; at += read.bytes.length) {
    const length = Math.min(read.bytes.length, size - at);
    await fill(file, read.bytes.subarray(0, length), at);
    sumBlocks(read, length, sums, at / guardedBytes);
  }
  return sums;
}

/** Takes the checksums of the first `length` bytes, which begin with the block `first` of their file. */
function sumBlocks(hashed: HashedBytes, length: number, sums: Uint32Array, first = 0): void {
  for (let from = 0, block = first; from < length; from += guardedBytes, block++)
    sums[block] = blockSum(hashed, {from, to: Math.min(from + guardedBytes, length), block});
}

async function fill(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const {bytesRead} = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Error(`the file ended at byte ${position + done}`);
    done += bytesRead;
  }
}

/** The guard of the file behind a view; null for private memory and for a file without checksums. */
export function guardOf(buffer: ArrayBufferLike): BlockGuard | null {
  return guards.get(buffer) ?? null;
}

/** Verifies entries of a list that is a view of a file. Throws a `DamagedFileError` when one is damaged. */
export function checkEntries(list: Uint32Array, from = 0, to = list.length): void {
  const guard = guardOf(list.buffer);
  if (guard === null) return;
  const {byteOffset, BYTES_PER_ELEMENT} = list;
  guard.range(byteOffset + from * BYTES_PER_ELEMENT, byteOffset + to * BYTES_PER_ELEMENT);
}
