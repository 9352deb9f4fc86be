import {openArrowTable} from "./arrow-table.ts";

/** A row that has a key; the bits of `form` tell which spellings of the row gave the key. */
export type KeyHit = {readonly row: number; readonly form: number};

export type KeyEntry = KeyHit & {readonly key: string};

/**
 * Sorted keys ─▶ rows, found by binary search in the mapped file. Keys compare by UTF-8 bytes, and the hits
 * of a key come in row order. Results stop at `limit`.
 */
export type KeyIndex = {
  /** The hits of exactly this key. */
  find(key: string, limit?: number): KeyHit[];
  /** The entries whose key begins with `prefix`, in key order. */
  prefix(prefix: string, limit: number): KeyEntry[];
};

/**
 * Opens a key index in place: an Arrow file with the columns `key` (utf8), `row` (uint32) and `form` (uint8),
 * sorted by key and row. Throws a `FileFault` that begins with `name` when the bytes are not one.
 */
export function openKeyIndex(buffer: ArrayBuffer, name = "key index"): KeyIndex {
  const table = openArrowTable(buffer, name);
  const keys = table.text("key");
  const rows = table.number("row");
  const forms = table.number("form");
  const hit = (i: number): KeyHit => ({row: rows.at(i)!, form: forms.at(i)!});
  const entry = (i: number): KeyEntry => ({key: keys.at(i)!, ...hit(i)});
  return {
    find(key, limit = Number.POSITIVE_INFINITY) {
      const bytes = Buffer.from(key, "utf8");
      return collect(keys.lowerBound(bytes), table.rows, limit, (i) =>
        keys.equals(i, bytes) ? hit(i) : null,
      );
    },
    prefix(prefix, limit) {
      const bytes = Buffer.from(prefix, "utf8");
      return collect(keys.lowerBound(bytes), table.rows, limit, (i) =>
        keys.startsWith(i, bytes) ? entry(i) : null,
      );
    },
  };
}

/** Maps the entries from `from` on with `take`, until it returns null or `limit` is reached. */
function collect<T>(from: number, rows: number, limit: number, take: (i: number) => T | null): T[] {
  const items: T[] = [];
  for (let i = from; i < rows && items.length < limit; i++) {
    const item = take(i);
    if (item === null) break;
    items.push(item);
  }
  return items;
}
