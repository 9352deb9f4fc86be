/** The names before the members of a record: both have the id of the parcel. */
const idNames = ["_id", "parcelUid"];
const wordBytes = 4;
const lineFeed = 10;

/** Memory in which facts are made, first the facts and then their values; it grows to the longest record. */
let scratch = new DataView(new ArrayBuffer(2 ** 14));

/**
 * Makes the facts of records from their values. Records of one kind have the same members (`names`), so a row stores values alone: the id
 * twice, then one for each name, each as JSON text on a line of its own. An empty line repeats the value of the line before, and follows no
 * empty one. What comes back is the members as JSON text in UTF-8, parted by commas and without braces, ids first. Throws a `RangeError` for
 * another number of values.
 *
 * An answer has up to a hundred records. Bytes are copied by words of four, and what a word has too much is written over: one by one they
 * would take three times as long, and a call of `set` for each value six times.
 */
export function factsJoiner(names: readonly string[]): (values: Uint8Array) => Buffer {
  const heads = [...idNames, ...names].map((name, at) => `${at === 0 ? "" : ","}${JSON.stringify(name)}:`);
  const headBytes = new TextEncoder().encode(heads.join("") + " ".repeat(wordBytes));
  const headWords = new DataView(headBytes.buffer);
  let headEnd = 0;
  const ends = Int32Array.from(heads, (head) => (headEnd += Buffer.byteLength(head)));
  return (values) => {
    // Each value is there twice at most.
    const first = headBytes.length + 2 * values.length + wordBytes;
    const words = placeValues(values, first);
    let [read, copied, at, before, length] = [first, 0, 0, 0, 0];
    for (let member = 0; member < ends.length; member++) {
      const end = ends[member]!;
      const start = at + end - copied;
      for (; copied < end; copied += wordBytes, at += wordBytes) {
        words.setInt32(at, headWords.getInt32(copied, true), true);
      }
      copied = end;
      at = start;
      for (let found = 0; found === 0; ) {
        const word = words.getInt32(read, true);
        words.setInt32(at, word, true);
        found = lineFeedsIn(word);
        const bytes = found === 0 ? wordBytes : (31 - Math.clz32(found & -found)) >> 3;
        read += bytes;
        at += bytes;
      }
      read += 1;
      if (at > start) {
        before = start;
        length = at - start;
        continue;
      }
      for (let i = 0; i < length; i += wordBytes)
        words.setInt32(at + i, words.getInt32(before + i, true), true);
      at += length;
    }
    if (read !== first + values.length + 1)
      throw new RangeError(`a record of other members than ${names.join(", ")}`);
    return Buffer.from(new Uint8Array(words.buffer, 0, at));
  };
}

/** The scratch memory with the values at a place, and line feeds after them. */
function placeValues(values: Uint8Array, place: number): DataView {
  const end = place + values.length;
  if (end + 2 * wordBytes > scratch.byteLength) scratch = new DataView(new ArrayBuffer(2 * end));
  const bytes = new Uint8Array(scratch.buffer);
  bytes.set(values, place);
  bytes.fill(lineFeed, end, end + 2 * wordBytes);
  return scratch;
}

/** Bits of which the lowest one lies in the first byte of a word, read with its lowest byte first, that is a line feed; 0 where none is. */
function lineFeedsIn(word: number): number {
  const differing = word ^ (lineFeed * 0x01010101);
  return (differing - 0x01010101) & ~differing & 0x80808080;
}
