import type {DeltaSource, DeltaUpsert} from "../../schemas/delta-record.ts";

/** A parcel that a county gave on a miss, and the layer that it came from. */
export type Find = {
  readonly upsert: Omit<DeltaUpsert, "seq" | "observedAt">;
  readonly source: Pick<DeltaSource, "sourceId" | "entryDigest" | "countyKey">;
};

/** Keeps finds. */
export type FindStore = {
  /**
   * Stores a find. `persisted` says that it is on disk to stay and that every lookup of this process finds it from now on;
   * `sourceAdded` says that it is the first find of its source. Never rejects: a disk that fails gives `persisted: false`.
   */
  append(find: Find): Promise<{persisted: boolean; sourceAdded: boolean}>;
};
