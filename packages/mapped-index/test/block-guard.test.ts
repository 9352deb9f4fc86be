import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setImmediate as nextTurn} from "node:timers/promises";
import {expect, onTestFinished, test} from "vitest";
import {
  checkEntries,
  DamagedFileError,
  fileBlockSums,
  guardBuffer,
  guardedBytes,
  guardOf,
  guardOpened,
} from "../src/block-guard.ts";

/** A guarded file of three blocks, of which the last one is short. */
function guarded() {
  const length = 2 * guardedBytes + 12;
  const bytes = new Uint8Array(length).map((_, i) => (i * 31) & 255);
  guardOpened(bytes.buffer, "keys.arrow");
  return {bytes, guard: guardOf(bytes.buffer)!};
}

function faultOf(act: () => unknown): DamagedFileError | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof DamagedFileError) return error;
    throw error;
  }
  return undefined;
}

test("names the file and the block of a byte that is not as it was written, and passes the other blocks", () => {
  const {bytes, guard} = guarded();
  bytes[guardedBytes + 5]! ^= 1;
  expect(() => guard.range(0, guardedBytes)).not.toThrow();
  expect(() => guard.at(guardedBytes * 2 + 11)).not.toThrow();
  expect(faultOf(() => guard.at(guardedBytes))).toMatchObject({
    message: `keys.arrow: a byte from ${guardedBytes} to ${guardedBytes * 2} is damaged.`,
    path: "keys.arrow",
    block: {number: 1, offset: guardedBytes},
    code: "damaged",
  });
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

test("takes the checksums of a file by reading it, which say the same of the mapped file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "guard-"));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const path = join(folder, "large");
  // More than one read.
  const bytes = new Uint8Array(5 * 2 ** 20 + 7).map((_, i) => (i * 31) >>> 3);
  writeFileSync(path, bytes);
  const sums = await fileBlockSums(path);
  expect(sums.length).toBe(Math.ceil(bytes.length / guardedBytes));
  guardBuffer(bytes.buffer, {path, sums});
  const guard = guardOf(bytes.buffer)!;
  expect(() => guard.range(0, bytes.length)).not.toThrow();
  bytes[bytes.length - 1]! ^= 1;
  await nextTurn();
  await nextTurn();
  expect(() => guard.range(0, bytes.length)).toThrow("is damaged");
});
