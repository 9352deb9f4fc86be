import {expect, it} from "vitest";
import {withoutCulprits} from "../../../pipeline/market/build-market.ts";

const files = Array.from({length: 9}, (_, at) => `file ${at}`);

/** Makes the number of its files, unless a bad one is among them. */
function countsWithout(...bad: string[]): (chosen: readonly string[]) => Promise<number> {
  return async (chosen) => {
    const found = chosen.find((file) => bad.includes(file));
    if (found !== undefined) throw new Error(`stopped at ${found}`);
    return chosen.length;
  };
}

it("leaves out each file that stops the making and names it with its error", async () => {
  const {made, culprits} = await withoutCulprits(files, countsWithout("file 2", "file 7"), () => true);
  expect(made).toBe(7);
  expect([...culprits].map(([file, thrown]) => [file, (thrown as Error).message]).sort()).toEqual([
    ["file 2", "stopped at file 2"],
    ["file 7", "stopped at file 7"],
  ]);
});

it("throws an error that no file makes, and one that is none of a file's", async () => {
  const always = async () => {
    throw new Error("wrong registry");
  };
  await expect(withoutCulprits(files, always, () => true)).rejects.toThrow("wrong registry");
  await expect(withoutCulprits(files, countsWithout("file 2"), () => false)).rejects.toThrow("file 2");
});
