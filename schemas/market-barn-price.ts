import {z} from "zod";
import {venueFields} from "./market-fields/venue-fields.ts";
import {ScheduleRule} from "./vocabulary/venue.ts";

/** The members by which answers name a venue. */
export const venueMembers = {
  venue_id: venueFields.venue_id.shape,
  venue_name: venueFields.venue_name.shape,
  city: venueFields.city.shape,
  state: venueFields.state.shape,
};

const usd = (about: string) => z.number().nullable().describe(about);

/** What one barn paid for a class and a weight at its newest sale of the class. */
export const BarnPrice = z
  .looseObject({
    ...venueMembers,
    distance_mi: z.number().describe("Great-circle miles from the place of the question, 1 decimal"),
    sale_date: z.iso.date().describe("Its newest sale of the class"),
    price_avg: usd(
      "USD per cwt of Medium and Large 1 at the weight, 2 decimals; null where `reason` says why",
    ),
    basis: z
      .enum(["curve", "pens"])
      .nullable()
      .describe(
        "`curve`: the weight curve of that sale, where it has the minimums; `pens`: the mean of its pens of the grade within 25 lb",
      ),
    pens: z
      .int()
      .nonnegative()
      .describe("Pens of the grade that the price rests on: within 150 lb for a curve, else within 25 lb"),
    head_count: z.int().nonnegative().describe("Their head"),
    avg_weight_lb: z
      .int()
      .positive()
      .nullable()
      .optional()
      .describe("Their average weight, by head; null without pens"),
    by_grade: z
      .array(
        z.looseObject({
          muscle_grade: z.enum(["1", "1-2"]).describe("Muscle grade"),
          price_avg: z.number().describe("USD per cwt of the grade at the weight"),
          pens: z.int().positive().describe("Its pens"),
          head_count: z.int().positive().describe("Their head"),
        }),
      )
      .describe("Each grade separately; grades are never pooled as one price"),
    reason: z
      .enum(["none_of_the_weight", "none_of_the_grade", "other_lots_alone"])
      .nullable()
      .describe(
        "Why there is no price: no pen within 25 lb, none of Medium and Large 1, or a sale of other frames and grades and lots with a comment alone",
      ),
    nearest_lot: z
      .looseObject({
        avg_weight_lb: z.number().describe("Its weight"),
        price_avg: z.number().describe("USD per cwt"),
        head_count: z.int().positive().describe("Its head"),
      })
      .nullable()
      .optional()
      .describe("Without a price: the pen of Medium and Large 1 whose weight is nearest; null without one"),
    change_week: usd(
      "Less the price of its sale 4 to 10 days before; null unless both sales have 5 pens and 50 head near the weight and both prices one `basis`",
    ),
    next_sale_date: venueFields.next_sale_date.shape,
    next_sale_kind: ScheduleRule.shape.kind
      .nullable()
      .describe("Whether that sale is a regular or a special one; null without a schedule for the class"),
    freight_hd: usd(
      "USD of freight per head over `distance_mi`, by the costs of the question; null without them",
    ),
    net_per_head: usd("USD per head after shrink, commission and freight; null without costs or price"),
    evidence_id: z.string().nullable().describe("Its evidence; null without a price"),
  })
  .meta({id: "BarnPrice"});
export type BarnPrice = z.infer<typeof BarnPrice>;

/** A barn near a ZIP, whether or not it sold the cattle of the question. */
export const NearbyBarn = z
  .looseObject({
    ...venueMembers,
    distance_mi: z.number().describe("Great-circle miles from the ZIP, 1 decimal"),
    sale_days: venueFields.sale_days.shape,
    last_sale_date: z.iso.date().nullable().describe("Its last reported sale"),
    next_sale_date: venueFields.next_sale_date.shape,
    phone: venueFields.phone.shape,
  })
  .meta({id: "NearbyBarn"});
export type NearbyBarn = z.infer<typeof NearbyBarn>;
