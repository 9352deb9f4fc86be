import type {Contradiction, Evidence, TransformationMethod} from "../../../schemas/market-evidence.ts";
import type {CountyPrice, StatePrice} from "../../../schemas/market-records.ts";
import type {Aggregate} from "./aggregates.ts";
import {methodVersion} from "./bounds.ts";
import {agreementOf, priceConfidence} from "./confidence.ts";
import {type AnswerContext, evidenceOf, priceSources} from "./evidence.ts";
import {pooledLimitations} from "./price-record.ts";

/** The parts of a pooled figure's evidence that do not follow from its rows and its record. */
export type PooledTelling = {
  claim: string;
  entities: readonly string[];
  method: TransformationMethod;
  /** True when a number of the record was computed here. */
  computed: boolean;
  coverage: number;
  limits: readonly string[];
  implication: string;
  contradictions: Contradiction[] | null;
};

/** Evidence of a county or state figure that pools rows. */
export function pooledEvidence(
  context: AnswerContext,
  row: Aggregate,
  record: CountyPrice | StatePrice,
  telling: PooledTelling,
): Evidence {
  const {window_days, window_widened, weighting} = record;
  return evidenceOf(
    context,
    {
      id: record.evidence_id,
      kind: "observed_price",
      claim: telling.claim,
      entities: telling.entities,
      sources: priceSources(row.source_ids, telling.computed),
      sourceDate: row.last_date,
      ingestedAt: row.ingested_at,
      verifiedAt: row.last_verified_at,
      transformation: {
        method: telling.method,
        inputs: row.issue_ids,
        parameters: {window_days, window_widened, weighting},
      },
      confidence: priceConfidence({
        age: record.age_days,
        head: row.head ?? 0,
        coverage: telling.coverage,
        agreement: agreementOf(telling.contradictions),
        thin: row.thin,
      }),
      limitations: [...pooledLimitations(row, window_widened), ...telling.limits],
      implication: telling.implication,
      contradictions: telling.contradictions,
      changeStatus: record.change_status,
    },
    methodVersion,
  );
}

/** The method by which a mean of the row's unit is computed. */
export function meanMethod(row: Pick<Aggregate, "price_unit">): TransformationMethod {
  return row.price_unit === "per_cwt" ? "pounds_weighted_mean" : "head_weighted_mean";
}
