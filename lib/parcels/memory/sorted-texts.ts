/** Unique texts in the order of their bytes, found by halving. */
export type SortedTexts = {
  size(): number;
  at(place: number): string;
  add(text: string): void;
  remove(text: string): void;
  /** Place of the first text that is not before this one. */
  firstFrom(text: string): number;
  isBefore(a: string, b: string): boolean;
};

/** So few new texts are put in one by one; more are merged in one pass. */
const fewTexts = 32;

/** No texts. What is added is sorted in when somebody looks, so that many additions cost no more than one. */
export function createSortedTexts(): SortedTexts {
  let texts: string[] = [];
  const added = new Set<string>();

  function settle(): void {
    if (added.size === 0) return;
    if (added.size <= fewTexts) for (const text of added) putIn(text);
    else texts = merged(texts, [...added].sort(compare));
    added.clear();
  }

  function putIn(text: string): void {
    const place = firstPlace(texts, text);
    if (texts[place] !== text) texts.splice(place, 0, text);
  }

  return {
    size() {
      settle();
      return texts.length;
    },
    at(place) {
      settle();
      return texts[place]!;
    },
    add: (text) => void added.add(text),
    remove(text) {
      added.delete(text);
      const place = firstPlace(texts, text);
      if (texts[place] === text) texts.splice(place, 1);
    },
    firstFrom(text) {
      settle();
      return firstPlace(texts, text);
    },
    isBefore: (a, b) => compare(a, b) < 0,
  };
}

function firstPlace(texts: readonly string[], text: string): number {
  let low = 0;
  let high = texts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(texts[middle]!, text) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Two sorted lists as one; what stands in both stands once. */
function merged(a: readonly string[], b: readonly string[]): string[] {
  const all: string[] = [];
  let [i, k] = [0, 0];
  while (i < a.length || k < b.length) {
    const order = i === a.length ? 1 : k === b.length ? -1 : compare(a[i]!, b[k]!);
    all.push(order <= 0 ? a[i]! : b[k]!);
    if (order <= 0) i += 1;
    if (order >= 0) k += 1;
  }
  return all;
}

/** Beyond U+D7FF the order of UTF-16 units is not that of the bytes of UTF-8. */
const beyond = /[\uD800-\uFFFF]/;

/** By bytes of UTF-8, as the index files are sorted; below the surrogates that is the order of JavaScript. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  if (beyond.test(a) && beyond.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
