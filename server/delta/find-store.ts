import type {DeltaSource, DeltaUpsert} from "../../schemas/delta-record.ts";

/** A parcel that a county gave on a miss, and the layer that it came from. */
export type Find = {
  readonly upsert: Omit<DeltaUpsert, "seq" | "observedAt">;
  readonly source: Pick<DeltaSource, "sourceId" | "entryDigest" | "countyKey">;
};

/** Where finds are kept. */
export type FindStore = {
  /**
   * Stores a find. `persisted`: it is on disk to stay, and every lookup of this process finds it from now on. `sourceAdded`: it is
   * the first of its source. Never rejects: a disk that fails is `persisted: false`.
   */
  append(find: Find): Promise<{persisted: boolean; sourceAdded: boolean}>;
};

/** Keeps nothing: for a program that answers without a delta of its own. */
export const noFindStore: FindStore = {
  append: () => Promise.resolve({persisted: false, sourceAdded: false}),
};
