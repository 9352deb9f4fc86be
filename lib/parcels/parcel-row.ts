import type {ProvenanceGroup} from "./conform/groups.ts";

/** What is known about where a group of facts comes from (a row of the provenance table). */
export type ProvenanceFacts = {
  readonly sourceId: string;
  /** `YYYY-MM-DD` or `YYYY`; null when the source states none. */
  readonly vintage: string | null;
  /** `row_date`, `roll_year`, `edition`, `layer_edit` or `retrieved`. */
  readonly vintageBasis: string;
  /** Instant, UTC. */
  readonly retrievedAt: string | null;
  /** `county`, `state`, `aggregate`, `copy`, `derived` or `unknown`. */
  readonly authority: string;
  /** True where the field map was proposed from the layer's metadata and not read by a person. */
  readonly proposedMap: boolean;
};

/** Where the facts of a row come from, by group. Rows whose facts come from the same places share one object. */
export type RowOrigins = {
  /** Provenance of a group; of the default where the group has none of its own. */
  of(group: ProvenanceGroup | "default"): ProvenanceFacts;
};

/**
 * One parcel row by the names of `schemas/parcel-columns.ts`, wherever it is stored. Every accessor gives null (a list: none)
 * where the row has no value; asking a column for another type than its own throws.
 */
export type ParcelRow = {
  /** Text and dictionary columns. */
  text(column: string): string | null;
  /** Numbers and money. */
  number(column: string): number | null;
  flag(column: string): boolean | null;
  /** `YYYY-MM-DD`. */
  date(column: string): string | null;
  list(column: string): readonly string[];
  /**
   * Provenance of a group; of the default where the group has none of its own. Rows whose facts come from the same places may share
   * the function itself.
   */
  readonly provenance: (group: ProvenanceGroup | "default") => ProvenanceFacts;
  /** To be called before most of the row is read, which is quicker then; absent where it would not be. */
  ahead?(): void;
  /** Instant at which the county gave the row; absent for rows of a build, whose instant is that of the build. */
  readonly observedAt?: string;
};
