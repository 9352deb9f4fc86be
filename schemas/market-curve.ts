import {z} from "zod";

/** Why there is no figure, in the order of the table of minimums in `docs/design/market.md` section 7.1. */
export const CurveReason = z.enum([
  "too_few_pens",
  "too_few_head",
  "too_few_of_the_grade",
  "too_few_states",
  "one_small_sale",
  "no_weight_support",
  "one_pen_dominates",
  "prices_too_scattered",
]);
export type CurveReason = z.infer<typeof CurveReason>;

/** The curve behind a figure, and its support near the weight. */
export const Fit = z.looseObject({
  degree: z.int().min(1).max(3).describe("Degree of the curve"),
  pens: z.int().positive().describe("Pens of the curve, of both grades where it holds both"),
  pens_near: z.int().nonnegative().describe("Pens within 150 lb of the weight"),
  head_near: z.int().nonnegative().describe("Their head"),
  untested_near: z
    .int()
    .nonnegative()
    .describe(
      "Of them those of which the reporter says that there was no market test or nothing to compare with",
    ),
  sales: z.int().positive().describe("Sales (venue and day) of the pens of the curve"),
  sales_near: z.int().nonnegative().describe("Sales of the pens within 150 lb"),
  venues: z.int().positive().describe("Venues of the pens of the curve"),
  residual_spread: z.number().describe("Spread of the prices around the curve, as a logarithm, 4 decimals"),
  weight_min_lb: z.number().describe("Lightest pen"),
  weight_max_lb: z.number().describe("Heaviest pen"),
  effective_pens: z.number().describe("`(sum v)^2 / sum v^2` of the weights that the pens near count with"),
});

/** A pen of a curve. */
export const penOfCurve = {
  venue_id: z.string().describe("Venue"),
  sale_date: z.iso.date().describe("Day of the sale"),
  muscle_grade: z.enum(["1", "1-2"]).describe("Muscle grade"),
  avg_weight_lb: z.number().describe("Weight of the pen"),
  head_count: z.int().positive().describe("Head of the pen"),
  price_avg: z.number().describe("USD per cwt"),
};

/** The curve behind a figure, to be drawn. */
export const DrawnCurve = z.looseObject({
  points: z
    .array(
      z.looseObject({
        weight_lb: z.number().describe("Weight"),
        by_grade: z
          .array(
            z.looseObject({
              muscle_grade: z.enum(["1", "1-2"]).describe("Muscle grade"),
              price_avg: z.number().describe("USD per cwt of the curve"),
            }),
          )
          .describe("The grades that the curve holds"),
      }),
    )
    .describe("The curve each 25 lb, from its lightest to its heaviest pen"),
  pens: z.array(z.looseObject(penOfCurve)).describe("The pens behind it, lightest first"),
});
