import type {Answer} from "./endpoint.ts";
import type {Generation} from "./generation.ts";

/** Answers that were given a short while ago, by their tag. */
export type AnswerCache = {
  /** The answer whose bytes this tag names; undefined where it is not held. */
  find(tag: string): Answer | undefined;
  /** Holds an answer as long as it is among those asked for last. */
  keep(tag: string, answer: Answer): void;
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

/** What an entry takes beside its body: the tag, the object, the place in the map. */
const entryBytes = 300;

/**
 * Answers of about `mostBytes` in memory, those that were not asked for longest going first; 0 holds none. A tag names its answer to
 * the byte (`Endpoint`), so that nothing in here can be out of date: a new build or a new find has other tags.
 */
export function createAnswerCache(mostBytes: number): AnswerCache {
  // A map keeps its entries in the order in which they were set.
  const held = new Map<string, Answer>();
  let bytes = 0;
  return {
    find(tag) {
      const answer = held.get(tag);
      if (answer === undefined) return undefined;
      held.delete(tag);
      held.set(tag, answer);
      return answer;
    },
    keep(tag, answer) {
      const size = sizeOf(answer);
      if (size > mostBytes || held.has(tag)) return;
      held.set(tag, answer);
      bytes += size;
      for (const [oldest, given] of held) {
        if (bytes <= mostBytes) break;
        held.delete(oldest);
        bytes -= sizeOf(given);
      }
    },
  };
}

/** Texts of letters beyond Latin take two bytes a letter: as many are counted for all. */
function sizeOf({body}: Answer): number {
  return 2 * body.length + entryBytes;
}
