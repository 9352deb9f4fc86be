import {z} from "zod";
import {CoverageAnswer} from "../../schemas/coverage-answer.ts";
import {ParcelMatch, PropertyRecord} from "../../schemas/parcel-record.ts";
import {givenNames, StatedEvidence} from "../text/market-columns.ts";
import {MarketRecord} from "../text/market-record.ts";

const common = {
  total: z.int().describe("Records that fit; `offset` turns the page"),
  limitations: z.array(z.string()).describe("Caveats for the answer"),
};

/** Gives the schema of a tool's structured content: what the records of the endpoint at its path have for programs. */
export function outputSchema(path: string): z.ZodObject {
  if (path === "/coverage") return coverageOutput;
  const isParcel = path.startsWith("/public/land-agent/");
  const rows = z.array(isParcel ? parcelRow : marketRow(path)).describe("The records of the page, in order");
  return z.looseObject({...(isParcel ? {} : dates), rows, ...common});
}

const dates = {
  as_of_date: z.iso.date().describe("Day from which ages count"),
  source_date: z.iso.date().nullable().describe("Newest date of a source"),
};

const coverageRow = z.looseObject({
  state: z.string().describe("Two letters"),
  parcels: z.int().describe("Parcels in the build"),
});
const coverageOutput = CoverageAnswer.pick({
  ...{build_id: true, as_of_date: true, market: true, sources: true, gates: true},
}).extend({
  rows: z
    .array(coverageRow)
    .describe("States with parcels or barns, or the counties of the one that was asked for"),
  ...common,
});

/** The members of parcels that are named; there are more, as the property record has them. */
const facts = [
  ...["parcelUid", "parcelId", "address", "city", "county", "state", "ownerName", "acres", "landUseCategory"],
  ...["totalMarketValue", "latitude", "longitude", "distanceMiles"],
];

/** A member of a record that the source does not know is left out. */
function marketRow(path: string): z.ZodObject {
  const {claim: _, evidence_id, sources} = StatedEvidence.shape;
  return z
    .looseObject({
      ...Object.fromEntries(givenNames(path).map((name) => [name, MarketRecord.shape[name]])),
      confidence: z.string().describe("Class of the confidence in the record"),
      sources,
      evidence_id,
      history: z
        .array(z.tuple([z.iso.date(), z.number().nullable(), z.int().nullable()]))
        .describe("Past weeks: last day, USD per `price_unit`, head"),
    })
    .partial();
}

const {shape} = PropertyRecord;
const parcelRow = z
  .looseObject({
    ...Object.fromEntries(facts.map((name) => [name, (shape as Record<string, z.ZodType>)[name]!])),
    match: ParcelMatch,
    source: z.string().describe("Id of the source of most facts"),
    vintage: z.string().describe("Date that most facts describe"),
    confidence: z.number().describe("Data-quality score of most facts, 0 to 1"),
  })
  .partial();
