import type {StateArtifacts} from "../../lib/parcels/artifacts.ts";
import type {KeyHit, KeyIndex} from "../../lib/search/key-index.ts";
import type {SpatialIndex} from "../../lib/search/spatial-index.ts";
import type {TermIndex} from "../../lib/search/term-index.ts";
import {checkEntries} from "../../lib/storage/block-guard.ts";

/** A state whose indexes leave hidden rows out: rows of the delta replace them. Rows hidden later are out at once. */
export function withoutHidden(set: StateArtifacts, hidden: ReadonlySet<number>): StateArtifacts {
  return Object.create(set, {
    ids: {get: () => keysWithout(set.ids, hidden)},
    addresses: {get: () => keysWithout(set.addresses, hidden)},
    owners: {get: () => termsWithout(set.owners, hidden)},
    points: {get: () => (set.points === null ? null : pointsWithout(set.points, hidden))},
  }) as StateArtifacts;
}

function keysWithout(index: KeyIndex, hidden: ReadonlySet<number>): KeyIndex {
  // As many more rows are read as may be left out, so that `limit` rows remain.
  const more = (limit: number) => limit + hidden.size;
  const seen = <Hit extends KeyHit>(hits: Hit[], limit: number) =>
    hits.filter(({row}) => !hidden.has(row)).slice(0, limit);
  return {
    entries: index.entries,
    find: (key, limit = Number.POSITIVE_INFINITY) => seen(index.find(key, more(limit)), limit),
    count: (key) => index.find(key).filter(({row}) => !hidden.has(row)).length,
    prefix: (prefix, limit) => seen(index.prefix(prefix, more(limit)), limit),
    range: (from, to, limit) => seen(index.range(from, to, more(limit)), limit),
  };
}

function termsWithout(index: TermIndex, hidden: ReadonlySet<number>): TermIndex {
  const seen = (rows: Uint32Array): Uint32Array => {
    if (!holdsAny(rows, hidden)) return rows;
    checkEntries(rows);
    return rows.filter((row) => !hidden.has(row));
  };
  return {
    terms: index.terms,
    find: (term) => seen(index.find(term)),
    begun: (prefix) => index.begun(prefix),
    near: (token) => index.near(token),
    termAt: (number) => index.termAt(number),
    rowsAt: (number) => seen(index.rowsAt(number)),
    rowsOf({from, to}) {
      return Array.from({length: to - from}, (_, i) => seen(index.rowsAt(from + i)));
    },
  };
}

/** True when the ascending list has a hidden row: looks each hidden row up, or reads the list when it is the shorter one. */
function holdsAny(rows: Uint32Array, hidden: ReadonlySet<number>): boolean {
  if (rows.length <= hidden.size) {
    checkEntries(rows);
    return rows.some((row) => hidden.has(row));
  }
  for (const row of hidden) if (isIn(rows, row)) return true;
  return false;
}

function isIn(rows: Uint32Array, row: number): boolean {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  checkEntries(rows, Math.max(low - 1, 0), Math.min(low + 1, rows.length));
  return rows[low] === row;
}

function pointsWithout(index: SpatialIndex, hidden: ReadonlySet<number>): SpatialIndex {
  const seen =
    <More extends unknown[]>(accept: (row: number, ...more: More) => boolean = () => true) =>
    (row: number, ...more: More) =>
      !hidden.has(row) && accept(row, ...more);
  return {
    items: index.items,
    within: (box, accept) => index.within(box, seen(accept)),
    near: (place, accept) => index.near(place, seen(accept)),
    nearest: (place, accept) => index.nearest(place, seen(accept)),
  };
}
