/** The known origin of a group of facts. */
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
  /** True where `retrievedAt` is when a build first saw the file, because nobody stated when it was fetched. */
  readonly retrievedAssumed?: true;
};
