import {Readable} from "node:stream";
import {expect, test} from "vitest";
import {lineLimit} from "../../../server/mcp/line-limit.ts";

const limit = 2 ** 20;

/** What passes, and how many lines were refused. */
async function passed(chunks: Iterable<Buffer>): Promise<[text: string, refused: number]> {
  let refused = 0;
  const through = Readable.from(chunks).pipe(lineLimit(() => (refused += 1)));
  const pieces: Buffer[] = [];
  for await (const piece of through) pieces.push(piece as Buffer);
  return [Buffer.concat(pieces).toString(), refused];
}

/** Cuts a text at pseudo-random places. */
function* cut(text: string, seed: number): Generator<Buffer> {
  const bytes = Buffer.from(text);
  let state = seed;
  for (let at = 0; at < bytes.length; ) {
    state = (state * 48_271) % 2_147_483_647;
    const size = 1 + (state % 200_000);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  "lines pass whole however they are cut, and long ones are dropped (seed %i)",
  async (seed) => {
    const lengths = [0, 1, limit - 1, limit, limit + 1, 3 * limit, 17, limit + 1, limit];
    const lines = lengths.map((length, i) => String.fromCharCode(97 + i).repeat(length));
    const kept = lines.filter((line) => line.length <= limit);
    expect(await passed(cut(lines.map((line) => `${line}\n`).join(""), seed))).toEqual([
      kept.map((line) => `${line}\n`).join(""),
      3,
    ]);
  },
);

test("a line of 40 MB is refused once, and the next is read, also without a last line end", async () => {
  function* chunks() {
    for (let i = 0; i < 640; i += 1) yield Buffer.alloc(65_536, "x");
    yield Buffer.from('\n{"next":1}');
  }
  expect(await passed(chunks())).toEqual(['{"next":1}', 1]);
  expect(await passed([Buffer.alloc(limit + 1, "x")])).toEqual(["", 1]);
});
