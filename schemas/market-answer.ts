import {z} from "zod";
import {BarnPrice, NearbyBarn, venueMembers} from "./market-barn-price.ts";
import {Evidence} from "./market-evidence.ts";
import {venueFields} from "./market-fields/venue-fields.ts";
import {
  Barn,
  CountyPrice,
  DealerStats,
  DealerSummary,
  DirectoryRow,
  LatestPrice,
  MandatoryPrice,
  StatePrice,
} from "./market-records.ts";
import {MarketSource, MarketSourceId} from "./market-source.ts";
import {CellSummary, Indicator, PriceSummary} from "./market-summary.ts";

export * from "./market-evidence.ts";
export * from "./market-records.ts";
export * from "./market-summary.ts";

/** One signal shown beside the records: drought, weather alert, diesel, futures, animal health, facilities, inventory. */
export const ContextItem = z
  .looseObject({
    signal: z.string().describe("Kind of signal"),
    source_id: MarketSourceId,
    key_type: z.string().describe("What `key` is: `county`, `state`, `zone`, `padd` or `venue`"),
    key: z.string().describe("Area or venue of the signal"),
    values: z.record(z.string(), z.unknown()).describe("Values with their units in the names"),
    valid_from: z.string().nullable().describe("First day or instant of its validity"),
    valid_to: z.string().nullable().describe("Last day or instant of its validity"),
    source_date: z.iso.date().nullable().describe("Date of the source"),
    age_days: z.int().nullable().describe("Days before `as_of_date`"),
    freshness: z.string().nullable().describe("Freshness class of its age"),
    limitations: z.array(z.string()).describe("Caveats for the signal"),
  })
  .meta({id: "ContextItem"});
export type ContextItem = z.infer<typeof ContextItem>;

/** The query as the server understood it. */
const MarketQuery = z
  .looseObject({
    applied: z.record(z.string(), z.unknown()).describe("Parameters as they were used"),
    ignored: z.array(z.string()).describe("Unknown parameters"),
    resolution: z.record(z.string(), z.unknown()).describe("How a ZIP or a county name was resolved"),
  })
  .meta({id: "MarketQuery"});

/** A source as answers show it. */
const SourceEntry = MarketSource.pick({
  id: true,
  name: true,
  type: true,
  role: true,
  citationBoundary: true,
})
  .extend({terms: MarketSource.shape.terms.optional()})
  .meta({id: "SourceRegistryEntry"});

/** The nearest market, given if nothing is reported near a ZIP. */
export const NearestMarket = z
  .looseObject({
    ...venueMembers,
    county_fips: venueFields.county_fips.shape,
    distance_mi: z.number().describe("Great-circle miles from the ZIP to the market, 1 decimal"),
    last_sale_date: z.iso.date().describe("Its latest reported sale"),
    no_sale_on: z
      .array(z.iso.date())
      .optional()
      .describe("Later days on which it reported that no sale was held"),
  })
  .meta({id: "NearestMarket"});
export type NearestMarket = z.infer<typeof NearestMarket>;

/** An official state summary that is more recent than every county record of its state. */
export const StateSummaryPointer = z
  .looseObject({
    state: venueFields.state.shape,
    week_end_date: z.iso.date().describe("Last day of the summary's period"),
    report_slug: z.string().describe("Upstream report"),
  })
  .meta({id: "StateSummaryPointer"});
export type StateSummaryPointer = z.infer<typeof StateSummaryPointer>;

const Page = z
  .looseObject({
    returned: z.int().nonnegative().describe("Records on this page"),
    total: z.int().nonnegative().describe("Records that fit"),
    limit: z.int().positive().describe("Maximum number of records on a page"),
    offset: z.int().nonnegative().describe("Records before the page"),
    truncated: z.boolean().describe("True when more records follow"),
    next_cursor: z
      .string()
      .nullable()
      .optional()
      .describe("With `from` or `to`: `cursor` of the next page; null after the last record"),
  })
  .meta({id: "Page"});

/** The records of an answer that ends with lines of mandatory reports. */
const withMandatory = <Item extends z.ZodType>(item: Item) => z.union([item, MandatoryPrice]);

/** The envelope of every cattle-market answer, with the records of one endpoint; properties may be added. */
function answerOf<Item extends z.ZodType>(item: Item) {
  return z.looseObject({
    generated_at: z.iso.datetime().nullable().describe("When the build was computed"),
    source_date: z.iso.date().nullable().describe("Latest source date among the evidence"),
    source_date_earliest: z.iso.date().nullable().describe("Earliest source date among the evidence"),
    sources: z.array(MarketSourceId).describe("Source ids used, sorted"),
    limitations: z.array(z.string()).describe("Caveats for the answer"),
    build_id: z.string().describe("The data build"),
    as_of_date: z.iso.date().describe("Day from which ages are counted; of past sales, that is `to`"),
    query: MarketQuery,
    result_status: z
      .enum(["ok", "partial", "no_rows", "unresolved_location"])
      .describe("Whether there is an answer to the query"),
    last_known_source_date: z.iso
      .date()
      .nullable()
      .optional()
      .describe(
        "With `no_rows`: newest date known of the place; null where the question names kinds of cattle",
      ),
    no_report_held: z
      .string()
      .optional()
      .describe("Place in words, where nothing is found because the build holds no report of a sale there"),
    records: z.array(item).describe("The records of the page, in order"),
    evidence: z.array(Evidence).optional().describe("Evidence of the records; absent with `evidence=none`"),
    context: z.array(ContextItem).describe("Signals beside the records"),
    source_registry: z.array(SourceEntry).describe("Registry entries of exactly the ids in `sources`"),
    page: Page,
  });
}

const summary = z.union([PriceSummary, CellSummary]);
const summaryMembers = {
  summary: summary
    .nullable()
    .optional()
    .describe(
      "With a class of feeders and a weight: one figure from the weight curve of the area; with a class of other cattle that of its most important cell; if null, `summary_reason` says why",
    ),
  summaries: z
    .array(summary)
    .optional()
    .describe(
      "With a class of feeders and no weight: the figures at 550 and at 750 lb; of other cattle those of its cells, most important first",
    ),
  summary_reason: z.string().optional().describe("Why `summary` is null"),
};

/** Answers by endpoint: the envelope with the endpoint's own records. */
export const CountyPriceAnswer = answerOf(CountyPrice)
  .extend({
    nearest_market: NearestMarket.optional().describe(
      "With a ZIP and no records: the nearest market that reports",
    ),
    state_summary: StateSummaryPointer.optional().describe(
      "With a ZIP: a state summary more recent than every county record of the ZIP's state",
    ),
    nearest_barns: z
      .array(NearbyBarn)
      .optional()
      .describe("With a ZIP: the five nearest barns, whether or not they sold such cattle"),
    ...summaryMembers,
  })
  .meta({id: "CountyPriceAnswer"});
export const StatePriceAnswer = answerOf(withMandatory(StatePrice))
  .extend({
    ...summaryMembers,
    indicators: z
      .array(Indicator)
      .optional()
      .describe(
        "Figures of the last 7 days for the nation and the state: steers and heifers at 550 and 750 lb",
      ),
  })
  .meta({id: "StatePriceAnswer"});
export const LatestPriceAnswer = answerOf(withMandatory(LatestPrice))
  .extend({
    nearest_market: NearestMarket.optional().describe(
      "With a place and no records: the nearest market that reports",
    ),
    barns: z
      .array(BarnPrice)
      .optional()
      .describe(
        "With a place, one class of feeders and a weight: what each of up to 25 barns within the radius paid for that weight at its newest sale of the class",
      ),
  })
  .meta({id: "LatestPriceAnswer"});
export const DirectoryAnswer = answerOf(DirectoryRow).meta({id: "DirectoryAnswer"});
export const BarnAnswer = answerOf(Barn).meta({id: "BarnAnswer"});
export const DealerStatsAnswer = answerOf(DealerStats)
  .extend({summary: DealerSummary})
  .meta({id: "DealerStatsAnswer"});
