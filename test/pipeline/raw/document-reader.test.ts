import {expect, test} from "vitest";
import {deadlineOf, maxOutputBytes} from "../../../pipeline/raw/document-reader.ts";

const mib = 1_048_576;

test("a document may take 10 s and a second for each MiB, at most half an hour", () => {
  expect([0, mib, 5 * mib].map(deadlineOf)).toEqual([10_000, 11_000, 15_000]);
  expect([1789, 1790, 1791].map((size) => deadlineOf(size * mib))).toEqual([1_799_000, 1_800_000, 1_800_000]);
});

test("a document may bring 64 times its bytes, a small one 64 MiB", () => {
  expect([0, mib, mib + 1].map(maxOutputBytes)).toEqual([64 * mib, 64 * mib, 64 * mib + 64]);
});
