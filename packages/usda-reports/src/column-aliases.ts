import type {RawColumn} from "./report-columns.ts";

/**
 * Publishers' column names for each of our columns, in order of preference. Names are compared case-insensitively with each run
 * of other characters as one underscore (`price_Unit` → `price_unit`).
 */
const columnAliases: Readonly<Record<RawColumn | SpecialColumn, readonly string[]>> = {
  slug: ["slug_name", "slug_id", "report_slug", "slug", "report_id", "reportid"],
  report_title: ["report_title", "reporttitle", "title", "auction"],
  published: ["published_date", "published_at", "published"],
  final_ind: ["final_ind", "report_status", "status"],
  market_type: ["market_type"],
  market_type_category: ["market_type_category"],
  location_name: ["market_location_name", "market_name"],
  location_city: ["market_location_city", "market_city"],
  location_state: ["market_location_state", "market_state"],
  narrative: ["report_narrative", "narrative", "comments_commodity"],
  office: ["office_name"],
  report_date: ["report_date", "reportdate", "auction_date", "sale_date", "date"],
  report_begin_date: ["report_begin_date", "begin_date", "period_start", "week_begin_date"],
  report_end_date: ["report_end_date", "end_date", "period_end", "week_end_date"],
  vintage: ["vintage", "pulled_at", "retrieved_at"],
  commodity: ["commodity", "category"],
  class: ["class", "cattle_type", "type", "animal_class"],
  frame: ["frame", "frame_size"],
  muscle_grade: ["muscle_grade", "muscle"],
  quality_grade: ["quality_grade_name", "quality_grade"],
  yield_grade: ["yield_grade"],
  grade: ["grade"],
  breed: ["breed"],
  dressing: ["dressing"],
  age: ["age", "age_class"],
  pregnancy_stage: ["pregnancy_stage", "pregnancy", "stage"],
  age_stage_dressing: ["age_pregnancy_stage_dressing"],
  offspring_weight: ["offspring_weight_est", "offspring_weight_estimate", "offspring_weight"],
  lot_desc: ["lot_desc", "lot_description", "lot_descriptor", "annotation"],
  price_unit: ["price_unit", "pricing", "unit"],
  weight_collect: ["weight_collect", "weight_basis"],
  freight: ["freight"],
  delivery: ["delivery_month", "delivery"],
  delivery_current: ["current"],
  purchase_type: ["purchase_type"],
  basis_futures_month: ["basis_futures_month"],
  region: ["region_name", "geographical_location"],
  category: ["category"],
  weight_break_low: ["weight_break_low"],
  weight_break_high: ["weight_break_high"],
  avg_weight: ["avg_weight", "average_weight", "avg_wt", "weight_avg", "wtd_avg_wt"],
  avg_weight_min: ["avg_weight_min", "weight_min", "min_weight", "wt_low", "weight_low"],
  avg_weight_max: ["avg_weight_max", "weight_max", "max_weight", "wt_high", "weight_high"],
  avg_price: ["avg_price", "price_avg", "average_price", "wtd_avg_price"],
  avg_price_min: ["avg_price_min", "price_min", "min_price", "price_low"],
  avg_price_max: ["avg_price_max", "price_max", "max_price", "price_high"],
  head_count: ["head_count", "head"],
  receipts: ["receipts"],
  receipts_prior: ["receipts_week_ago", "receipts_last_reported", "receipts_prior"],
  receipts_year_ago: ["receipts_year_ago", "receipts_last_year"],
  total_receipts: ["total_receipts"],
  feeder_receipts: ["feeder_cattle_total", "feeder_receipts"],
  slaughter_receipts: ["slaughter_cattle_total", "slaughter_receipts"],
  replacement_receipts: ["replacement_cattle_total", "replacement_receipts"],
};

/** Columns about the report rather than a price. */
export type SpecialColumn =
  | "total_receipts"
  | "feeder_receipts"
  | "slaughter_receipts"
  | "replacement_receipts";

/** Columns that a table of price rows must have; of the dates, any one. */
const requiredColumns: readonly (readonly RawColumn[])[] = [
  ["report_end_date", "report_date", "report_begin_date"],
  ["commodity"],
  ["class"],
  ["avg_price"],
  ["head_count"],
];

/** The source's names of each of our columns that it has, in order of preference: the first that has a value counts, row by row. */
export type ColumnMatch = ReadonlyMap<RawColumn | SpecialColumn, readonly [string, ...string[]]>;

/** Normalises a column name for comparison. */
export function foldColumnName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
}

/** Maps each of our columns that the source has to the source's names. */
export function matchColumns(names: readonly string[]): ColumnMatch {
  const byFolded = new Map(names.toReversed().map((name) => [foldColumnName(name), name]));
  const matched = Object.entries(columnAliases).flatMap(([ours, aliases]) => {
    const [first, ...others] = aliases.flatMap((name) => byFolded.get(name) ?? []);
    return first === undefined ? [] : [[ours as RawColumn | SpecialColumn, [first, ...others]] as const];
  });
  return new Map(matched);
}

/** Number of lines in which to look for the header; a title and dates may precede it. */
export const maxLinesAbove = 20;

/** True if one of these lists of names has the columns of price rows. */
export function namesPriceRows(candidates: readonly (readonly string[])[]): boolean {
  return candidates.some((names) => missingColumns(matchColumns(names), names) === null);
}

/** True for the columns of the service's list of reports; a roster of barns has no sections. */
export function namesReportList(names: readonly string[]): boolean {
  const foldedNames = new Set(names.map(foldColumnName));
  return foldedNames.has("slug_id") && foldedNames.has("report_title") && foldedNames.has("sectionnames");
}

/** A sentence on missing columns, those found and those expected; null if none is missing. */
export function missingColumns(match: ColumnMatch, names: readonly string[]): string | null {
  const missing = requiredColumns.filter((choices) => !choices.some((column) => match.has(column)));
  if (missing.length === 0) return null;
  const expected = missing.map((choices) => choices.flatMap((column) => columnAliases[column]).join(" or "));
  return `needed column missing: expected ${expected.join("; and ")}; got ${names.join(", ")}`;
}
