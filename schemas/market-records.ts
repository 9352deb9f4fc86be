import {z} from "zod";
import {dealerFields} from "./market-fields/dealer.ts";
import {recordSchema} from "./market-fields/market-field.ts";
import {priceFields} from "./market-fields/price.ts";
import {venueFields} from "./market-fields/venue-fields.ts";

/** One (county, cell) of `/price-by-county`. */
export const CountyPrice = recordSchema(priceFields, "county").meta({id: "CountyPrice"});
export type CountyPrice = z.infer<typeof CountyPrice>;

/** One (state, cell) of `/price-by-state`. */
export const StatePrice = recordSchema(priceFields, "state").meta({id: "StatePrice"});
export type StatePrice = z.infer<typeof StatePrice>;

/** One reported row of a venue's latest sale, of `/latest-prices`. */
export const LatestPrice = recordSchema(priceFields, "latest").meta({id: "LatestPrice"});
export type LatestPrice = z.infer<typeof LatestPrice>;

/** One venue of `/cattle-sale-barn-directory`. */
export const DirectoryRow = recordSchema(venueFields, "directory").meta({id: "DirectoryRow"});
export type DirectoryRow = z.infer<typeof DirectoryRow>;

/** One venue of `/barns`. */
export const Barn = recordSchema(venueFields, "barn").meta({id: "Barn"});
export type Barn = z.infer<typeof Barn>;

/** One licence list of a state, of `/dealers/stats`. */
export const DealerStats = recordSchema(dealerFields, "dealer").meta({id: "DealerStats"});
export type DealerStats = z.infer<typeof DealerStats>;

/** `summary` of `/price-by-county`: one price over the cells without lot comment of a query with a class and a weight. */
export const PriceSummary = z
  .looseObject({
    price_avg: z
      .number()
      .describe("USD per `price_unit`, weighted by pounds (by head if priced per head), 2 decimals"),
    price_low: z.number().describe("Lowest price of the rows"),
    price_high: z.number().describe("Highest price of the rows"),
    price_unit: priceFields.price_unit.shape,
    weight_bin: priceFields.weight_bin.shape,
    head_count: z.int().positive().describe("Head behind the price"),
    venues: z.int().positive().describe("Venues that sold them"),
    counties: z.int().positive().describe("Counties of these venues"),
    nearest_mi: z
      .number()
      .nullable()
      .describe("Miles to the nearest of these counties; null without a place"),
    farthest_mi: z.number().nullable().describe("Miles to the farthest of these counties"),
    first_sale_date: z.iso.date().describe("Earliest sale"),
    last_sale_date: z.iso.date().describe("Latest sale"),
    change_week: z
      .number()
      .nullable()
      .describe("Against the sales a week earlier: cells of one venue each, not thin at either date"),
    change_year: z.number().nullable().describe("Against the sales a year earlier, in the same way"),
    matched_cells: z
      .int()
      .nonnegative()
      .describe("Matched cells behind `change_week`, else behind `change_year`"),
    by_grade: z
      .array(
        z.looseObject({
          frame: priceFields.frame.shape,
          muscle_grade: priceFields.muscle_grade.shape,
          price_avg: z.number().describe("USD per `price_unit`, 2 decimals"),
          head_count: z.int().positive().describe("Head of the grade"),
          pooled: z.boolean().describe("True if the grade is part of the summary's own price"),
        }),
      )
      .describe("Each grade separately: those in the price first, then by head"),
    sentence: z.string().describe("The summary in words; the claim of its evidence"),
    evidence_id: priceFields.evidence_id.shape,
  })
  .meta({id: "PriceSummary"});
export type PriceSummary = z.infer<typeof PriceSummary>;

/** `summary` of `/dealers/stats`. */
export const DealerSummary = z
  .looseObject({
    states_with_list: z.int().nonnegative().describe("States with a list in this build"),
    states_without_list: z.int().nonnegative().describe("States without one"),
    total_entities: z.int().nonnegative().nullable().describe("Null when no list is in this build"),
    total_is_lower_bound: z.literal(true).describe("Always true: not every state publishes a list"),
  })
  .meta({id: "DealerSummary"});
export type DealerSummary = z.infer<typeof DealerSummary>;
