import {expect, test} from "vitest";
import type {Job} from "../../pipeline/fetch/jobs/job.ts";
import {boundedFile} from "../../pipeline/fetch/jobs/paced-body.ts";

const mib = 2 ** 20;
/** Bytes that nobody reads, so that they take no memory. */
const bytes = Buffer.from(new ArrayBuffer(256 * mib));

/** How often the room on the disk was looked at while pieces of these lengths came. */
async function looks(...lengths: number[]): Promise<number> {
  let count = 0;
  const budget = {countBytes: () => undefined, fileBytes: 2 ** 40, checkRoom: async () => void count++};
  const job = {budget, say: () => undefined} as unknown as Job;
  async function* pieces() {
    for (const length of lengths) yield bytes.subarray(0, length);
  }
  const passed: number[] = [];
  for await (const piece of boundedFile(job, {address: "list.csv", before: 0, pieces: pieces()}))
    passed.push(piece.length);
  expect(passed).toEqual(lengths);
  return count;
}

test("the room on the disk is looked at after each 256 MiB of a file", async () => {
  expect(await looks(100 * mib, 156 * mib - 1)).toBe(0);
  expect(await looks(100 * mib, 156 * mib)).toBe(1);
  expect(await looks(256 * mib, 255 * mib, mib)).toBe(2);
});
