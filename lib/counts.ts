const counts = new Intl.NumberFormat("en-US");

/** A count as people write it: `1,155`. */
export function countWords(count: number): string {
  return counts.format(count);
}

/** A count with its noun, such as `1 file` and `1,200 files`. */
export function countWithNoun(count: number, noun: string, plural = `${noun}s`): string {
  return `${countWords(count)} ${count === 1 ? noun : plural}`;
}
