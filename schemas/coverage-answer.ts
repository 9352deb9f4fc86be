import {z} from "zod";
import {Completeness, GateResult, ManifestSource} from "./manifest.ts";
import {CoverageStatus} from "./parcel-answer.ts";

const Count = z.int().nonnegative();

/** What a build contains for one state: parcels and market. */
export const CoveredState = z
  .looseObject({
    state: z.string().describe("Two letters"),
    name: z.string().describe("Name of the state"),
    status: CoverageStatus.describe(
      "State of its parcels: `live`: complete pull; `partial`: extracts or single places; `planned`: none",
    ),
    parcels: Count.describe("Parcels in the build"),
    counties: z
      .looseObject({
        with_parcels: Count.describe("Counties with a parcel"),
        live: Count.describe("Counties with all their parcels"),
        total: Count.nullable().describe(
          "All counties; null for Manitoba, whose municipalities are in no table",
        ),
      })
      .describe("Its counties"),
    vintage: z.string().nullable().describe("Newest vintage of its parcels, YYYY-MM-DD or YYYY"),
    barns: Count.describe("Sale barns of every status"),
    priced_counties: Count.describe("Counties with a price observed there"),
    sources: z.array(z.string()).describe("Ids of the sources of its parcels"),
    sentence: z.string().describe("The same in words"),
  })
  .meta({id: "CoveredState"});
export type CoveredState = z.infer<typeof CoveredState>;

/** What a build contains of one county's parcels. */
const CoveredCounty = z
  .looseObject({
    state: z.string().describe("Two letters"),
    county_key: z.string().describe("5-digit FIPS code; in Manitoba `MB` and 3 digits"),
    county: z.string().describe("County name, upper case"),
    status: CoverageStatus.describe("`live` if all its parcels are in the build, else `partial`"),
    parcels: Count.describe("Parcels in the build"),
    vintage: z.string().nullable().describe("Newest vintage, YYYY-MM-DD or YYYY"),
    places: z
      .array(z.string())
      .optional()
      .describe("The municipalities in the build, if the county is not complete"),
    attributes: z
      .record(z.string(), z.number())
      .describe("Share of parcels with a value, by attribute; attributes that no parcel has are left out"),
    completeness: Completeness.optional().describe(
      "Shares of parcels with owner, numbered address, point, land-use category and value, rounded down to two decimals",
    ),
    owners_published: z.literal(false).optional().describe("The county's sources publish no owner names"),
    sources: z.array(z.string()).describe("Ids of the sources"),
  })
  .meta({id: "CoveredCounty"});
export type CoveredCounty = z.infer<typeof CoveredCounty>;

/** A source of the build, with its age and terms. */
const CoveredSource = z
  .looseObject({
    id: z.string().describe("Registry id"),
    name: z.string().describe("Name of the source"),
    parts: z.array(z.string()).describe("`MARKET` and the states in which it is used"),
    newest: z.string().nullable().describe("Date of its newest report, or newest vintage of its parcels"),
    age_days: z.int().nullable().describe("Days from `newest` to `as_of_date`, if `newest` is a day"),
    retrieved_at: z.iso.datetime().nullable().describe("When its newest file was fetched"),
    licence: z.string().nullable().describe("Name or address of the licence, or the terms in a sentence"),
    attribution: z.string().nullable().describe("Credit line"),
    terms: ManifestSource.shape.terms.describe("What the publisher of a parcel source allows"),
  })
  .meta({id: "CoveredSource"});
export type CoveredSource = z.infer<typeof CoveredSource>;

/** Answer of `/coverage`: what the served build contains, how fresh it is, and the results of its gates. */
export const CoverageAnswer = z
  .looseObject({
    build_id: z.string().describe("The data build"),
    generated_at: z.iso.datetime().describe("When the build was computed"),
    as_of_date: z.iso.date().describe("Day from which all ages are counted"),
    sample: z.boolean().describe("True for generated sample data"),
    query: z
      .looseObject({
        applied: z.record(z.string(), z.unknown()).describe("Parameters as they were used"),
        ignored: z.array(z.string()).describe("Unknown parameters"),
      })
      .describe("The query as the server understood it"),
    market: z
      .looseObject({
        rows: z.record(z.string(), Count).describe("Rows by table"),
        newest: z.iso.date().nullable().describe("Date of the newest report"),
      })
      .nullable()
      .describe("The market part; null if the build has none"),
    states: z.array(CoveredState).describe("All states, or the one requested"),
    counties: z.array(CoveredCounty).optional().describe("With `state`: its counties with parcels"),
    sources: z.array(CoveredSource).describe("The sources of the build, or of the state and the market"),
    gates: z.array(GateResult).describe("Gates with any result other than a pass"),
    limitations: z.array(z.string()).describe("Caveats for the answer"),
  })
  .meta({id: "CoverageAnswer"});
export type CoverageAnswer = z.infer<typeof CoverageAnswer>;
