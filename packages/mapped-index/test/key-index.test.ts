import {Uint8, Uint32, Utf8, vectorFromArray} from "apache-arrow";
import fc from "fast-check";
import {expect, test} from "vitest";
import {type KeyEntry, openKeyIndex} from "../src/key-index.ts";
import {mapFile} from "../src/mapped-file.ts";
import {arrowBytes, temporaryFile} from "./arrow-file.ts";

const key = fc.oneof(
  fc.string({unit: fc.constantFrom("0", "1", "A", "Ä", "😀", "-"), minLength: 1, maxLength: 4}),
  fc.constantFrom("301-22-014", "30122014", "301-22-01", "\u{10FFFF}", "\uE000"),
);
const entry: fc.Arbitrary<KeyEntry> = fc.record({
  key,
  row: fc.oneof(fc.integer({min: 0, max: 9}), fc.constant(2 ** 32 - 1)),
  form: fc.integer({min: 0, max: 255}),
});
const sorted = fc
  .uniqueArray(entry, {maxLength: 60, selector: ({key, row}) => `${key}\0${row}`})
  .map((entries) =>
    entries.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || a.row - b.row),
  );

function bytesOf(entries: readonly KeyEntry[], batchRows: number): Uint8Array {
  const columns = {
    key: vectorFromArray(
      entries.map((each) => each.key),
      new Utf8(),
    ),
    row: vectorFromArray(
      entries.map(({row}) => row),
      new Uint32(),
    ),
    form: vectorFromArray(
      entries.map(({form}) => form),
      new Uint8(),
    ),
  };
  return arrowBytes(columns, batchRows);
}

test("the key index answers like a plain scan: exact and by a prefix", () => {
  const property = fc.property(
    sorted,
    fc.constantFrom(1, 4, 1024),
    fc.array(key, {minLength: 1, maxLength: 10}),
    fc.integer({min: 1, max: 5}),
    (all, batchRows, asked, limit) => {
      const index = openKeyIndex(new Uint8Array(bytesOf(all, batchRows)).buffer);
      expect(index.prefix("", 100)).toEqual(all);
      for (const word of [...asked, ...all.map((e) => e.key), "", "\u{10FFFF}\u{10FFFF}"]) {
        const hits = all.filter((e) => e.key === word).map(({row, form}) => ({row, form}));
        expect(index.find(word)).toEqual(hits);
        expect(index.find(word, limit)).toEqual(hits.slice(0, limit));
        const begun = all.filter((e) =>
          Buffer.from(e.key).subarray(0, Buffer.byteLength(word)).equals(Buffer.from(word)),
        );
        expect(index.prefix(word, limit)).toEqual(begun.slice(0, limit));
      }
    },
  );
  fc.assert(property, {numRuns: 60});
});

test("M3: a key index answers the same from a mapped and from a copied file", () => {
  const entries = Array.from({length: 500}, (_, i) => ({key: `k${100 + (i >> 3)}`, row: i, form: 2}));
  const path = temporaryFile(bytesOf(entries, 64));
  const [mapped, copied] = (["mmap", "copied"] as const).map((mode) =>
    openKeyIndex(mapFile(path, undefined, mode).buffer),
  );
  expect(mapped!.find("k100")).toHaveLength(8);
  for (const key of ["k100", "k162", "k", "", "z"]) {
    expect(copied!.find(key)).toEqual(mapped!.find(key));
    expect(copied!.prefix(key, 20)).toEqual(mapped!.prefix(key, 20));
  }
});
