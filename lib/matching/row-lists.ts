/** Lists that together have less than one row in so many of all are sorted; longer ones are marked in a bit map. */
const sparseShare = 64;

/**
 * Rows that are in any of the ascending lists, ascending, each once; `rows` is the number of all rows. The cost follows the length of the
 * lists, however many there are.
 */
export function unitedRows(lists: readonly Uint32Array[], rows: number): Uint32Array {
  const [only] = lists;
  if (lists.length === 0 || only === undefined) return new Uint32Array(0);
  if (lists.length === 1) return only;
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  return length * sparseShare < rows ? sortedUnion(lists, length) : markedUnion(lists, rows);
}

/** Ascending rows without those of another ascending list. */
export function withoutRows(rows: Iterable<number>, others: ArrayLike<number>): number[] {
  const left: number[] = [];
  let at = 0;
  for (const row of rows) {
    while (at < others.length && others[at]! < row) at++;
    if (others[at] !== row) left.push(row);
  }
  return left;
}

function sortedUnion(lists: readonly Uint32Array[], length: number): Uint32Array {
  const all = new Uint32Array(length);
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  all.sort();
  let kept = 0;
  for (const row of all) if (kept === 0 || all[kept - 1] !== row) all[kept++] = row;
  return all.subarray(0, kept);
}

function markedUnion(lists: readonly Uint32Array[], rows: number): Uint32Array {
  const marks = new Uint32Array((rows + 31) >>> 5);
  let count = 0;
  for (const list of lists) {
    for (const row of list) {
      const bit = 1 << (row & 31);
      if ((marks[row >>> 5]! & bit) === 0) {
        marks[row >>> 5]! |= bit;
        count += 1;
      }
    }
  }
  const union = new Uint32Array(count);
  let at = 0;
  for (let word = 0; word < marks.length; word++) {
    let bits = marks[word]!;
    while (bits !== 0) {
      const lowest = 31 - Math.clz32(bits & -bits);
      union[at++] = word * 32 + lowest;
      bits &= bits - 1;
    }
  }
  return union;
}
