import {expect, test} from "vitest";
import {hashedBytes, xxh32} from "../src/xxh32.ts";

/** The bytes in a buffer of their own. */
const hashed = (text: string) => hashedBytes(new Uint8Array(Buffer.from(text)).buffer);
const hashOf = (text: string, seed = 0) => xxh32(hashed(text), 0, Buffer.byteLength(text), seed).toString(16);

test("gives the published hashes of XXH32", () => {
  expect(hashOf("")).toBe("2cc5d05");
  expect(hashOf("a")).toBe("550d7456");
  expect(hashOf("abc")).toBe("32d153ff");
  expect(hashOf("Nobody inspects the spammish repetition")).toBe("e2293b2f");
});

test.each([
  [16, "9d2d8b62", "87f07303"],
  [19, "9d3050c7", "4a61c093"],
  [31, "89ee093d", "55bba210"],
  [32, "353145a3", "98804150"],
])(
  "hashes %i bytes as a plain program of another language does, with the seeds 0 and 7",
  (length, plain, seeded) => {
    const text = "abcdefghijklmnopqrstuvwxyz012345".slice(0, length);
    expect([hashOf(text), hashOf(text, 7)]).toEqual([plain, seeded]);
  },
);

test("hashes a part of the bytes as if it stood alone", () => {
  const whole = hashed("0123Nobody inspects the spammish repetition.");
  expect(xxh32(whole, 4, 43).toString(16)).toBe("e2293b2f");
});

test("gives another hash for each bit that turns over and for another seed", () => {
  const bytes = hashedBytes(new Uint8Array(256).map((_, i) => (i * 37) & 255).buffer);
  const hashes = new Set([xxh32(bytes, 0, 256), xxh32(bytes, 0, 256, 1)]);
  for (let bit = 0; bit < 2048; bit++) {
    bytes.bytes[bit >> 3]! ^= 1 << (bit & 7);
    hashes.add(xxh32(bytes, 0, 256));
    bytes.bytes[bit >> 3]! ^= 1 << (bit & 7);
  }
  expect(hashes.size).toBe(2050);
});
