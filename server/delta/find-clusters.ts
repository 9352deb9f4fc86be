import {DamagedFileError} from "@open-cattle/mapped-index";
import {likeForms, likeRows, rowIds} from "../../lib/delta/like-rows.ts";
import type {ParcelSet} from "../../lib/parcels/parcel-set.ts";
import type {RowValues} from "../../lib/storage/arrow-file/memory-table.ts";

/** Finds, by parcel key, and rows of the build that may be one parcel. */
export type FindCluster = {readonly finds: readonly string[]; readonly rows: readonly number[]};

/** Finds of one state by the forms of their numbers. */
export class FindForms {
  readonly #keys = new Map<string, Set<string>>();

  add(key: string, columns: RowValues): void {
    for (const form of likeForms(columns)) {
      const keys = this.#keys.get(form);
      if (keys === undefined) this.#keys.set(form, new Set([key]));
      else keys.add(key);
    }
  }

  /** The finds with a number like one of these. */
  like(columns: RowValues): string[] {
    return likeForms(columns).flatMap((form) => [...(this.#keys.get(form) ?? [])]);
  }
}

type Compared = {
  readonly set: ParcelSet | undefined;
  readonly forms: readonly FindForms[];
  readonly columnsOf: (key: string) => RowValues;
};

/**
 * Each find with all that may be its parcel, directly or by way of another find or row. Rows that cannot be read because a file is
 * damaged are left out.
 */
export function findClusters(keys: Iterable<string>, {set, forms, columnsOf}: Compared): FindCluster[] {
  const done = new Set<string>();
  const clusters: FindCluster[] = [];
  for (const key of keys) {
    if (done.has(key)) continue;
    const [finds, rows] = [new Set([key]), new Set<number>()];
    const addLike = (columns: RowValues) => {
      for (const each of forms) for (const other of each.like(columns)) finds.add(other);
    };
    // The loop goes on to the finds that it adds.
    for (const find of finds) {
      done.add(find);
      const columns = columnsOf(find);
      addLike(columns);
      for (const row of readableRows(set, columns)) {
        if (rows.has(row)) continue;
        rows.add(row);
        addLike(rowIds(set!, row));
      }
    }
    clusters.push({finds: [...finds], rows: [...rows]});
  }
  return clusters;
}

function readableRows(set: ParcelSet | undefined, columns: RowValues): readonly number[] {
  if (set === undefined) return [];
  try {
    return likeRows(set, columns);
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error;
    return [];
  }
}
