import {gzipSync} from "node:zlib";
import {expect, test} from "vitest";
import {marsAnswer, marsRow, withReading} from "./raw-folder.ts";

const blanks = " ".repeat(2 ** 20);
/** Concatenated gzip members are one file, so each piece is compressed once. */
const packed = (head: string, piece: string, times: number, tail: string) =>
  Buffer.concat([gzipSync(head), ...Array.from({length: times}, () => gzipSync(piece)), gzipSync(tail)]);

const hostile = {
  // Forty million lists: 120 MB of text, and ten times as much memory.
  "mars/lists.json.gz": packed("[", "[],".repeat(400_000), 100, "[]]"),
  // Its end once made a regular expression backtrack over a million blanks.
  "mars/blanks.json": `{"results": [${blanks.repeat(8)}{}]}${blanks}x`,
  "mars/names.csv": `${"a,".repeat(30_000)}a\n1`,
  "ams-text/noise.txt": "Report for ".repeat(200_000),
};

test("refuses price files that exceed the limits, naming them, and reads the others", async () => {
  const good = {"mars/good.json": marsAnswer([marsRow()])};
  await withReading({files: {...hostile, ...good}}, async ({report}) => {
    const reasons = Object.keys(hostile).map((path) => {
      const {status, reason, path: named} = report(path);
      expect([status, reason]).toEqual(["failed", expect.stringContaining(named)]);
      return reason;
    });
    expect(reasons).toEqual([
      expect.stringMatching(/(reading it ended its process|takes more than \d+ (s|MiB of memory))\.$/),
      expect.stringContaining("not valid JSON"),
      expect.stringContaining("30001 columns; at most 1000 are read"),
      expect.stringContaining('"Report for'),
    ]);
    expect(report("mars/good.json")).toMatchObject({status: "read", accepted: 1});
  });
});
