import {setImmediate as nextTurn} from "node:timers/promises";
import {expect, test} from "vitest";
import {
  blockSum,
  checkEntries,
  guardBuffer,
  guardedBytes,
  guardOf,
} from "../../../lib/storage/block-guard.ts";
import {hashedBytes} from "../../../lib/storage/xxh32.ts";

/** A guarded file of three blocks, of which the last one is short. */
function guarded() {
  const length = 2 * guardedBytes + 12;
  const bytes = new Uint8Array(length).map((_, i) => (i * 31) & 255);
  const hashed = hashedBytes(bytes.buffer);
  const sums = Uint32Array.from([0, 1, 2], (block) => {
    const from = block * guardedBytes;
    return blockSum(hashed, {from, to: Math.min(from + guardedBytes, length), block});
  });
  guardBuffer(bytes.buffer, {path: "keys.arrow", sums});
  return {bytes, guard: guardOf(bytes.buffer)!};
}

test("names the file and the block of a byte that is not as it was written, and passes the other blocks", () => {
  const {bytes, guard} = guarded();
  bytes[guardedBytes + 5]! ^= 1;
  expect(() => guard.range(0, guardedBytes)).not.toThrow();
  expect(() => guard.at(guardedBytes * 2 + 11)).not.toThrow();
  expect(() => guard.at(guardedBytes)).toThrow(
    `keys.arrow: a byte from ${guardedBytes} to ${guardedBytes * 2} is damaged. Run "cattle verify".`,
  );
  expect(() => guard.range(guardedBytes - 1, guardedBytes + 1)).toThrow("is damaged");
});

test("checks a block again in the next turn of the event loop", async () => {
  const {bytes, guard} = guarded();
  guard.at(0);
  bytes[7]! ^= 128;
  await nextTurn();
  await nextTurn();
  expect(() => guard.at(0)).toThrow("is damaged");
});

test("checks the entries of a list that is a view of a file, and none of a list in private memory", () => {
  const {bytes} = guarded();
  const list = new Uint32Array(bytes.buffer);
  bytes[guardedBytes]! ^= 1;
  expect(() => checkEntries(list, 0, guardedBytes / 4)).not.toThrow();
  expect(() => checkEntries(list, 0, guardedBytes / 4 + 1)).toThrow("is damaged");
  expect(() => checkEntries(list.slice())).not.toThrow();
});

test("refuses bytes beyond the checksums", () => {
  const {guard} = guarded();
  expect(() => guard.at(3 * guardedBytes)).toThrow("is damaged");
});
