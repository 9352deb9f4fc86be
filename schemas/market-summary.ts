import {z} from "zod";
import {CurveReason, DrawnCurve, Fit, penOfCurve} from "./market-curve.ts";
import {PriceUnit} from "./vocabulary/price-row.ts";

const usdPerCwt = (about: string) => z.number().nullable().describe(about);
const changeReason = (about: string) =>
  z
    .enum(["too_few", "no_earlier_sale", "not_comparable", "not_tested", "window_too_wide"])
    .nullable()
    .describe(about);

/** The official figure of a cell that is newer than all sales of a summary. */
const OfficialWeek = z.looseObject({
  state: z.string().describe("State of the official summary"),
  report_slug: z.string().describe("Upstream report"),
  week_begin_date: z.iso.date().describe("First day of its period"),
  week_end_date: z.iso.date().describe("Last day of its period"),
  cell_id: z.string().describe("Cell, as in the records of `/price-by-state`"),
  price_avg: z.number().describe("USD per unit of the cell, 2 decimals"),
  head_count: z.int().positive().describe("Head, or pairs"),
  avg_weight_lb: z
    .int()
    .nullable()
    .optional()
    .describe("Average weight of the rows of the cell, lb; null where the report has none"),
  sentence: z
    .string()
    .describe("The official figure in words; the claim of its evidence. It is told before the summary's"),
  evidence_id: z.string().describe("Its evidence"),
});
export type OfficialWeek = z.infer<typeof OfficialWeek>;
const officialWeek = OfficialWeek.nullable()
  .optional()
  .describe(
    "What the official summary of the state says of the cell at this weight, where its week began after the last sale of this summary; else null",
  );

/** One figure of feeder cattle of a class at a weight, from the weight curve of an area. */
export const PriceSummary = z
  .looseObject({
    class: z.enum(["steers", "heifers"]).describe("Class of the question"),
    weight_lb: z.number().describe("Weight of the question, at which the curve is read"),
    frame: z.literal("medium_and_large").describe("Frame of the figure"),
    muscle_grade: z.enum(["1", "1-2"]).describe("Grade of the figure; grades are never pooled as one price"),
    price_unit: z.literal("per_cwt").describe("Unit of the prices"),
    price_avg: usdPerCwt("USD per cwt at the weight, 2 decimals; null where `reason` says why"),
    price_low: usdPerCwt("Lower end of the range that holds about four pens in five"),
    price_high: usdPerCwt("Upper end of that range"),
    value_per_head: usdPerCwt("USD per head of that weight"),
    reason: CurveReason.nullable().describe("The first minimum that is not met; null when there is a figure"),
    reasons: z.array(CurveReason).describe("All minimums that are not met"),
    window_days: z
      .literal([7, 14, 21])
      .describe("Days of the sales: the shortest window that meets the minimums"),
    level_shift_pct: z
      .number()
      .optional()
      .describe(
        "Percent that the prices are above (below) the curve of a longer window, so that they join those of a shorter one; absent where they are the curve's",
      ),
    level_weights_lb: z
      .array(z.number())
      .optional()
      .describe("The nearest weights at which a shorter window has a figure, which the prices join"),
    head_count: z.int().nonnegative().describe("Head of the pens of the curve"),
    venues: z.int().nonnegative().describe("Venues that sold them"),
    states: z.int().nonnegative().describe("States of these venues"),
    counties: z.int().nonnegative().describe("Counties of these venues"),
    nearest_mi: z.number().nullable().describe("Miles to the nearest of these venues; null without a place"),
    farthest_mi: z.number().nullable().describe("Miles to the farthest of these venues"),
    first_sale_date: z.iso.date().nullable().describe("Earliest sale; null without one"),
    last_sale_date: z.iso.date().nullable().describe("Latest sale"),
    fit: Fit.nullable().describe("The curve behind the figure; null where none can be fitted"),
    head_by_age: z
      .array(
        z.looseObject({
          days: z.enum(["0-7", "8-14", "15-21"]).describe("Age of the sales in days"),
          share: z.number().describe("Share of the head near the weight"),
        }),
      )
      .describe("How old the cattle near the weight are"),
    by_grade: z
      .array(
        z.looseObject({
          muscle_grade: z.enum(["1", "1-2"]).describe("Muscle grade"),
          price_avg: usdPerCwt("USD per cwt of this grade at the weight; null below a minimum"),
          pens: z.int().positive().describe("Pens of the grade in the window"),
          pens_near: z.int().nonnegative().optional().describe("Of them those within 150 lb of the weight"),
          head_count: z.int().positive().describe("Their head"),
        }),
      )
      .describe("Each grade separately"),
    pens_at_weight: z
      .looseObject({
        pens: z.int().positive().describe("Pens of the grade within 25 lb of the weight, in the window"),
        head_count: z.int().positive().describe("Their head"),
        avg_weight_lb: z.int().positive().describe("Their average weight, by head"),
        price_avg: z.number().describe("USD per cwt over the pounds sold, 2 decimals"),
        price_low: z.number().describe("Lowest of their prices"),
        price_high: z.number().describe("Highest of their prices"),
      })
      .nullable()
      .optional()
      .describe(
        "What pens of that weight brought, as printed, beside the figure of the curve; null without one",
      ),
    grade_offset_pct: z
      .number()
      .nullable()
      .describe("Percent by which grade 1-2 differs from grade 1; null where too few pens of one were sold"),
    heifer_spread: usdPerCwt("Heifers less steers at the weight, USD per cwt; null where one has no figure"),
    slide: usdPerCwt("Price 50 lb lighter less price 50 lb heavier, USD per cwt; null outside the pens"),
    value_of_gain: z
      .array(
        z.looseObject({
          to_weight_lb: z.number().describe("Heavier weight"),
          value: z.number().nullable().describe("USD per pound gained; null outside the pens"),
        }),
      )
      .describe("What a pound of gain is worth from the weight to 100 and to 200 lb more"),
    residual_pens: z
      .array(
        z.looseObject({
          ...penOfCurve,
          percent: z.number().describe("Percent above (below) the curve"),
        }),
      )
      .describe("Pens far from the curve, which hardly count in it, farthest first"),
    last_sale: z
      .looseObject({
        venue_id: z.string().describe("Venue"),
        venue_name: z.string().describe("Its name"),
        place: z.string().describe("Its town and state"),
        date: z.iso.date().describe("Day of the sale"),
      })
      .nullable()
      .describe(
        "Newest sale of cattle of the grade within 150 lb of the weight; null without one in 28 days",
      ),
    change_week: usdPerCwt("`change_to` less `change_from` between two weeks, USD per cwt"),
    change_week_reason: changeReason("Why `change_week` is null"),
    change_14_days: usdPerCwt("The same between two fortnights, where the window has 14 days"),
    change_14_days_reason: changeReason("Why a window of 14 days has no `change_14_days`"),
    change_from: usdPerCwt("Figure of the earlier window, at the venues that sold in both"),
    change_to: usdPerCwt("Figure of the window, at the venues that sold in both"),
    change_venues: z.int().positive().nullable().describe("Venues that sold in both"),
    change_year: usdPerCwt("`change_year_to` less `change_year_from`, 364 days apart"),
    change_year_reason: changeReason("Why `change_year` is null"),
    change_year_from: usdPerCwt("Figure a year earlier, at the venues that sold in both"),
    change_year_to: usdPerCwt("Figure of the window, at the venues that sold in both"),
    sentence: z.string().describe("The summary in words; the claim of its evidence"),
    evidence_id: z.string().nullable().describe("Its evidence; null without a figure"),
    official: officialWeek,
    curve: DrawnCurve.nullable()
      .optional()
      .describe("With `curve=full`: the curve and its pens; null where none can be fitted"),
  })
  .meta({id: "PriceSummary"});
export type PriceSummary = z.infer<typeof PriceSummary>;
/** A summary without its sentence, its evidence, the official week and its curve, which are made of the other members or on demand. */
export type SummaryMembers = Pick<
  PriceSummary,
  Exclude<keyof typeof PriceSummary.shape, "sentence" | "evidence_id" | "official" | "curve">
>;

const members = PriceSummary.shape;

/** Why a cell has no figure. */
export const CellReason = z.enum(["too_few_pens", "too_few_head", "too_few_sales"]);
export type CellReason = z.infer<typeof CellReason>;

const words = (about: string) => z.string().nullable().describe(about);
const usd = (about: string) => z.number().nullable().describe(about);

/** One figure of other cattle than feeder steers and heifers: the mean of a cell over the sales of two weeks in an area. */
export const CellSummary = z
  .looseObject({
    cell_id: z.string().describe("Cell, as in the records"),
    commodity: z.string().describe("Commodity of the cell"),
    class: z.string().describe("Class of the question"),
    frame: words("Frame"),
    muscle_grade: words("Muscle grade; grades are never pooled as one price"),
    quality_grade: words("Slaughter grade, such as `boner`"),
    dressing: words("Dressing"),
    age_class: words("Age as reported"),
    pregnancy_stage: words("Stage as reported"),
    offspring_weight: words("Weight of the calf in lb, as reported"),
    weight_bin: words("50-lb bin in pounds; null for cattle whose cells have none"),
    price_unit: PriceUnit.describe("Unit of the prices"),
    price_avg: usd("USD per `price_unit`, 2 decimals; null where `reason` says why"),
    price_low: usd("Lowest price of the pens"),
    price_high: usd("Highest price of the pens"),
    weighting: z.enum(["pounds", "head", "pairs"]).describe("Weights of the mean"),
    avg_weight_lb: z.int().nullable().describe("Average weight in pounds, of the pens whose weight is known"),
    value_per_head: usd("USD per head at the average weight; `per_cwt` only"),
    reason: CellReason.nullable().describe("The first minimum that is not met; null when there is a figure"),
    reasons: z
      .array(CellReason)
      .describe("All minimums that are not met: 3 pens, 20 head (10 pairs), 2 sales"),
    window_days: z.int().describe("Days of the sales"),
    pens: z.int().nonnegative().describe("Pens of the window"),
    sales: z.int().nonnegative().describe("Sales (venue and day) of these pens"),
    head_count: z.int().nonnegative().describe("Their head, or pairs"),
    venues: members.venues,
    states: members.states,
    counties: members.counties,
    nearest_mi: members.nearest_mi,
    farthest_mi: members.farthest_mi,
    first_sale_date: members.first_sale_date,
    last_sale_date: members.last_sale_date,
    head_by_age: members.head_by_age,
    last_sale: members.last_sale.describe("Newest sale of the cell; null without one in 28 days"),
    change_14_days: usd("`change_to` less `change_from`, USD per `price_unit`"),
    change_14_days_reason: changeReason("Why `change_14_days` is null"),
    change_from: usd("Mean of the two weeks before, at the venues that sold in both fortnights"),
    change_to: usd("Mean of the two weeks, at the venues that sold in both fortnights"),
    change_venues: members.change_venues,
    sentence: members.sentence,
    evidence_id: members.evidence_id,
    official: members.official,
  })
  .meta({id: "CellSummary"});
export type CellSummary = Pick<z.infer<typeof CellSummary>, keyof typeof CellSummary.shape>;

/** A figure of the last 7 days for a state or the nation, from the same curve. */
export const Indicator = z
  .looseObject({
    area_kind: z.enum(["nation", "state"]).describe("Kind of the area"),
    area: z.string().describe("State letters; `US` for the nation"),
    class: members.class,
    weight_lb: members.weight_lb,
    muscle_grade: members.muscle_grade,
    window_end_date: z.iso.date().describe("Last day of the window of 7 days: the as-of date"),
    price_avg: members.price_avg,
    price_low: members.price_low,
    price_high: members.price_high,
    reason: members.reason,
    change_week: members.change_week,
    change_week_reason: members.change_week_reason,
    change_year: members.change_year,
    change_year_reason: members.change_year_reason,
    pens: z.int().nonnegative().describe("Pens of the curve"),
    pens_near: z.int().nonnegative().describe("Pens within 150 lb of the weight"),
    head_count: members.head_count,
    head_near: z.int().nonnegative().describe("Head within 150 lb of the weight"),
    venues: members.venues,
    states: members.states,
    residual_spread: z.number().nullable().describe("Spread of the prices around the curve, as a logarithm"),
    first_sale_date: members.first_sale_date,
    last_sale_date: members.last_sale_date,
    sentence: z
      .string()
      .describe("The indicator in words; the claim of its evidence. It is no exchange index"),
    evidence_id: members.evidence_id,
  })
  .meta({id: "Indicator"});
export type Indicator = z.infer<typeof Indicator>;
