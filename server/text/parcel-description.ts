import {z} from "zod";
import {countWithNoun, countWords} from "../../lib/counts.ts";
import {parcelLimitations} from "../../lib/parcels/record/parcel-limitations.ts";
import {
  type Coverage,
  ParcelAnswer,
  ParcelListAnswer,
  ParcelListMetadata,
  type ParcelMetadata,
} from "../../schemas/parcel-answer.ts";
import {type ParcelMatch, PropertyRecord} from "../../schemas/parcel-record.ts";
import {stateCoverageWords, stateName} from "../parcels/coverage-words.ts";
import {
  type ColumnOf,
  type Description,
  type Facts,
  type Given,
  joined,
  nothing,
  tableOf,
} from "./description.ts";
import {parcelCard} from "./parcel-card.ts";

/** Describes a single-parcel answer: the card, how well it fits, and its sources. */
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

/** Describes a page of parcels: a table with one row each, and its sources. */
export function describeParcels(body: unknown): Description {
  const {properties, metadata} = ParcelListAnswer.parse(body);
  const found = [...nearestOwner(properties, metadata), ...totalWords(metadata)];
  return {
    ...parcelAnswer(properties, metadata),
    facts: {totals: metadata.totals},
    headline: properties.length === 0 ? [noneWords(metadata)] : found,
    tables: tableOf(columns, properties),
    page: {first: metadata.offset + 1, returned: properties.length, total: metadata.total},
  };
}

type Metadata = z.infer<typeof ParcelMetadata>;

/** Says that nothing was found, and what to change in the question. */
function noneWords({query: {applied}}: Metadata): string {
  const filters = ["use", "minAcres", "maxAcres", "residential", "county", "exact"].filter(
    (name) => name in applied,
  );
  if (filters.length > 0) return `No parcel fits; ask without ${filters.join(" and ")} for others.`;
  return "radius" in applied
    ? "No parcel fits; a larger radius, or coverage, shows where there are some."
    : "No parcel fits; coverage shows where there are some.";
}

/** Says that the parcel found has a different address or number than requested. */
function nearestParcel({match, ...found}: PropertyRecord, {query: {applied}}: Metadata): string[] {
  if (match?.type !== "fuzzy") return [];
  const isNumber = applied["parcelId"] !== undefined;
  const asked = isNumber ? `number ${applied["parcelId"]}` : `address ${applied["address"]}`;
  const given = isNumber ? found.parcelId : joined([found.address, found.city]);
  return [`No parcel has exactly the ${asked}; nearest: ${joined([given, ...inWords(match.notes)])}.`];
}

/** Says that the owners found are not the one requested. */
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

/** What both kinds of answer have in common. */
function parcelAnswer(
  parcels: readonly PropertyRecord[],
  {sources, coverage, lookup, limitations, buildId}: Metadata,
): Description {
  const named = sources.map(({id, name, vintage, licence}) => joined([`${name} (${id})`, vintage, licence]));
  const namesStates = coverage.some((each) => each.county === undefined && each.counties !== undefined);
  const county = lookup.cadastreStatus === "not_asked" ? "" : `; county service: ${lookup.cadastreStatus}`;
  return {
    ...nothing,
    notes: [
      ["Sources", joined(named, "; ")],
      ["Coverage", coverageText(coverage)],
      ["From", `${lookup.origin}${county}; build ${buildId}`],
    ],
    // Coverage of a state that the notes already state is not repeated.
    limitations: limitations.filter((each) => !(namesStates && each.startsWith("Coverage of "))),
    records: parcels.map(parcelFacts),
  };
}

/** Words for notes that are codes. */
const noteWords: Readonly<Record<string, string>> = {
  locality_unchecked: "the town or ZIP could not be checked",
  city_unknown: "no such town is known, so that it could not be checked",
  city_corrected: "the town was corrected",
  words_dropped: "some words of the line were not used",
};

/** Sums over all hits of a search, not just the page. Similar names are included unless the search is `exact`. */
function totalWords({totals, query}: z.infer<typeof ParcelListMetadata>): string[] {
  if (totals === undefined) return [];
  const {parcels, acres, parcelsWithAcres, counties} = totals;
  const near = query.applied["exact"] === true ? "" : " (all matches, similar names included)";
  const some = parcelsWithAcres < parcels ? ` (known of ${countWords(parcelsWithAcres)})` : "";
  return [
    `${countWithNoun(parcels, "parcel")}, ${countWords(acres)} acres${some}, in ${countWithNoun(counties, "county", "counties")}${near}.`,
  ];
}

function inWords(notes: readonly string[] = []): string[] {
  return notes.map((note) => noteWords[note] ?? note);
}

/** Formats a match as `fuzzy 0.60`; empty in a search around a point, where the distance says it. */
export function matchWords(match: Pick<z.infer<typeof ParcelMatch>, "type" | "score"> | undefined): string {
  return match?.score === undefined ? "" : `${match.type} ${match.score.toFixed(2)}`;
}

/**
 * Words the coverage of counties and states, such as `Travis County, TX live`, `GRAFTON, NH partial: Lebanon` or `Montana: 6,062 parcels in
 * 38 of 56 counties, from extracts`.
 */
export function coverageText(covered: readonly Coverage[]): string {
  return covered
    .map(({state, county, status, places = [], rows: parcels = 0, counties}) => {
      if (county === undefined && counties !== undefined)
        return stateCoverageWords({name: stateName(state), status, parcels, counties});
      const named = places.length === 0 ? "" : `: ${places.join(", ")}`;
      return `${joined([county, state])} ${status}${named}`;
    })
    .join("; ");
}

/** Record members that only maps and forms need: ids in other spellings, address parts, the point repeated. */
const formOnly =
  /^(_id|state_.+|altParcelIds|address(Full|Raw)|street.*|fips.+|country|landArea|location|transferDateObject|provenance)$/;

/** Schemas of what programs receive from parcels: the members that most parcels have; a record may have others too. */
const namedMembers = [
  ...["parcelUid", "parcelId", "county", "state", "address", "city", "zipCode", "latitude", "longitude"],
  ...["acres", "ownerName", "landUseCategory", "totalMarketValue", "transferDate", "distanceMiles"],
];
export const parcelSchemas: Given = {
  facts: {totals: ParcelListMetadata.shape.totals},
  row: {
    ...Object.fromEntries(
      Object.entries(PropertyRecord.shape).filter(([name]) => namedMembers.includes(name)),
    ),
    ...{source: z.string(), vintage: z.string(), confidence: z.number()},
  },
};

/** What programs receive from one parcel. */
function parcelFacts(record: PropertyRecord): Facts {
  const {source, vintage, confidence} = record.provenance.default;
  const members = Object.entries(record).filter(([name]) => !formOnly.test(name));
  return {...Object.fromEntries(members), source, vintage, confidence};
}
