import {z} from "zod";
import {distanceMiles, type Point, roundedMiles} from "../../lib/geography/distance.ts";
import {limitations} from "../../lib/limitations.ts";
import {findAround} from "../../lib/parcels/matching/location-match.ts";
import {recordMembersOf} from "../../lib/parcels/record/stored-record.ts";
import {BarnAnswer, DirectoryAnswer} from "../../schemas/market-answer.ts";
import type {ParcelContext} from "../../schemas/market-fields/venue.ts";
import type {Generation} from "../generation/generation.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import type {MarketArtifacts} from "./artifacts.ts";
import {marketAnswer, marketOf, pageOfRecords, type Selection} from "./envelope.ts";
import {
  appliedParameters,
  checkPlace,
  countyParameter,
  defaultMiles,
  pageLimitations,
  pageOf,
  pageParameters,
  placeParameters,
  stateParameter,
  statusParameter,
  venueParameter,
} from "./parameters.ts";
import {
  contextOf,
  countyCodes,
  isAskedVenue,
  lastSaleOf,
  setMember,
  vintageLimitations,
  weatherOf,
  withDistance,
} from "./places.ts";
import type {BarnKey, Keyed, RecordTable} from "./record-tables.ts";

/** Parcel facts that a barn's record carries, named as in the parcel lookups. */
const facts = ["parcelUid", "parcelId", "acres", "landUseDetail", "landUseCategory"];

type Facts = {
  readonly parcelUid: string;
  readonly parcelId?: string;
  readonly acres?: number;
  readonly landUseDetail?: {readonly code?: string; readonly description?: string};
  readonly landUseCategory?: string;
};

const parameters = z
  .strictObject({
    state: stateParameter,
    county: countyParameter,
    status: statusParameter,
    venue: venueParameter,
    ...placeParameters,
    ...pageParameters,
  })
  .superRefine(checkPlace);
type Filter = Pick<z.output<typeof parameters>, "state" | "county" | "status" | "venue">;

/** Sale-barn records for maps and registries, by state, county and status. */
export const barns = defineEndpoint({
  path: "/barns",
  operationId: "barns",
  summary: "Sale-barn records",
  description:
    "Directory fields with location, schedule and status history and, for keys with the parcel scope, the parcel that a yard lies in. Name a barn for its next sale. " +
    "All statuses but `closed` by default. With a ZIP or a point: the barns within `radius`, nearest first.",
  family: "market",
  scope: "market",
  parameters,
  redacted: ["lat", "lon"],
  response: BarnAnswer,
  answer(call) {
    const market = marketOf(call);
    const {state, county} = call.query;
    const codes = county === undefined ? [] : countyCodes(county, state);
    const keys = market.barns.keys.filter((key) => fits(key, call.query, codes));
    const named = keys.flatMap(({countyFips}) => countyFips ?? []);
    const counties = county === undefined ? [] : [...new Set([...codes, ...named])].sort();
    const near = barnsNear(market, market.barns, keys, call.query);
    const {venues, ...selection} = near;
    const seesParcels = call.scopes.includes("parcel");
    return marketAnswer(call, market, {
      ...selection,
      ...(seesParcels ? withParcels(selection.records, venues, call.generation.states) : {}),
      applied: appliedParameters(call.query),
      resolution: {
        ...near.resolution,
        ...(county === undefined ? {} : {counties}),
        ...(seesParcels ? {} : {parcel_context: "left out: the key has no scope `parcel`"}),
      },
      limitations: [...near.limitations, ...vintageLimitations(counties), ...pageLimitations(call.query)],
      lastKnown:
        call.query.venue === undefined ? null : lastSaleOf(market.barns.keys, {...call.query, codes}),
      context: [...contextOf(market, [state], counties), ...weatherOf(market, idsOf(venues), counties)],
    });
  },
});

/** The sale-barn directory: one flat row per venue, all statuses but closed. */
export const cattleSaleBarnDirectory = defineEndpoint({
  path: "/cattle-sale-barn-directory",
  operationId: "cattleSaleBarnDirectory",
  summary: "Sale-barn directory export",
  description:
    "One row per venue with a public listing, all statuses but `closed`. Business contact data only. With a ZIP or a point: those " +
    "within `radius`, nearest first.",
  family: "market",
  scope: "market",
  parameters: z
    .strictObject({state: stateParameter, ...placeParameters, ...pageParameters})
    .superRefine(checkPlace),
  redacted: ["lat", "lon"],
  response: DirectoryAnswer,
  answer(call) {
    const market = marketOf(call);
    const {state} = call.query;
    const keys = market.directory.keys.filter((key) => fits(key, {state}, []));
    const near = barnsNear(market, market.directory, keys, call.query);
    const {venues, ...selection} = near;
    return marketAnswer(call, market, {
      ...selection,
      applied: appliedParameters(call.query),
      limitations: [...near.limitations, ...pageLimitations(call.query)],
      context: [...contextOf(market, [state], []), ...weatherOf(market, idsOf(venues))],
    });
  },
});

/** True for a venue that matches the question and its statuses; without a status, any but closed. */
function fits(key: BarnKey, {status, ...query}: Filter, codes: readonly string[]): boolean {
  const known = status === undefined ? key.status !== "closed" : status.some((word) => word === key.status);
  return known && isAskedVenue(key, {...query, codes});
}

type PlaceQuery = Pick<
  z.output<typeof parameters>,
  "zip" | "lat" | "lon" | "radius" | "limit" | "offset" | "evidence"
>;

/** Pages the venues. With a place: those within the radius, nearest first, ties in table order. */
function barnsNear(
  market: MarketArtifacts,
  table: RecordTable<BarnKey>,
  keys: readonly Keyed<BarnKey>[],
  query: PlaceQuery,
): Pick<Selection, "records" | "total" | "page" | "resolution" | "location"> & {
  limitations: string[];
  /** The venue of each record. */
  venues: readonly BarnKey[];
} {
  const page = pageOf(query);
  const {zip, lat, lon, radius = defaultMiles} = query;
  if (zip === undefined && lat === undefined) {
    const shown = keys.slice(page.offset, page.offset + page.limit);
    return {...pageOfRecords(table, keys, page), limitations: [], venues: shown};
  }
  const place = zip === undefined ? null : market.zip(zip);
  const from = zip === undefined ? {lat: lat!, lon: lon!} : (place?.point ?? null);
  if (from === null)
    return {records: [], total: 0, page, location: "unresolved", limitations: [], venues: []};
  const near = within(keys, from, radius);
  const shown = near.slice(page.offset, page.offset + page.limit);
  const records = shown.map(({key, miles}) => ({
    text: withDistance(table.record(key.row), miles),
    evidenceId: table.evidenceId(key.row),
  }));
  const resolution = {
    radius_mi: radius,
    ...(zip === undefined ? {} : {zip: {zip, ...from, method: place!.method}}),
  };
  return {
    ...{records, total: near.length, page, resolution},
    limitations: [limitations.L16],
    venues: shown.map(({key}) => key),
  };
}

const idsOf = (venues: readonly BarnKey[]) => venues.map(({venueId}) => venueId);

function within(keys: readonly Keyed<BarnKey>[], from: Point, maxMiles: number) {
  return keys
    .flatMap((key) => (key.point === null ? [] : {key, miles: roundedMiles(distanceMiles(from, key.point))}))
    .filter(({miles}) => miles <= maxMiles)
    .sort((a, b) => a.miles - b.miles);
}

/** Adds to each barn record the parcel that its yard lies in, and returns the registry ids of what was added. */
function withParcels(
  records: Selection["records"],
  venues: readonly BarnKey[],
  states: Generation["states"],
): Pick<Selection, "records" | "extraSources"> {
  const found = records.map(({text}, at) =>
    text.includes('"location_basis":"yard"') ? parcelContext(venues[at]!, states) : null,
  );
  return {
    records: records.map((record, at) =>
      found[at] ? {...record, text: setMember(record.text, "parcel_context", found[at])} : record,
    ),
    extraSources: found.some((context) => context !== null) ? ["open-map-parcel-context"] : [],
  };
}

/** The smallest parcel of the build whose outline contains the yard; its owner is never included. */
function parcelContext({point, state}: BarnKey, states: Generation["states"]): ParcelContext | null {
  const set = states.get(state);
  if (set === undefined || point === null) return null;
  const around = {
    point,
    radiusMiles: 0,
    use: null,
    residential: null,
    withUnaddressed: true,
    offset: 0,
    limit: 1,
  };
  const [hit] = findAround([set], around).hits;
  if (!hit?.contains) return null;
  const record = set.record(hit.row);
  const {parcelUid, parcelId, acres, landUseDetail, landUseCategory} = recordMembersOf(record) as Facts;
  return {
    parcel_uid: parcelUid,
    parcel_id: parcelId ?? null,
    acres: acres ?? null,
    land_use_code: landUseDetail?.code ?? null,
    land_use_description: landUseDetail?.description ?? null,
    land_use_category: landUseCategory ?? null,
    source_id: "open-map-parcel-context",
    provenance: provenanceOf(record.provenance.json),
  };
}

/** The provenance of these facts only; an owner's provenance stays with the parcel lookups. */
function provenanceOf(json: Buffer): ParcelContext["provenance"] {
  const {default: usual, fields} = JSON.parse(json.toString()) as ParcelContext["provenance"];
  const own = Object.entries(fields).filter(([name]) => facts.includes(name));
  return {default: usual, fields: Object.fromEntries(own)};
}
