import {isUtf8} from "node:buffer";
import {writeFileSync} from "node:fs";
import {join} from "node:path";
import fc from "fast-check";
import {expect, test} from "vitest";
import {isUtf8File} from "../src/utf8-file.ts";
import {temporaryFolder} from "./temporary-folder.ts";

/** The judgement of bytes as a file in a folder. */
function isOneIn(folder: string) {
  const path = join(folder, "text");
  return (bytes: Buffer) => {
    writeFileSync(path, bytes);
    return isUtf8File(path);
  };
}
const letters = fc.constantFrom("a", "é", "€", "😀").map((letter) => Buffer.from(letter));
const damage = fc.constantFrom(0x80, 0xbf, 0xc3, 0xe2, 0xf0, 0xff).map((byte) => Buffer.of(byte));
const pieces = (content: fc.Arbitrary<Buffer>) =>
  fc.array(content, {maxLength: 12}).map((parts) => Buffer.concat(parts));

test("a file is UTF-8 when its bytes are", async () => {
  const isOne = isOneIn(temporaryFolder());
  const mixed = pieces(fc.oneof({arbitrary: letters, weight: 9}, {arbitrary: damage, weight: 1}));
  await fc.assert(
    fc.asyncProperty(mixed, async (bytes) => {
      expect(await isOne(bytes)).toBe(isUtf8(bytes));
    }),
  );
});

test("keeps a character whole across a chunk boundary", async () => {
  const isOne = isOneIn(temporaryFolder());
  const before = Buffer.alloc((1 << 20) - 6, "a");
  const around = fc.tuple(pieces(letters), fc.oneof(fc.constant(Buffer.alloc(0)), damage), pieces(letters));
  await fc.assert(
    fc.asyncProperty(around, async (parts) => {
      const bytes = Buffer.concat([before, ...parts]);
      expect(await isOne(bytes)).toBe(isUtf8(bytes));
    }),
    {numRuns: 60},
  );
});
