import {amounts, trendDirections, trendQualifiers} from "@open-cattle/usda-reports/words";
import {z} from "zod";
import {CattleClass, Commodity, PriceUnit} from "./price-row.ts";

/** What a reporter says of a market; an undertone is a direction without sales that prove it. */
export const TrendDirection = z.enum(trendDirections);
export type TrendDirection = z.infer<typeof TrendDirection>;

export const TrendQualifier = z.enum(trendQualifiers);
export type TrendQualifier = z.infer<typeof TrendQualifier>;

/** One statement of a reporter on the market of a kind of cattle. */
export const Trend = z
  .looseObject({
    class: CattleClass.nullable().describe("Kind of cattle; null: all kinds of the commodity"),
    commodity: Commodity.nullable().describe("Null with a null class: the whole report; else not said"),
    kind: z.string().nullable().describe("What else narrows it: `calves`, `yearlings`, `young`, `feeding` …"),
    weight_low_lb: z.int().nullable().describe("Lowest weight in pounds; null without a lower bound"),
    weight_high_lb: z.int().nullable().describe("Highest weight in pounds; null without an upper bound"),
    grade: z.string().nullable().describe("Slaughter grade, such as `boner`"),
    direction: TrendDirection.describe("Of prices, against the week or sale before"),
    low: z.number().nullable().describe("USD: least move, positive; of `mixed` the lowest, negative"),
    high: z.number().nullable().describe("USD: greatest move; null for steady and where none is said"),
    unit: PriceUnit.nullable().describe(
      "Unit of `low` and `high`; of calves of dairies and crosses null where the sentence says none",
    ),
    qualifier: TrendQualifier.nullable().describe("How the reporter limits it"),
    compared_with: z
      .string()
      .nullable()
      .describe("`last_week`, `two_weeks`, `last_sale`, `last_year` or a date; null if not said"),
    text: z.string().describe("The sentence that says it"),
  })
  .meta({id: "Trend"});
export type Trend = z.infer<typeof Trend>;

/** Words for demand and supply, with `heavy` of supplies. */
export const Amount = z.enum(amounts);
export type Amount = z.infer<typeof Amount>;

const shares = z.record(z.string(), z.number()).nullable();

/** The kinds of cattle in a sale, in percent of head as printed. */
export const SupplyShares = z
  .looseObject({
    feeder_pct: z.number().nullable().describe("Feeder cattle in percent of all head"),
    feeder: shares.describe("Percent of the feeder cattle: `steers_pct`, `heifers_pct` …"),
    over_600_lb_pct: z.number().nullable().describe("Feeder cattle over 600 lb, in percent of these"),
    slaughter_pct: z.number().nullable().describe("Slaughter cattle in percent of all head"),
    slaughter: shares.describe("Percent of the slaughter cattle"),
    replacement_pct: z.number().nullable().describe("Replacement cattle in percent of all head"),
    replacement: shares.describe("Percent of the replacement cattle"),
  })
  .meta({id: "SupplyShares"});
export type SupplyShares = z.infer<typeof SupplyShares>;

/** A coming sale, or a day without one, that the report announces. */
export const Announcement = z
  .looseObject({
    date: z.iso.date().describe("Day of the sale"),
    kind: z
      .enum(["special", "no_sale"])
      .describe("A sale (special, the next, or moved to that day), or none"),
    text: z.string().describe("The notice, or the sentence of the comment"),
    head: z.int().nullable().describe("Head that are expected; null if not said"),
  })
  .meta({id: "Announcement"});
export type Announcement = z.infer<typeof Announcement>;

/** What the reporter of a sale or a week writes, as fields beside the text. */
export const Reporter = z
  .looseObject({
    trend: z.array(Trend).describe("Statements on the market, in order"),
    demand: Amount.nullable().describe("Demand; the lower word of a range"),
    demand_to: Amount.nullable().describe("The higher word of a range, else null"),
    supply: Amount.nullable().describe("Supply; the lower word of a range"),
    supply_to: Amount.nullable().describe("The higher word of a range, else null"),
    supply_shares: SupplyShares.nullable().describe("What the supply consisted of"),
    market_test: z
      .enum(["tested", "partly", "none", "unstated"])
      .describe("Whether enough cattle sold for a market test; `partly`: not of every kind"),
    quality: z.array(z.string()).describe("Words of the sentences on quality and condition, in order"),
    special_sale_name: z.string().nullable().describe("Name of a special sale, from a notice"),
    announced: z.array(Announcement).describe("Coming sales and days without one"),
    trend_unparsed: z.int().nonnegative().describe("Statements with a direction that no form fits"),
    text: z.string().describe("The paragraph"),
    text_published_by: z.string().nullable().describe("Office of the reporter, as printed"),
    credit: z.string().describe("Whom to credit for the text"),
  })
  .meta({id: "Reporter"});
export type Reporter = z.infer<typeof Reporter>;
