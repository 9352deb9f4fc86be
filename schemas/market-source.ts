import {z} from "zod";
import {FeedFetch} from "./fetch-source.ts";
import {HandOn} from "./terms.ts";

/** The fourteen registered source ids, in registry order. The contract fixes them. */
export const marketSourceIds = [
  "ams-lmr-datamart",
  "nass-quickstats",
  "mars",
  "aphis",
  "us-drought-monitor",
  "nws",
  "futures",
  "diesel",
  "echo",
  "open-map-parcel-context",
  "derived-aggregates",
  "state-brand-inspection-agencies",
  "state-agriculture-reference-pages",
  "editorial-market-reference-sources",
] as const;

export const MarketSourceId = z.enum(marketSourceIds).meta({id: "MarketSourceId"});
export type MarketSourceId = z.infer<typeof MarketSourceId>;

/** An entry of the source registry, `data/sources/market.json`. */
export const MarketSource = z.strictObject({
  id: MarketSourceId.describe("Registry id, as in the `source_id` columns of the market"),
  name: z.string().min(1).describe("Name of the source"),
  type: z.string().min(1).describe("What kind of source this is; fixed by the contract"),
  role: z.string().min(1).describe("What the answers use it for"),
  citationBoundary: z
    .string()
    .min(1)
    .describe("What a citation of it does and does not imply; used verbatim"),
  publisher: z.string().min(1).describe("Who publishes it"),
  cadence: z.string().min(1).describe("When the publisher releases something new"),
  access: z.string().min(1).describe("How it is read"),
  terms: z.string().min(1).describe("Short form of the terms of use"),
  sample_note: z
    .string()
    .min(1)
    .optional()
    .describe(
      "The shapes for which the reader was built, if few or no real payloads of the feed were available",
    ),
  freshness_days: z.int().positive().describe("Days after which the newest content counts as late"),
});
export type MarketSource = z.infer<typeof MarketSource>;

/** An entry of the registry file, with the addresses that `cattle fetch` requests; a source without them is placed by hand. */
const RegisteredMarketSource = MarketSource.extend({
  handOn: HandOn.optional(),
  feeds: z.array(FeedFetch).optional(),
});

/** The registry file: every id exactly once, in registry order. */
export const MarketSourceFile = z
  .array(RegisteredMarketSource)
  .refine(
    (sources) => sources.map((source) => source.id).join() === marketSourceIds.join(),
    "expected the fourteen registered ids, each once, in registry order",
  );
