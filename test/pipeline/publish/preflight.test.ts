import {mkdirSync, readdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {expect, test} from "vitest";
import {dataFolder} from "../../../lib/storage/data-folder.ts";
import {
  bytesNeeded,
  checkFileSystem,
  checkFreeSpace,
  freeBytes,
  sweepProbes,
} from "../../../pipeline/parts/preflight.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

const mebibyte = 2 ** 20;
const needed = (...files: [string, number][]) =>
  bytesNeeded(files.map(([path, sizeBytes]) => ({path, sizeBytes})));

test.each([
  ["p.csv", 4],
  ["p.gz.csv", 4],
  ["p.csv.gz", 12],
  ["P.ZIP", 12],
  ["p.parquet", 12],
])("allows a build %d times the bytes of its %s, plus a third", (path, factor) => {
  expect(needed([path, 100 * mebibyte])).toBe(Math.ceil(100 * mebibyte * factor * 1.3));
});

test("a build needs the sum over its files, and 64 MiB at least", () => {
  expect(needed(["a.csv", 100 * mebibyte], ["b.zip", mebibyte])).toBe(Math.ceil(412 * mebibyte * 1.3));
  expect([needed(), needed(["a.csv", mebibyte])]).toEqual([64 * mebibyte, 64 * mebibyte]);
});

test("refuses a build that may need more than the free space, stating both figures", async () => {
  const folder = dataFolder(temporaryFolder());
  mkdirSync(folder.builds, {recursive: true});
  const free = await freeBytes(folder.builds);
  expect(free).toBeGreaterThan(0);
  await expect(checkFreeSpace(folder, 1)).resolves.toBeUndefined();
  await expect(checkFreeSpace(folder, 2 ** 60)).rejects.toThrow(
    / [1-9]\d* MiB free, this build may need 1099511627776 MiB/,
  );
});

test("probing a folder creates it and leaves nothing; the next build removes probes of a killed process", async () => {
  const folder = dataFolder(temporaryFolder());
  await checkFileSystem(folder, false);
  expect(readdirSync(folder.builds)).toEqual([]);
  for (const name of [".probe-12ab", ".probe-12ab-link", "20261121-abcdef", ".other"])
    writeFileSync(join(folder.builds, name), "");
  await sweepProbes(folder);
  expect(readdirSync(folder.builds).sort()).toEqual([".other", "20261121-abcdef"]);
});
