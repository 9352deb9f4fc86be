import {z} from "zod";
import {ParcelMatch, PropertyRecord} from "./parcel-record.ts";
import {ProblemDocument} from "./problem.ts";

export const CoverageStatus = z.enum(["live", "partial", "planned"]);
export type CoverageStatus = z.infer<typeof CoverageStatus>;

/** How complete the dataset is for an area. */
export const Coverage = z
  .looseObject({
    state: z.string().describe("Two letters"),
    county: z.string().optional().describe("County name, upper case"),
    countyKey: z.string().optional().describe("5-digit FIPS code; in Manitoba `MB` and 3 digits"),
    status: CoverageStatus.describe(
      "`live`: complete pull; `partial`: an extract or found by lookups; `planned`: neither",
    ),
    places: z
      .array(z.string())
      .optional()
      .describe("Municipalities that the sources of a partial county cover"),
    vintage: z.string().optional().describe("Newest vintage, YYYY-MM-DD or YYYY"),
    rows: z.int().optional().describe("Parcels in the dataset"),
    counties: z
      .looseObject({
        withParcels: z.int().optional().describe("Counties with a parcel"),
        live: z.int().describe("Live counties"),
        total: z
          .int()
          .optional()
          .describe("All counties; absent for Manitoba, whose municipalities are in no table"),
      })
      .optional()
      .describe("Counties of the state with parcels, those that are live, and all"),
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

/** Where an answer came from, and the outcome of a query to the county. */
export const LookupFacts = z
  .looseObject({
    origin: z.enum(["dataset", "delta", "cadastre"]).describe("Where the parcels of the answer come from"),
    cadastreStatus: CadastreStatus.describe("Outcome of the query to the county's own service"),
    persisted: z.boolean().optional().describe("With `found`: the parcel is stored for later lookups"),
    sourceAdded: z.boolean().optional().describe("With `found`: the source now belongs to the dataset"),
  })
  .meta({id: "ParcelLookupFacts"});
export type LookupFacts = z.infer<typeof LookupFacts>;

export const ParcelSourceFacts = z
  .looseObject({
    id: z.string().describe("Registry id"),
    name: z.string().describe("Name of the source"),
    publisher: z.string().optional().describe("Who publishes it"),
    licence: z.string().optional().describe("Name or address of the licence, or the terms in a sentence"),
    attribution: z.string().optional().describe("Credit line"),
    url: z.string().optional().describe("Page of the source"),
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
        .describe("Parsed address or id forms; state and county, and how they were determined"),
    })
    .describe("How the query was understood"),
  coverage: z.array(Coverage).max(25).describe("Coverage of the county, or of the states involved; sorted"),
  sources: z.array(ParcelSourceFacts).describe("Exactly the sources used, sorted by id"),
  lookup: LookupFacts,
  limitations: z.array(z.string()).describe("What the answer does not claim; the general sentence first"),
  generatedAt: z.string().describe("When the data behind the answer was built, UTC"),
  buildId: z.string().describe("The data build"),
};

export const ParcelMetadata = z.looseObject(metadata).meta({id: "ParcelMetadata"});

export const ParcelListMetadata = z
  .looseObject({
    limit: z.int().describe("Applied page size"),
    offset: z.int().describe("Applied offset"),
    count: z.int().describe("Records on this page"),
    total: z.int().describe("Exact number of hits before paging"),
    nextOffset: z
      .int()
      .nullable()
      .describe("Offset of the next page; null at the end, and where offset and limit reach no further"),
    searchCenter: z
      .looseObject({
        longitude: z.number().describe("WGS 84 degrees"),
        latitude: z.number().describe("WGS 84 degrees"),
      })
      .optional()
      .describe("Location search: the point as used"),
    radiusMiles: z.number().optional().describe("Location search: miles as used"),
    unclassified: z
      .int()
      .optional()
      .describe(
        "With `use`, `residential` or bounds of acres: rows that match otherwise but have no category or acres; they are left out",
      ),
    openRangePossible: z
      .looseObject({
        parcels: z.int().describe("Parcels"),
        acres: z.number().describe("Known acres"),
        included: z.boolean().describe("Among the hits"),
      })
      .optional()
      .describe("With `use`: vacant parcels that may be open range and fit all else"),
    totals: z
      .looseObject({
        parcels: z.int().describe("Parcels"),
        acres: z.number().describe("Acres of the parcels whose acres are known, as their sources state them"),
        parcelsWithAcres: z.int().describe("Parcels whose acres are known"),
        counties: z.int().describe("Counties"),
        states: z.int().describe("States"),
      })
      .optional()
      .describe(
        "Owner search: totals of all hits, regardless of the page; only with `exact=true` are they of one name",
      ),
    ...metadata,
  })
  .meta({id: "ParcelListMetadata"});

/** Answer of a lookup for one parcel. */
export const ParcelAnswer = z
  .looseObject({property: PropertyRecord, metadata: ParcelMetadata})
  .meta({id: "ParcelAnswer"});

/** Answer of a search. */
export const ParcelListAnswer = z
  .looseObject({
    properties: z.array(PropertyRecord).describe("The parcels of the page, in order"),
    metadata: ParcelListMetadata,
  })
  .meta({id: "ParcelListAnswer"});

/** One of several parcels that match a lookup for a single one; never has an owner. */
export const ParcelCandidate = z
  .looseObject({
    parcelUid: z.string().describe("Id of the parcel here, for parcel-id-lookup"),
    parcelId: z.string().optional().describe("Parcel number as published"),
    address: z.string().optional().describe("Street line"),
    city: z.string().optional().describe("Postal city"),
    county: z.string().describe("County name, upper case"),
    state: z.string().describe("Two letters"),
    acres: z.number().optional().describe("Acres"),
    match: ParcelMatch.omit({notes: true}).describe("How well it matches the query"),
  })
  .meta({id: "ParcelCandidate"});
export type ParcelCandidate = z.infer<typeof ParcelCandidate>;

/** Body of any error: a problem document that, for a parcel lookup, includes what was found before the error. */
export const ParcelProblem = ProblemDocument.extend({
  candidates: z
    .array(ParcelCandidate)
    .max(100)
    .optional()
    .describe("On 400 `ambiguous-parcel`, best first: ten, or the page given by `limit` and `offset`"),
  candidateTotal: z.int().min(2).optional().describe("On 400 `ambiguous-parcel`: how many parcels match"),
  query: metadata.query.optional().describe("On 404: how the query was understood"),
  coverage: metadata.coverage
    .optional()
    .describe(
      "On 404 and on 503 `cadastre-unavailable`: coverage of the county, or of the states involved; sorted",
    ),
  lookup: LookupFacts.optional().describe(
    "On 404 and on 503 `cadastre-unavailable`: the outcome of a query to the county",
  ),
  limitations: metadata.limitations.optional().describe("On 404: what the answer does not claim"),
}).meta({
  id: "Problem",
  description: "Problem document (RFC 9457). Only parcel lookups have the members after `invalid_params`",
});
