import {readFileSync} from "node:fs";
import {isDeepStrictEqual} from "node:util";
import {FileFault} from "@open-cattle/safe-files";
import {Bool, Field, Float64, List, Uint8, Uint32, Utf8, vectorFromArray} from "apache-arrow";
import {expect, test} from "vitest";
import {
  checkEntries,
  DamagedFileError,
  guardOf,
  guardOpened,
  openArrowTable,
  openKeyIndex,
  openSpatialIndex,
  openTermIndex,
  writeSpatialIndex,
} from "../src/index.ts";
import {arrowBytes, temporaryFile} from "./arrow-file.ts";

const numbers = [...Array(3_000).keys()];
const words = numbers.map((i) => `K${10_000 + i}`);
const texts = vectorFromArray(words, new Utf8());

const tableBytes = arrowBytes({
  text: vectorFromArray(
    numbers.map((i) => (i % 3 === 0 ? null : `text ${i}`)),
    new Utf8(),
  ),
  number: vectorFromArray(
    numbers.map((i) => (i % 5 === 0 ? null : i / 4)),
    new Float64(),
  ),
  flag: vectorFromArray(
    numbers.map((i) => i % 2 === 0),
    new Bool(),
  ),
  word: vectorFromArray(numbers.map((i) => ["US", "CA", "MX"][i % 3]!)),
});
const keyBytes = arrowBytes({
  key: texts,
  row: vectorFromArray(numbers, new Uint32()),
  form: vectorFromArray(
    numbers.map((i) => i % 256),
    new Uint8(),
  ),
});
const rowList = new List(new Field("item", new Uint32(), false));
const termBytes = arrowBytes({
  term: texts,
  rows: vectorFromArray(
    numbers.map((i) => [i, i + 3_000]),
    rowList,
  ),
});

type Ask = (at: number) => unknown;

/** A file of each kind and how it is opened; the question is about a row below 3,000. */
const kinds: readonly {kind: string; bytes: () => Promise<Uint8Array>; open: (buffer: ArrayBuffer) => Ask}[] =
  [
    {
      kind: "a table",
      bytes: async () => tableBytes,
      open(buffer) {
        const table = openArrowTable(buffer);
        return (at) => [
          ...table.columns.map((name) => table.value(name).at(at)),
          table.text("text").isNull(at),
        ];
      },
    },
    {
      kind: "keys",
      bytes: async () => keyBytes,
      open(buffer) {
        const index = openKeyIndex(buffer);
        return (at) => [index.find(words[at]!), index.prefix(words[at]!.slice(0, 5), 20)];
      },
    },
    {
      kind: "terms",
      bytes: async () => termBytes,
      open(buffer) {
        const index = openTermIndex(buffer);
        return (at) => {
          const lists = [index.find(words[at]!), ...index.rowsOf(index.withPrefix(words[at]!.slice(0, 5)))];
          for (const list of lists) checkEntries(list);
          return [index.termAt(at), ...lists.map((list) => [...list])];
        };
      },
    },
    {
      kind: "boxes",
      async bytes() {
        const path = `${temporaryFile(new Uint8Array())}.flatbush`;
        const edges = Float64Array.from(numbers, (i) => (i * 7) % 3_000);
        await writeSpatialIndex({minX: edges, minY: edges, maxX: edges, maxY: edges, path});
        return readFileSync(path);
      },
      open(buffer) {
        const index = openSpatialIndex(buffer);
        return (at) => index.within({minX: at, minY: at, maxX: at + 5, maxY: at + 5});
      },
    },
  ];

test.each(kinds)(
  "$kind: whichever of a third of the bytes is wrong, an answer is the right one or a fault of the file",
  async ({bytes: bytesOf, open}) => {
    const bytes = new Uint8Array(await bytesOf());
    guardOpened(bytes.buffer, "file");
    const guard = guardOf(bytes.buffer)!;
    const ask = open(bytes.buffer);
    const right = ask(1_234);
    const faults = {opened: 0, read: 0};
    const meet = (answer: () => unknown): number => {
      guard.endTurn();
      try {
        const given = answer();
        if (!isDeepStrictEqual(given, right)) expect(given).toEqual(right);
        return 0;
      } catch (error) {
        // A file whose first or last letters are wrong is none of its kind.
        if (!(error instanceof FileFault)) throw error;
        return error instanceof DamagedFileError ? 1 : 0;
      }
    };
    for (let at = 0; at < bytes.length; at += 3) {
      bytes[at]! ^= 1 << (at % 7);
      faults.read += meet(() => ask(1_234));
      if (at % 33 === 0) faults.opened += meet(() => open(bytes.buffer)(1_234));
      bytes[at]! ^= 1 << (at % 7);
    }
    expect(faults.read).toBeGreaterThan(150);
    expect(faults.opened).toBeGreaterThan(5);
  },
);
