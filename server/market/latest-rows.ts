import type {KindTest, LatestKey, RecordTable} from "../tables/record-tables.ts";
import {isTradeOf} from "./place-context.ts";

/** Venue rows that pass a test, in table order; only headline cells unless `whole`. There is no place to measure a distance from. */
export function rowsOf(
  keys: RecordTable<LatestKey>["keys"],
  {test, whole}: {test: (key: LatestKey) => boolean; whole: boolean},
) {
  return keys
    .filter((key) => !key.isTrade && (whole || key.headline) && test(key))
    .map((key) => ({key, miles: null}));
}

/**
 * The video and direct trades of the requested kinds, or of all kinds: first those whose region names the requested state, then, with
 * `far`, those of all other regions.
 */
export function trades(
  keys: RecordTable<LatestKey>["keys"],
  {test, state, far}: {test: KindTest | null; state: string | null; far: boolean},
) {
  const named = keys.filter((key) => key.isTrade && (test === null || test(key)));
  const isNear = (key: LatestKey) => isTradeOf(key, state);
  const others = far ? named.filter((key) => !isNear(key)) : [];
  return [...named.filter(isNear), ...others].map((key) => ({key, miles: null}));
}
