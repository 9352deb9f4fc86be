import type {KeyEntry, KeyHit, KeyIndex} from "../../search/key-index.ts";
import {createSortedTexts} from "./sorted-texts.ts";

/** A key index in memory that rows are added to and taken from. */
export type MemoryKeys = {
  readonly index: KeyIndex;
  /** Adds a key of a row; the forms of one key and row are united. */
  add(key: string, hit: KeyHit): void;
  /** Forgets a row under this key. */
  remove(key: string, row: number): void;
};

/** An empty index; null and empty keys are left out, as in the files. */
export function createMemoryKeys(): MemoryKeys {
  const hits = new Map<string, KeyHit[]>();
  const keys = createSortedTexts();
  let entries = 0;
  const entriesOf = (key: string): KeyEntry[] => (hits.get(key) ?? []).map((hit) => ({key, ...hit}));

  function* from(start: string): Iterable<KeyEntry> {
    for (let i = keys.firstFrom(start); i < keys.size(); i++) yield* entriesOf(keys.at(i));
  }

  function taken(start: string, limit: number, belongs: (key: string) => boolean): KeyEntry[] {
    const found: KeyEntry[] = [];
    for (const entry of from(start)) {
      if (found.length >= limit || !belongs(entry.key)) break;
      found.push(entry);
    }
    return found;
  }

  return {
    add(key, {row, form}) {
      if (key === "") return;
      const known = hits.get(key);
      if (known === undefined) {
        hits.set(key, [{row, form}]);
        keys.add(key);
        entries += 1;
        return;
      }
      // Rows are added in the order of their numbers: the list stays in row order, and the same row can only be the last.
      const last = known.at(-1);
      if (last?.row === row) known[known.length - 1] = {row, form: last.form | form};
      else {
        known.push({row, form});
        entries += 1;
      }
    },
    remove(key, row) {
      const known = hits.get(key) ?? [];
      const left = known.filter((hit) => hit.row !== row);
      entries -= known.length - left.length;
      if (left.length > 0) hits.set(key, left);
      else if (known.length > 0) {
        hits.delete(key);
        keys.remove(key);
      }
    },
    index: {
      get entries() {
        return entries;
      },
      find: (key, limit = Number.POSITIVE_INFINITY) => (hits.get(key) ?? []).slice(0, limit),
      count: (key) => hits.get(key)?.length ?? 0,
      prefix: (prefix, limit) => taken(prefix, limit, (key) => key.startsWith(prefix)),
      range: (start, to, limit) => taken(start, limit, (key) => keys.isBefore(key, to)),
    },
  };
}

/** Keys that say only that some row has them: each stands in the index once, with the first of its rows, until the last has gone. */
export function createSharedKeys(keys: MemoryKeys): {
  add(key: string, hit: KeyHit): void;
  remove(key: string): void;
} {
  const users = new Map<string, {row: number; count: number}>();
  return {
    add(key, hit) {
      const known = users.get(key);
      if (known !== undefined) known.count += 1;
      else {
        users.set(key, {row: hit.row, count: 1});
        keys.add(key, hit);
      }
    },
    remove(key) {
      const known = users.get(key);
      if (known === undefined) return;
      known.count -= 1;
      if (known.count > 0) return;
      users.delete(key);
      keys.remove(key, known.row);
    },
  };
}
