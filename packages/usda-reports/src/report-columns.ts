/** Text columns that describe the cattle and the price basis; few distinct combinations occur. */
export const wordColumns = [
  "commodity",
  "class",
  "frame",
  "muscle_grade",
  "quality_grade",
  "yield_grade",
  "grade",
  "breed",
  "dressing",
  "age",
  "pregnancy_stage",
  "age_stage_dressing",
  "offspring_weight",
  "lot_desc",
  "price_unit",
  "weight_collect",
  "freight",
  "delivery",
  "delivery_current",
  "purchase_type",
  "basis_futures_month",
  "region",
  "category",
] as const;
export type WordColumn = (typeof wordColumns)[number];

/** Text columns that identify an issue within a file; dates are ISO or as published. */
export const issueTextColumns = [
  "slug",
  "report_title",
  "published",
  "final_ind",
  "market_type",
  "market_type_category",
  "location_name",
  "location_city",
  "location_state",
  "narrative",
  "office",
] as const;
export const issueDateColumns = ["report_date", "report_begin_date", "report_end_date", "vintage"] as const;
export const issueColumns = [...issueTextColumns, ...issueDateColumns] as const;
export type IssueTexts = Record<(typeof issueColumns)[number], string | null>;

export const rawNumberColumns = [
  "weight_break_low",
  "weight_break_high",
  "avg_weight",
  "avg_weight_min",
  "avg_weight_max",
  "avg_price",
  "avg_price_min",
  "avg_price_max",
  "head_count",
  "receipts",
  "receipts_prior",
  "receipts_year_ago",
] as const;

/** All columns of a row as published: texts first, then numbers. */
export const rawColumns = [
  ...issueTextColumns,
  ...wordColumns,
  ...issueDateColumns,
  ...rawNumberColumns,
] as const;
export type RawColumn = (typeof rawColumns)[number];
type RawNumberColumn = (typeof rawNumberColumns)[number];

/** One price row as published, as a reader returns it; staging adds `file_no`. */
export type RawReportRow = {file_no?: number} & {
  [C in Exclude<RawColumn, RawNumberColumn>]?: string | null;
} & {
  [C in RawNumberColumn]?: number | null;
} & {
  /** Set by the reader when it knows that the row must not be priced. */
  reject_reason?: string | null;
  reject_detail?: string | null;
};

/** Receipts by commodity label; `total` is the sum of all. */
export type Receipts = Readonly<Record<string, number | null>>;

/** The header of one report issue in a file. */
export type RawReportHeader = {
  file_no?: number;
  slug: string | null;
  report_title: string | null;
  report_begin_date: string;
  report_end_date: string;
  published: string | null;
  final_ind: string | null;
  is_correction?: boolean;
  /** The market comment as published. */
  narrative: string | null;
  /** What the report prints in asterisks beside it. */
  notices?: readonly string[];
  /** The office that wrote it. */
  office?: string | null;
  no_sale?: boolean;
  /** Trade terms that a market comment states for feeder cattle. */
  shrink?: string | null;
  slide?: string | null;
  receipts: Receipts;
  receipts_prior: Receipts;
  /** Day of the sale of `receipts_prior`, as printed. */
  last_reported_date?: string | null;
  receipts_year_ago: Receipts;
};
