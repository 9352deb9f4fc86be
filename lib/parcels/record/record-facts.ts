/** Names that precede a record's members; both hold the parcel's id. */
const idNames = ["_id", "parcelUid"];
const wordBytes = 4;
const lineFeed = 10;
const pointMark = "@".charCodeAt(0);
const [beforePoint, afterPoint] = ['{"type":"Point","coordinates":[', "]}"];

/** Scratch memory: the output first, then the input values; it grows to fit the longest record. */
let scratch = new DataView(new ArrayBuffer(2 ** 14));

/**
 * Returns a function that builds the facts of records from their values. Records of one kind have the same
 * members (`names`), so a row stores values only: the id twice, then one value per name, each as JSON text on
 * its own line. An empty line repeats the previous line's value and is never followed by another empty one; a
 * line `@` is the GeoJSON point of the two values before it, and there is at most one. Returns the members as
 * JSON text in UTF-8, separated by commas and without braces, ids first. Throws a `RangeError` for a wrong
 * number of values.
 *
 * An answer has up to a hundred records. Bytes are copied as four-byte words, and excess bytes are
 * overwritten afterwards: copying single bytes takes three times as long, and calling `set` per value six
 * times.
 */
export function factsJoiner(names: readonly string[]): (values: Uint8Array) => Buffer {
  const heads = [...idNames, ...names].map((name, at) => `${at === 0 ? "" : ","}${JSON.stringify(name)}:`);
  const fixed = new TextEncoder().encode(
    `${heads.join("")}${beforePoint},${afterPoint}${" ".repeat(wordBytes)}`,
  );
  const fixedWords = new DataView(fixed.buffer);
  let headEnd = 0;
  const ends = Int32Array.from(heads, (head) => (headEnd += Buffer.byteLength(head)));
  return (values) => {
    // A value appears at most twice in the output.
    const first = fixed.length + 2 * values.length + wordBytes;
    const words = placeValues(values, first);
    let [read, at, head] = [first, 0, 0];
    /** Start and length of the value before and of the one before that. */
    let [before, length, older, olderLength] = [0, 0, 0, 0];
    for (const end of ends) {
      at = copyBytes(words, at, fixedWords, head, end - head);
      head = end;
      const start = at;
      for (let found = 0; found === 0; ) {
        const word = words.getInt32(read, true);
        words.setInt32(at, word, true);
        found = lineFeedsIn(word);
        const bytes = found === 0 ? wordBytes : (31 - Math.clz32(found & -found)) >> 3;
        read += bytes;
        at += bytes;
      }
      read += 1;
      if (at === start) at = copyBytes(words, at, words, before, length);
      else if (at === start + 1 && words.getUint8(start) === pointMark) {
        at = copyBytes(words, start, fixedWords, headEnd, beforePoint.length);
        at = copyBytes(words, at, words, older, olderLength);
        at = copyBytes(words, at, fixedWords, headEnd + beforePoint.length, 1);
        at = copyBytes(words, at, words, before, length);
        at = copyBytes(words, at, fixedWords, headEnd + beforePoint.length + 1, afterPoint.length);
      }
      older = before;
      olderLength = length;
      before = start;
      length = at - start;
    }
    if (read !== first + values.length + 1)
      throw new RangeError(`a record does not have the members ${names.join(", ")}`);
    return Buffer.from(new Uint8Array(words.buffer, 0, at));
  };
}

/** Copies bytes, up to three more after them, and returns the place after the copy. */
function copyBytes(to: DataView, at: number, from: DataView, start: number, length: number): number {
  for (let i = 0; i < length; i += wordBytes) to.setInt32(at + i, from.getInt32(start + i, true), true);
  return at + length;
}

/** Copies the values to a position of the scratch memory and adds line feeds after them. */
function placeValues(values: Uint8Array, place: number): DataView {
  const end = place + values.length;
  if (end + 2 * wordBytes > scratch.byteLength) scratch = new DataView(new ArrayBuffer(2 * end));
  const bytes = new Uint8Array(scratch.buffer);
  bytes.set(values, place);
  bytes.fill(lineFeed, end, end + 2 * wordBytes);
  return scratch;
}

/**
 * A mask whose lowest set bit lies in the first byte (little-endian) of a word that is a line feed; 0 when
 * there is none.
 */
function lineFeedsIn(word: number): number {
  const differing = word ^ (lineFeed * 0x01010101);
  return (differing - 0x01010101) & ~differing & 0x80808080;
}
