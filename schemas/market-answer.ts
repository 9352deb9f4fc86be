import {z} from "zod";
import {Evidence} from "./market-evidence.ts";
import {
  Barn,
  CountyPrice,
  DealerStats,
  DealerSummary,
  DirectoryRow,
  LatestPrice,
  StatePrice,
} from "./market-records.ts";
import {MarketSourceId} from "./market-source.ts";

export * from "./market-evidence.ts";
export * from "./market-records.ts";

/** One signal beside the records: drought, weather alert, diesel, futures, animal health, facilities, inventory. */
export const ContextItem = z
  .looseObject({
    signal: z.string(),
    source_id: MarketSourceId,
    key_type: z.string().describe("What `key` is: `county`, `state`, `zone`, `padd` or `venue`"),
    key: z.string(),
    values: z.record(z.string(), z.unknown()).describe("Values with their units in the names"),
    valid_from: z.string().nullable(),
    valid_to: z.string().nullable(),
    source_date: z.iso.date().nullable(),
    age_days: z.int().nullable(),
    freshness: z.string().nullable(),
    limitations: z.array(z.string()),
  })
  .meta({id: "ContextItem"});
export type ContextItem = z.infer<typeof ContextItem>;

const ResultStatus = z.enum(["ok", "partial", "no_rows", "unresolved_location"]);

/** The question as the server read it. */
const MarketQuery = z
  .looseObject({
    applied: z.record(z.string(), z.unknown()).describe("Parameters as they were used"),
    ignored: z.array(z.string()).describe("Unknown parameters"),
    resolution: z.record(z.string(), z.unknown()).describe("How a ZIP or a county name was resolved"),
  })
  .meta({id: "MarketQuery"});

const Page = z
  .looseObject({
    returned: z.int().nonnegative(),
    total: z.int().nonnegative(),
    limit: z.int().positive().nullable().describe("Rows; null where the endpoint has no limit"),
    truncated: z.boolean(),
  })
  .meta({id: "Page"});

/** The envelope of every cattle-market answer; further properties may come. */
const MarketEnvelope = z
  .looseObject({
    generated_at: z.iso.datetime().nullable().describe("When the build was computed"),
    source_date: z.iso.date().nullable().describe("Latest source date among the evidence"),
    source_date_earliest: z.iso.date().nullable(),
    sources: z.array(MarketSourceId).describe("Source ids used, sorted"),
    limitations: z.array(z.string()).describe("Caveats for the answer"),
    build_id: z.string(),
    as_of_date: z.iso.date(),
    query: MarketQuery,
    result_status: ResultStatus,
    last_known_source_date: z.iso
      .date()
      .nullable()
      .optional()
      .describe("With `no_rows`: latest date in the history"),
    records: z.array(z.unknown()),
    evidence: z.array(Evidence),
    context: z.array(ContextItem),
    page: Page,
  })
  .meta({id: "MarketEnvelope"});

/** Answers by endpoint: the envelope with the endpoint's own records. */
export const CountyPriceAnswer = MarketEnvelope.extend({records: z.array(CountyPrice)}).meta({
  id: "CountyPriceAnswer",
});
export const StatePriceAnswer = MarketEnvelope.extend({records: z.array(StatePrice)}).meta({
  id: "StatePriceAnswer",
});
export const LatestPriceAnswer = MarketEnvelope.extend({records: z.array(LatestPrice)}).meta({
  id: "LatestPriceAnswer",
});
export const DirectoryAnswer = MarketEnvelope.extend({records: z.array(DirectoryRow)}).meta({
  id: "DirectoryAnswer",
});
export const BarnAnswer = MarketEnvelope.extend({records: z.array(Barn)}).meta({id: "BarnAnswer"});
export const DealerStatsAnswer = MarketEnvelope.extend({
  records: z.array(DealerStats),
  summary: DealerSummary,
}).meta({id: "DealerStatsAnswer"});
