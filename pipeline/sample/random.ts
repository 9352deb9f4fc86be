/** Numbers that look random and are the same on every run. */
export type Random = {
  /** Gives a number from 0 up to, but not including, 1. */
  next(): number;
  /** Gives a whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
};

/** Gives the generator of a word, so that every file of the sample has its own (mulberry32 over FNV-1a). */
export function seededBy(word: string): Random {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(word)) state = Math.imul(state ^ byte, 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {next, int, pick: (list) => list[int(0, list.length - 1)]!};
}
