import type {PriceValues} from "../../schemas/market-fields/price.ts";

/** Record fields from which sentences, confidence and contradictions are made. */
const evidenceFields = [
  "evidence_id price_basis change_status county_fips county_name county_vintage state cell_id commodity class frame",
  "muscle_grade quality_grade dressing age_class pregnancy_stage offspring_weight weight_bin lot_descriptors lot_description price_unit price_avg avg_weight_lb",
  "price_low price_high weighting head_count contributing_head rows rows_excluded venues_reporting value_per_head thin window_days",
  "window_widened first_sale_date last_sale_date age_days change_week change_week_from change_year change_year_from matched_pens nearest_distance_mi week_begin_date",
  "week_end_date venues_known report_slug receipts venue_id venue_name report_end_date price_min price_max outlier",
  "report_scope delivery freight region",
] as const;
/** Further columns that evidence needs; null if the kind of record lacks them. */
const extraFields = {
  flags: "withdrawn has_venue rows_refused head_excluded any_preliminary any_estimated_weight newer_known",
  figures: "price_avg_unrounded head_recency counted_head head_reported commodity_receipts commodity_head",
  texts:
    "rollup withdrawn_reason place ingested_at last_verified_at contributing_venues reporter completeness newer_sales official",
  lists: "venue_ids issue_ids source_ids unheld_days",
  numbers: "windows",
} as const;

type Word<Line extends string> = Line extends `${infer First} ${infer Rest}` ? First | Word<Rest> : Line;
type ExtraFields = Record<Word<typeof extraFields.flags>, boolean | null> &
  Record<Word<typeof extraFields.figures>, number | null> &
  Record<Word<typeof extraFields.texts>, string | null> &
  Record<Word<typeof extraFields.lists>, string[] | null> &
  Record<typeof extraFields.numbers, number[] | null>;

/** A price record as evidence reads it; nested values are JSON text. */
export type EvidenceRow = Pick<PriceValues, Word<(typeof evidenceFields)[number]>> & ExtraFields;

/** The names of all columns of an `EvidenceRow`. */
export const evidenceColumns: readonly string[] = [...evidenceFields, ...Object.values(extraFields)].flatMap(
  (line) => line.split(" "),
);
