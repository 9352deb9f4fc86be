import {z} from "zod";
import {parcelLimitations} from "../../lib/parcels/limitations.ts";
import {
  type Coverage,
  ParcelAnswer,
  ParcelListAnswer,
  ParcelListMetadata,
  type ParcelMetadata,
} from "../../schemas/parcel-answer.ts";
import {type ParcelMatch, PropertyRecord} from "../../schemas/parcel-record.ts";
import {stateCoverageWords} from "../parcels/coverage-words.ts";
import {
  type ColumnOf,
  type Description,
  type Facts,
  type Given,
  joined,
  nothing,
  tableOf,
  valueText,
} from "./description.ts";
import {cardFacts, parcelCard} from "./parcel-card.ts";

/** Describes the answer of a lookup for one parcel: its card, how well it fits, and what it rests on. */
export function describeParcel(body: unknown): Description {
  const {property, metadata} = ParcelAnswer.parse(body);
  const {match} = property;
  const answer = parcelAnswer([property], metadata);
  return {
    ...answer,
    headline: nearestParcel(property, metadata),
    tables: parcelCard(property),
    notes: [["Match", joined([matchWords(match), ...inWords(match?.notes)], "; ")], ...answer.notes],
  };
}

/** Describes a page of parcels: a table with a line for each, and what it rests on. */
export function describeParcels(body: unknown): Description {
  const {properties, metadata} = ParcelListAnswer.parse(body);
  const found = [...nearestOwner(properties, metadata), ...totalWords(metadata)];
  return {
    ...parcelAnswer(properties, metadata),
    facts: {totals: metadata.totals},
    headline: properties.length === 0 ? ["No parcel fits."] : found,
    tables: tableOf(columns, properties),
    page: {first: metadata.offset + 1, returned: properties.length, total: metadata.total},
  };
}

type Metadata = z.infer<typeof ParcelMetadata>;

/** Says that a lookup gives another address or number than the one that was asked for. */
function nearestParcel({match, ...found}: PropertyRecord, {query: {applied}}: Metadata): string[] {
  if (match?.type !== "fuzzy") return [];
  const isNumber = applied["parcelId"] !== undefined;
  const asked = isNumber ? `number ${applied["parcelId"]}` : `address ${applied["address"]}`;
  const given = isNumber ? found.parcelId : joined([found.address, found.city]);
  return [`No parcel has exactly the ${asked}; nearest: ${joined([given, ...inWords(match.notes)])}.`];
}

/** Says that a search gives other owners than the one that was asked for. */
function nearestOwner(
  [first]: readonly PropertyRecord[],
  {query: {applied}, limitations}: Metadata,
): string[] {
  if (!limitations.includes(parcelLimitations.P26)) return [];
  const {owner, nameContains, lastName, firstName} = applied;
  const asked = joined([owner ?? nameContains ?? lastName, firstName]);
  return [`No owner is called ${asked}; nearest: ${first?.ownerName}.`];
}

const columns: readonly ColumnOf<PropertyRecord>[] = [
  {header: "parcel", cell: ({parcelUid}) => parcelUid},
  {header: "address", cell: ({address, city}) => joined([address, city])},
  {header: "county", cell: ({county, state}) => joined([county, state]), priority: 2},
  {header: "owner", cell: ({ownerName}) => ownerName},
  {header: "match", cell: ({match}) => matchWords(match)},
  {header: "acres", cell: ({acres}) => acres},
  {header: "use", cell: ({landUseCategory}) => landUseCategory},
  {header: "miles", cell: ({distanceMiles}) => distanceMiles},
  {header: "as of", cell: ({provenance}) => provenance.default.vintage, priority: 1},
  {header: "confidence", cell: (r) => r.provenance.default.confidence.toFixed(2), right: true, priority: 3},
  {header: "source", cell: ({provenance}) => provenance.default.source, priority: 4},
];

/** What both kinds of answer say of their parcels. */
function parcelAnswer(
  parcels: readonly PropertyRecord[],
  {sources, coverage, lookup, limitations}: Metadata,
): Description {
  const named = sources.map(({id, name, vintage, licence}) => joined([`${name} (${id})`, vintage, licence]));
  const toldStates = coverage.some((each) => each.county === undefined && each.counties !== undefined);
  const county = lookup.cadastreStatus === "not_asked" ? "" : `; county service: ${lookup.cadastreStatus}`;
  return {
    ...nothing,
    notes: [
      ["Sources", joined(named, "; ")],
      ["Coverage", coverageText(coverage)],
      ["From", `${lookup.origin}${county}`],
    ],
    // A state whose coverage is told above is not told once more.
    limitations: limitations.filter((each) => !(toldStates && each.startsWith("Coverage of "))),
    records: parcels.map(parcelFacts),
  };
}

/** Notes that are codes, in words. */
const noteWords: Readonly<Record<string, string>> = {
  locality_unchecked: "the town or ZIP could not be checked",
  city_unknown: "no such town is known, so that it could not be checked",
  city_corrected: "the town was corrected",
  words_dropped: "some words of the line were not used",
};

/** Sums all hits of a search up, not only those of its page; names that are near to the asked one are among them unless it is `exact`. */
function totalWords({totals, query}: z.infer<typeof ParcelListMetadata>): string[] {
  if (totals === undefined) return [];
  const {parcels, acres, parcelsWithAcres, counties} = totals;
  const near = query.applied["exact"] === true ? "" : "All hits, near spellings too: ";
  const some = parcelsWithAcres < parcels ? ` (known of ${valueText(parcelsWithAcres)})` : "";
  return [
    `${near}${valueText(parcels)} parcels, ${valueText(acres)} acres${some}, in ${valueText(counties)} counties.`,
  ];
}

function inWords(notes: readonly string[] = []): string[] {
  return notes.map((note) => noteWords[note] ?? note);
}

/** Gives a match such as `fuzzy 0.60`; nothing for the place of a search around a point, which distances tell. */
export function matchWords(match: Pick<z.infer<typeof ParcelMatch>, "type" | "score"> | undefined): string {
  return match?.score === undefined ? "" : `${match.type} ${match.score.toFixed(2)}`;
}

/**
 * Gives the coverage of counties and states in words, such as `Travis County, TX live`, `GRAFTON, NH partial: Lebanon` or
 * `Montana: 6,062 parcels in 38 of 56 counties, from extracts`.
 */
export function coverageText(covered: readonly Coverage[]): string {
  return covered
    .map(({state, county, status, places = [], rows: parcels = 0, counties}) => {
      if (county === undefined && counties !== undefined)
        return stateCoverageWords({state, status, parcels, counties});
      const named = places.length === 0 ? "" : `: ${places.join(", ")}`;
      return `${joined([county, state])} ${status}${named}`;
    })
    .join("; ");
}

/** Members of a property record that only programs with a map or a form need: ids in other forms, parts of an address, the point again. */
const leftOut =
  /^(_id|state_.+|altParcelIds|address(Full|Raw)|street.*|fips.+|country|landArea|location|transferDateObject|provenance)$/;

/** What programs get of parcels. The members of a card are named; there are more, as the record has them. */
const named = ["parcelUid", "distanceMiles", "match", ...cardFacts.flatMap(({of}) => of)];
export const parcelGiven: Given = {
  facts: {totals: ParcelListMetadata.shape.totals},
  row: {
    ...Object.fromEntries(Object.entries(PropertyRecord.shape).filter(([name]) => named.includes(name))),
    source: z.string().describe("Id of the source of most facts"),
    vintage: z.string().describe("Date that most facts describe"),
    confidence: z.number().describe("Data-quality score of most facts, 0 to 1"),
  },
};

/** Gives what programs get of a parcel. */
function parcelFacts(record: PropertyRecord): Facts {
  const {source, vintage, confidence} = record.provenance.default;
  const members = Object.entries(record).filter(([name]) => !leftOut.test(name));
  return {...Object.fromEntries(members), source, vintage, confidence};
}
