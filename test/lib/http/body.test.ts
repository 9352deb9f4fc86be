import {Readable} from "node:stream";
import {brotliCompressSync, deflateSync, gzipSync} from "node:zlib";
import {expect, test} from "vitest";
import {bodyBytes, RefusedBody} from "../../../lib/http/body.ts";

const text = Buffer.from("An invented answer of a county. ".repeat(40));
/** A body that comes in three pieces. */
const inPieces = (bytes: Buffer) =>
  Readable.from([bytes.subarray(0, 5), bytes.subarray(5, 9), bytes.subarray(9)]);

const codings: readonly (readonly [string | undefined, Buffer])[] = [
  [undefined, text],
  ["", text],
  ["identity", text],
  ["gzip", gzipSync(text)],
  [" GZip ", gzipSync(text)],
  ["x-gzip", gzipSync(text)],
  ["deflate", deflateSync(text)],
  ["br", brotliCompressSync(text)],
];

test.each(codings)(
  "a body of the coding %j is read up to as many unpacked bytes as it may have",
  async (coding, sent) => {
    expect(await bodyBytes(inPieces(sent), coding, text.length)).toEqual(text);
    const tooLarge = inPieces(sent);
    await expect(bodyBytes(tooLarge, coding, text.length - 1)).rejects.toThrow(
      new RefusedBody("too_large", `more than ${text.length - 1} bytes`),
    );
    expect(tooLarge.destroyed).toBe(true);
  },
);

test.each([undefined, "gzip"])(
  "an endless body of the coding %j is left when it is too large",
  async (coding) => {
    const piece = coding === undefined ? text : gzipSync(Buffer.alloc(100_000));
    async function* endless() {
      for (;;) yield piece;
    }
    const body = Readable.from(endless());
    await expect(bodyBytes(body, coding, 1_000_000)).rejects.toThrow(RefusedBody);
    expect(body.destroyed).toBe(true);
  },
);

test("a coding that nobody can read is refused", async () => {
  await expect(bodyBytes(inPieces(text), "zstd, gzip", 1e6)).rejects.toThrow(RefusedBody);
});

test.each([undefined, "gzip"])(
  "the fault of a body that breaks is that of its reading, coding %j",
  async (coding) => {
    async function* broken() {
      yield gzipSync(text).subarray(0, 20);
      throw new Error("cut");
    }
    await expect(bodyBytes(Readable.from(broken()), coding, 1e6)).rejects.toThrow("cut");
  },
);
