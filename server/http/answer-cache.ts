import type {Generation} from "../generation/generation.ts";
import type {Answer} from "./endpoint.ts";

/** An answer with its tag and the names of the parameters that were given. */
export type HeldAnswer = {
  readonly answer: Answer;
  readonly tag: string;
  readonly given: readonly string[];
};

/**
 * Answers that were given a short while ago, by the words of the question as they came: reading them takes as long as all else that a
 * held answer needs.
 */
export type AnswerCache = {
  /** The answer to these words; undefined where it is not held. */
  find(words: string): HeldAnswer | undefined;
  /** Holds an answer as long as it is among those asked for last. */
  keep(words: string, held: HeldAnswer): void;
};

/** The answers of each generation, which go with it. */
export function createAnswerCaches(mostBytes: number): (generation: Generation) => AnswerCache {
  const caches = new WeakMap<Generation, AnswerCache>();
  return (generation) => {
    const cache = caches.get(generation) ?? createAnswerCache(mostBytes);
    caches.set(generation, cache);
    return cache;
  };
}

/** What an entry takes beside its body and words: the tag, the objects, the place in the map. */
const entryBytes = 400;

/**
 * Answers of about `mostBytes` in memory, those that were not asked for longest going first; 0 holds none. The words name all that
 * the answer of a generation follows from (`Endpoint`), so that nothing in here can be out of date: after a new find they are others.
 */
export function createAnswerCache(mostBytes: number): AnswerCache {
  // A map keeps its entries in the order in which they were set.
  const entries = new Map<string, HeldAnswer>();
  let bytes = 0;
  return {
    find(words) {
      const held = entries.get(words);
      if (held === undefined) return undefined;
      entries.delete(words);
      entries.set(words, held);
      return held;
    },
    keep(words, held) {
      const size = sizeOf(words, held);
      if (size > mostBytes || entries.has(words)) return;
      entries.set(words, held);
      bytes += size;
      for (const [oldest, given] of entries) {
        if (bytes <= mostBytes) break;
        entries.delete(oldest);
        bytes -= sizeOf(oldest, given);
      }
    },
  };
}

/** Texts of letters beyond Latin take two bytes a letter: as many are counted for all. */
function sizeOf(words: string, {answer}: HeldAnswer): number {
  return 2 * (answer.body.length + words.length) + entryBytes;
}
