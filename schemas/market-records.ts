import {z} from "zod";
import {dealerFields} from "./market-fields/dealer.ts";
import {mandatoryFields} from "./market-fields/mandatory.ts";
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

/** One line of a mandatory report, after the records of `/price-by-state` and `/latest-prices`. */
export const MandatoryPrice = recordSchema(mandatoryFields, "mandatory").meta({id: "MandatoryPrice"});
export type MandatoryPrice = z.infer<typeof MandatoryPrice>;

/** One venue of `/cattle-sale-barn-directory`. */
export const DirectoryRow = recordSchema(venueFields, "directory").meta({id: "DirectoryRow"});
export type DirectoryRow = z.infer<typeof DirectoryRow>;

/** One venue of `/barns`. */
export const Barn = recordSchema(venueFields, "barn").meta({id: "Barn"});
export type Barn = z.infer<typeof Barn>;

/** One licence list of a state, of `/dealers/stats`. */
export const DealerStats = recordSchema(dealerFields, "dealer").meta({id: "DealerStats"});
export type DealerStats = z.infer<typeof DealerStats>;

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
