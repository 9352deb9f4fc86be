/** Words of a report in the form in which rows and statements have them. */

/** Report headings that have prices here. */
export const commodities = [
  "feeder_cattle",
  "slaughter_cattle",
  "replacement_cattle",
  "dairy_calves",
] as const;
export type Commodity = (typeof commodities)[number];

/**
 * Sex and kind (`docs/design/market.md` section 1). `dairy_bulls` and `dairy_cows` have their own headings in the reports and are kept
 * separate, so that they never mix with the beef cells.
 */
export const cattleClasses = [
  "steers",
  "heifers",
  "bulls",
  "cows",
  "bred_cows",
  "bred_heifers",
  "stock_cows",
  "cow_calf_pairs",
  "heifer_pairs",
  "open_heifers",
  "dairy_steers",
  "dairy_heifers",
  "dairy_bulls",
  "dairy_cows",
  "baby_calves",
] as const;
export type CattleClass = (typeof cattleClasses)[number];

/** The reporter's comments on a lot; `other` for a comment not listed here (its text is in `lot_description`). */
export const lotDescriptors = [
  "value_added",
  "unweaned",
  "weaned",
  "fleshy",
  "thin_fleshed",
  "full",
  "gaunt",
  "fancy",
  "replacement",
  "source_aged",
  "brahman_x",
  "dairy_cross",
  "beef_cross",
  "exotic",
  "calves",
  "registered",
  "light_weight",
  "mexican_origin",
  "canadian_origin",
  "broken_mouth",
  "return_to_feed",
  "spayed",
  "guaranteed_open",
  "new_crop",
  "guaranteed_bred",
  "other",
] as const;
export type LotDescriptor = (typeof lotDescriptors)[number];

export const dressings = ["very_low", "low", "average", "high", "very_high"] as const;
export type Dressing = (typeof dressings)[number];

export const priceUnits = ["per_cwt", "per_head", "per_pair"] as const;
export type PriceUnit = (typeof priceUnits)[number];

export const reportScopes = [
  "venue",
  "state_summary",
  "regional_summary",
  "national_summary",
  "video_internet",
  "direct",
] as const;
export type ReportScope = (typeof reportScopes)[number];

/** What a reporter says of a market; an undertone is a direction without sales that prove it. */
export const trendDirections = [
  "higher",
  "lower",
  "steady",
  "mixed",
  "not_tested",
  "undertone_higher",
  "undertone_lower",
  "undertone_steady",
] as const;
export type TrendDirection = (typeof trendDirections)[number];

export const trendQualifiers = ["mostly", "unevenly", "limited", "instances"] as const;
export type TrendQualifier = (typeof trendQualifiers)[number];

/** Words for demand and supply, with `heavy` of supplies. */
export const amounts = [
  "very_good",
  "good",
  "moderate",
  "light",
  "very_light",
  "poor",
  "mixed",
  "heavy",
  "very_heavy",
] as const;
export type Amount = (typeof amounts)[number];
