import {expect, it} from "vitest";
import {skipFailingFiles} from "../../../pipeline/market/build-market.ts";

const files = Array.from({length: 9}, (_, at) => `file ${at}`);

/** Returns the number of its files, or throws if a bad one is among them. */
function countsWithout(...bad: string[]): (chosen: readonly string[]) => Promise<number> {
  return async (chosen) => {
    const found = chosen.find((file) => bad.includes(file));
    if (found !== undefined) throw new Error(`stopped at ${found}`);
    return chosen.length;
  };
}

it("skips each file that makes the build fail and reports its error", async () => {
  const {made, failing} = await skipFailingFiles(files, countsWithout("file 2", "file 7"), () => true);
  expect(made).toBe(7);
  expect([...failing].map(([file, thrown]) => [file, (thrown as Error).message]).sort()).toEqual([
    ["file 2", "stopped at file 2"],
    ["file 7", "stopped at file 7"],
  ]);
});

it("makes once more without any file, and rethrows an error that comes then too", async () => {
  const tries: number[] = [];
  const always = async (chosen: readonly string[]) => {
    tries.push(chosen.length);
    throw new Error("wrong registry");
  };
  await expect(skipFailingFiles(files, always, () => true)).rejects.toThrow("wrong registry");
  expect(tries).toEqual([9, 0]);
});

it("rethrows an error that no single file causes, and one that cannot be a file's fault", async () => {
  const many = async (chosen: readonly string[]) => {
    if (chosen.length > 5) throw new Error("too many files");
    return chosen.length;
  };
  await expect(skipFailingFiles(files, many, () => true)).rejects.toThrow("too many files");
  await expect(skipFailingFiles(files, countsWithout("file 2"), () => false)).rejects.toThrow("file 2");
});
