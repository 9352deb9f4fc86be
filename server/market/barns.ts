import {distanceMiles, type Point} from "@open-cattle/parcel-outlines";
import {z} from "zod";
import {countyAt} from "../../lib/geography/counties.ts";
import {roundedMiles} from "../../lib/geography/distance-band.ts";
import {limitations} from "../../lib/limitations.ts";
import {findAround} from "../../lib/parcels/matching/location-match.ts";
import {recordMembersOf} from "../../lib/parcels/record/stored-record.ts";
import {BarnAnswer, DirectoryAnswer} from "../../schemas/market-answer.ts";
import type {ParcelContext} from "../../schemas/market-fields/venue-fields.ts";
import type {Generation} from "../generation/generation.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {BarnKey, Keyed, Placed, RecordTable} from "../tables/record-tables.ts";
import {marketAnswer, marketOf, type Selection} from "./envelope.ts";
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
} from "./market-parameters.ts";
import {askedCounties} from "./named-places.ts";
import {
  contextOf,
  isAskedVenue,
  lastSaleOf,
  setMember,
  stateOfCounty,
  stateOfVenue,
  vintageLimitations,
  weatherOf,
  withDistance,
} from "./place-context.ts";

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
    const {county} = call.query;
    const counties = askedCounties(market.barns.keys, call.query);
    const keys = market.barns.keys.filter((key) => fits(key, call.query, counties));
    const named = stateOfVenue(market.barns.keys, {...call.query, codes: counties});
    const asked = {counties, states: [named, ...counties.map(stateOfCounty)]};
    const {venues, ...selection} = selectBarns(call.query, {market, table: market.barns, keys, ...asked});
    const seesParcels = call.scopes.includes("parcel");
    return marketAnswer(call, market, {
      ...selection,
      ...(seesParcels ? withParcels(selection.records, venues, call.generation.states) : {}),
      resolution: {
        ...selection.resolution,
        ...(county === undefined ? {} : {counties}),
        ...(seesParcels ? {} : {parcel_context: "left out: the key has no scope `parcel`"}),
      },
      lastKnown:
        call.query.venue === undefined
          ? null
          : lastSaleOf(market.barns.keys, {...call.query, codes: counties}),
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
    const {directory: table} = market;
    const keys = table.keys.filter((key) => fits(key, {state: call.query.state}, []));
    const {venues: _, ...selection} = selectBarns(call.query, {
      market,
      table,
      keys,
      counties: [],
      states: [],
    });
    return marketAnswer(call, market, selection);
  },
});

/** True for a venue that matches the question and its statuses; without a status, any but closed. */
function fits(key: BarnKey, {status, ...query}: Filter, codes: readonly string[]): boolean {
  const known = status === undefined ? key.status !== "closed" : status.some((word) => word === key.status);
  return known && isAskedVenue(key, {...query, codes});
}

type Chosen = {
  market: MarketArtifacts;
  table: RecordTable<BarnKey>;
  keys: readonly Keyed<BarnKey>[];
  /** Codes of the counties of the question. */
  counties: readonly string[];
  /** States that its counties or its barn name. */
  states: readonly (string | undefined)[];
};

/**
 * Pages the venues, with the context of the question and of the venues shown. With a place: those within the radius, nearest first, ties in
 * table order.
 */
function selectBarns(
  query: Omit<z.output<typeof parameters>, "county" | "status" | "venue">,
  {market, table, keys, counties, states}: Chosen,
): Selection & {venues: readonly BarnKey[]} {
  const page = pageOf(query);
  const {zip, lat, lon, radius = defaultMiles} = query;
  const place = zip === undefined ? null : market.zip(zip);
  const from = lat === undefined ? (place?.point ?? null) : {lat, lon: lon!};
  const around = from === null ? undefined : countyAt(from);
  const signalled = around === undefined ? counties : [around.fips];
  const isAround = zip !== undefined || lat !== undefined;
  const chosenBarns = isAround ? within(keys, from, radius) : keys.map((key) => ({key, miles: null}));
  const shown = chosenBarns.slice(page.offset, page.offset + page.limit);
  const venueIds = shown.map(({key}) => key.venueId);
  return {
    records: shown.map(({key, miles}) => ({
      text: withDistance(table.record(key.row), miles),
      evidenceId: table.evidenceId(key.row),
    })),
    venues: shown.map(({key}) => key),
    total: chosenBarns.length,
    page,
    applied: appliedParameters(query),
    location: isAround && from === null ? "unresolved" : undefined,
    resolution:
      from === null
        ? {}
        : {radius_mi: radius, ...(place === null ? {} : {zip: {zip, ...from, method: place.method}})},
    limitations: [
      ...(from === null ? [] : [limitations.L16]),
      ...vintageLimitations(counties),
      ...pageLimitations(query),
    ],
    context: [
      ...contextOf(market, [query.state, around?.state, ...states], signalled),
      ...weatherOf(market, venueIds, signalled),
    ],
  };
}

/** The venues within a distance, nearest first; none without a point. */
function within(keys: Chosen["keys"], from: Point | null, maxMiles: number): Placed<BarnKey>[] {
  if (from === null) return [];
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
