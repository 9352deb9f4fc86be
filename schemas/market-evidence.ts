import {z} from "zod";
import {
  date,
  fieldsOf,
  instant,
  oneOf,
  orNull,
  recordSchema,
  someOf,
  structure,
  text,
  texts,
} from "./market-fields/market-field.ts";
import {shared} from "./market-fields/shared.ts";
import {MarketSourceId} from "./market-source.ts";

export const Transformation = z
  .looseObject({
    method: z
      .enum([
        "verbatim",
        "unit_normalisation",
        "pounds_weighted_mean",
        "head_weighted_mean",
        "official_summary",
        "inverse_distance_estimate",
        "robust_weight_curve",
        "pens_near_weight",
        "count",
        "schedule_projection",
        "join",
      ])
      .describe("How the claim was derived from its inputs"),
    version: z.string().describe("Version of the method"),
    inputs: z.array(z.string()).describe("Report issues or lists that were used; sorted"),
    parameters: z.record(z.string(), z.unknown()).describe("Time windows and bounds that were used"),
  })
  .meta({id: "Transformation"});
export type Transformation = z.infer<typeof Transformation>;

/** A data-quality score, not a probability: recency x volume x coverage x agreement. */
export const Confidence = z
  .looseObject({
    level: z.enum(["high", "medium", "low", "unknown"]).describe("Level of the score"),
    score: z.number().min(0).max(1).nullable().describe("4 decimals; null at level `unknown`"),
    factors: z
      .looseObject({
        recency: z.number().describe("By the age of each head behind the figure"),
        volume: z.number().describe("By head"),
        coverage: z.number().describe("By the share of venues that report"),
        agreement: z.number().describe("By how well the sources agree"),
      })
      .nullable()
      .describe("What the score is the product of, each 0 to 1"),
  })
  .meta({id: "Confidence"});
export type Confidence = z.infer<typeof Confidence>;

const contradictionSide = z.looseObject({
  source: z.string().describe("Registry id"),
  ref: z.string().describe("Report issue, venue or list"),
  value: z.union([z.number(), z.string()]).describe("Number or text of this side"),
});

export const Contradiction = z
  .looseObject({
    kind: z
      .enum([
        "same_cell_price",
        "same_event_head",
        "rollup_vs_summary",
        "summary_incomplete",
        "head_exceeds_receipts",
        "outlier",
        "implausible_price",
        "implausible_unit",
        "trend_vs_change",
        "schedule_conflict",
        "location_conflict",
        "status_conflict",
      ])
      .describe("What disagrees"),
    field: z.string().describe("Field of the record on which the sources differ"),
    a: contradictionSide.describe("One side"),
    b: contradictionSide.describe("The other side"),
    difference: z.number().nullable().describe("Between the sides, in the field's unit"),
    tolerance: z
      .number()
      .nullable()
      .describe("Largest difference that counts as agreement, in the field's unit"),
    resolution: z.string().describe("How it was settled, or `unresolved`"),
  })
  .meta({id: "Contradiction"});
export type Contradiction = z.infer<typeof Contradiction>;

export const Actionability = z.enum(["informational", "compare", "verify_before_acting", "do_not_act"]);
export type Actionability = z.infer<typeof Actionability>;

const field = fieldsOf(["evidence"]);

/** The evidence fields in column order: `evidence_id` and the fourteen, all always present. */
export const evidenceTable = {
  evidence_id: field(text, "Id of the evidence, to which records refer"),
  claim: field(text, "One self-contained sentence made from a template"),
  entity_ids: field(texts, "Sorted `kind:key` ids"),
  sources: field(someOf(MarketSourceId), "Registry ids, sorted"),
  source_date: field(orNull(date), "Latest report end date behind the claim"),
  ingested_at: field(orNull(instant), "When the newest input was read"),
  last_verified_at: field(orNull(instant), "Last re-read of the source that found the same content"),
  transformation: field(structure(Transformation), "How the value was derived from its inputs"),
  confidence: field(structure(Confidence), "Quality of the data behind the claim, not a probability"),
  limitations: field(texts, "Sentences of the limitations catalogue, most important first"),
  operational_implication: field(orNull(text), "What a reader may check or compare next"),
  legal_boundary: field(text, "Citation boundaries of the sources, in registry order"),
  actionability: field(oneOf(Actionability.options), "How far a reader may rely on the record"),
  contradictions: field(
    orNull(structure(z.array(Contradiction))),
    "`[]` = checked, none found; null = nothing to check against",
  ),
  change_status: field(...shared.change_status),
};

const {evidence_id: _id, ...contractFields} = evidenceTable;
/** The fourteen evidence field names of the contract. */
export const EvidenceField = z.enum(Object.keys(contractFields)).meta({id: "EvidenceField"});

/** One evidence object. */
export const Evidence = recordSchema(evidenceTable, "evidence").meta({
  id: "Evidence",
  propertyNames: {anyOf: [{$ref: "#/components/schemas/EvidenceField"}, {minLength: 1}]},
});
export type Evidence = z.infer<typeof Evidence>;
export type ChangeStatus = Evidence["change_status"];
