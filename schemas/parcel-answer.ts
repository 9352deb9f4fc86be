import {z} from "zod";
import {ParcelMatch, PropertyRecord} from "./parcel-record.ts";

export const CoverageStatus = z.enum(["live", "partial", "planned"]);
export type CoverageStatus = z.infer<typeof CoverageStatus>;

/** The completeness of the dataset for an area. */
export const Coverage = z
  .looseObject({
    state: z.string().describe("Two letters"),
    county: z.string().optional().describe("County name, upper case"),
    countyKey: z.string().optional().describe("5-digit FIPS code; in Manitoba `MB` and 3 digits"),
    status: CoverageStatus.describe(
      "`live`: complete pull; `partial`: an extract or found by lookups; `planned`: neither",
    ),
    vintage: z.string().optional().describe("Newest vintage, YYYY-MM-DD or YYYY"),
    rows: z.int().optional().describe("Parcels in the dataset"),
    counties: z
      .looseObject({live: z.int(), total: z.int()})
      .optional()
      .describe("Counties of the state that are live, and all"),
  })
  .meta({id: "ParcelCoverage"});
export type Coverage = z.infer<typeof Coverage>;

export const CadastreStatus = z.enum([
  "not_asked",
  "found",
  "empty",
  "unsupported",
  "county_unknown",
  "unavailable",
  "timeout",
  "paused",
  "rejected",
]);
export type CadastreStatus = z.infer<typeof CadastreStatus>;

/** The origin of an answer, and the outcome of a query to the county. */
export const LookupFacts = z
  .looseObject({
    origin: z.enum(["dataset", "delta", "cadastre"]).describe("Where the parcels of the answer come from"),
    cadastreStatus: CadastreStatus.describe("What asking the county's own service gave"),
    persisted: z.boolean().optional().describe("With `found`: the parcel is stored for later lookups"),
    sourceAdded: z.boolean().optional().describe("With `found`: the source now belongs to the dataset"),
  })
  .meta({id: "ParcelLookupFacts"});
export type LookupFacts = z.infer<typeof LookupFacts>;

export const ParcelSourceFacts = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    publisher: z.string().optional(),
    licence: z.string().optional().describe("Name or address of the licence, or the terms in a sentence"),
    attribution: z.string().optional().describe("Credit line"),
    url: z.string().optional(),
    vintage: z.string().optional().describe("Newest vintage of the source in the build"),
  })
  .meta({id: "ParcelSource"});
export type ParcelSourceFacts = z.infer<typeof ParcelSourceFacts>;

const metadata = {
  query: z
    .looseObject({
      applied: z.record(z.string(), z.unknown()).describe("Parameters as they were applied"),
      ignored: z.array(z.string()).describe("Names of parameters that this endpoint does not know"),
      resolution: z
        .record(z.string(), z.unknown())
        .describe("Parsed address or id forms; state and county, and from what they were chosen"),
    })
    .describe("How the question was read"),
  coverage: z.array(Coverage).max(25).describe("Of the county, or of the states touched; sorted"),
  sources: z.array(ParcelSourceFacts).describe("Exactly the sources used, sorted by id"),
  lookup: LookupFacts,
  limitations: z.array(z.string()).describe("What the answer is not; the general sentence first"),
  generatedAt: z.string().describe("When the data behind the answer was fixed, UTC"),
  buildId: z.string().describe("The data build"),
};

export const ParcelMetadata = z.looseObject(metadata).meta({id: "ParcelMetadata"});

export const ParcelListMetadata = z
  .looseObject({
    limit: z.int().describe("Applied page size"),
    offset: z.int().describe("Applied offset"),
    count: z.int().describe("Records on this page"),
    total: z.int().describe("Exact number of hits before paging"),
    nextOffset: z.int().nullable().describe("Offset of the next page; null at the end"),
    searchCenter: z
      .looseObject({longitude: z.number(), latitude: z.number()})
      .optional()
      .describe("Location search: the point as used"),
    radiusMiles: z.number().optional().describe("Location search: miles as used"),
    unclassified: z
      .int()
      .optional()
      .describe("With `use` or `residential`: rows that fit but have no category; they are left out"),
    ...metadata,
  })
  .meta({id: "ParcelListMetadata"});

/** Answer of a lookup for one parcel. */
export const ParcelAnswer = z
  .looseObject({property: PropertyRecord, metadata: ParcelMetadata})
  .meta({id: "ParcelAnswer"});

/** Answer of a search. */
export const ParcelListAnswer = z
  .looseObject({properties: z.array(PropertyRecord), metadata: ParcelListMetadata})
  .meta({id: "ParcelListAnswer"});

/** One of several parcels that fit a lookup for one; never with an owner. */
export const ParcelCandidate = z
  .looseObject({
    parcelUid: z.string(),
    parcelId: z.string().optional(),
    address: z.string().optional(),
    city: z.string().optional(),
    county: z.string(),
    state: z.string(),
    acres: z.number().optional(),
    match: ParcelMatch.omit({notes: true}),
  })
  .meta({id: "ParcelCandidate"});
export type ParcelCandidate = z.infer<typeof ParcelCandidate>;

/** Members of a 400 `ambiguous-parcel` beside those of every problem. */
export const AmbiguousMembers = z.looseObject({
  candidates: z
    .array(ParcelCandidate)
    .max(100)
    .describe("Best first; ten, or the page that `limit` and `offset` name"),
  candidateTotal: z.int().min(2).describe("How many parcels fit"),
});

/** Members of a 404 or of a 503 `cadastre-unavailable` beside those of every problem. */
export const MissMembers = z.looseObject({
  query: metadata.query.optional(),
  coverage: metadata.coverage,
  lookup: LookupFacts,
  limitations: metadata.limitations.optional(),
});
