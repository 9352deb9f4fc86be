import {z} from "zod";

const text = z.string().nullish();
const number = z.number().nullish();
const texts = z.array(z.string()).nullish();

const Week = z.looseObject({
  week_end_date: z.string(),
  price_avg: number,
  head_count: number,
  venues_reporting: number,
});
export type Week = z.infer<typeof Week>;

/** The members of market records that people are shown; a record has those of its own endpoint. */
const MarketRecord = z.looseObject({
  county_name: text,
  state: text,
  commodity: text,
  class: text,
  frame: text,
  muscle_grade: text,
  quality_grade: text,
  dressing: text,
  age_class: text,
  pregnancy_stage: text,
  weight_bin: text,
  lot_descriptors: texts,
  price_unit: text,
  price_basis: text,
  price_avg: number,
  price_low: number,
  price_high: number,
  head_count: number,
  contributing_head: number,
  avg_weight_lb: number,
  last_sale_date: text,
  freshness: text,
  thin: z.boolean().nullish(),
  change_week: number,
  change_year: number,
  distance_mi: number,
  history: z.array(Week).nullish(),
  venue_name: text,
  city: text,
  sale_date: text,
  report_end_date: text,
  price_min: number,
  price_max: number,
  phone: text,
  website: text,
  county_fips: text,
  sale_days: texts,
  next_sale_date: text,
  last_reported_sale_date: text,
  status: text,
  list_authority: text,
  list_as_of: text,
  licensed_dealers: number,
  licensed_market_agencies: number,
  licensed_markets: number,
  total_entities: number,
  evidence_id: text,
});
export type MarketRecord = z.infer<typeof MarketRecord>;

const MarketEvidence = z.looseObject({
  evidence_id: z.string(),
  claim: z.string(),
  sources: z.array(z.string()),
  source_date: text,
  confidence: z.looseObject({level: z.string(), score: number}),
});
export type MarketEvidence = z.infer<typeof MarketEvidence>;

/** A market answer as far as people are shown it; an answer of a newer server may have more members. */
export const MarketShape = z.looseObject({
  as_of_date: z.string(),
  source_date: text,
  sources: z.array(z.string()),
  limitations: z.array(z.string()),
  result_status: z.string(),
  last_known_source_date: text,
  records: z.array(MarketRecord),
  evidence: z.array(MarketEvidence).nullish(),
  nearest_market: z
    .looseObject({venue_name: text, city: text, state: text, distance_mi: number, last_sale_date: text})
    .nullish(),
  state_summary: z.looseObject({state: text, week_end_date: text, report_slug: text}).nullish(),
  page: z.looseObject({returned: z.number(), total: z.number(), offset: number}),
});
export type MarketShape = z.infer<typeof MarketShape>;
