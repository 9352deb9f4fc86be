import {z} from "zod";

/** The fourteen evidence field names of the contract. */
export const evidenceFields = [
  "claim",
  "entity_ids",
  "sources",
  "source_date",
  "ingested_at",
  "last_verified_at",
  "transformation",
  "confidence",
  "limitations",
  "operational_implication",
  "legal_boundary",
  "actionability",
  "contradictions",
  "change_status",
] as const;
export const EvidenceField = z.enum(evidenceFields).meta({id: "EvidenceField"});
export type EvidenceField = z.infer<typeof EvidenceField>;
