import {z} from "zod";
import {countyAt} from "../../lib/geography/counties.ts";
import {keysSharingLand} from "../../lib/geography/newer-counties.ts";
import {
  findAround,
  type LocationHit,
  type LocationPage,
  type LocationQuestion,
} from "../../lib/parcels/matching/location-match.ts";
import {findParcelId} from "../../lib/parcels/matching/parcel-id-match.ts";
import {filtersUse, includesOpenRange} from "../../lib/parcels/matching/use-filter.ts";
import {parcelIdReadings} from "../../lib/parcels/parcel-id/parcel-id-spellings.ts";
import {type ParcelSet, withHidden} from "../../lib/parcels/parcel-set.ts";
import {parcelLimitations as P} from "../../lib/parcels/record/parcel-limitations.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {ParcelListAnswer} from "../../schemas/parcel-answer.ts";
import type {Generation} from "../generation/generation.ts";
import {type Answer, type Call, defineEndpoint, type Endpoint} from "../http/endpoint.ts";
import {degreesParameter, yesNoParameter} from "../http/parameter-kinds.ts";
import {type CadastreQuestion, type CadastreReply, catchUp, type ParcelDeps} from "./cadastre-port.ts";
import {
  knownMembers,
  type ListHit,
  type LookupOutcome,
  listAnswer,
  lookupOf,
  notAsked,
  type PageRequest,
  pageRequest,
} from "./list-answer.ts";
import {countyCoverage, stateCoverage} from "./metadata.ts";
import {
  acresParameters,
  checkAcres,
  DEFAULT_RADIUS_MILES,
  limitParameter,
  offsetParameter,
  openRangeParameter,
  radiusParameter,
  sortParameter,
  useParameter,
} from "./parcel-parameters.ts";
import {setsNear} from "./parcel-sets.ts";

function parametersUpTo(maxMiles: number) {
  return z.strictObject({
    latitude: degreesParameter(90).describe("Latitude of the point, WGS 84, decimal degrees"),
    longitude: degreesParameter(180).describe("Longitude of the point, WGS 84, decimal degrees"),
    radius: radiusParameter(maxMiles),
    use: useParameter,
    includeOpenRange: openRangeParameter,
    ...acresParameters,
    residential: yesNoParameter("`true`: residential parcels only; `false`: all others with a category"),
    includeUnassignedAddress: yesNoParameter(
      "`false` leaves out parcels without a house number; `true` by default",
    ),
    sort: sortParameter("distance"),
    limit: limitParameter,
    offset: offsetParameter,
  });
}

const parameters = parametersUpTo(readSettings({}).CATTLE_MAX_RADIUS_MILES);
type Query = z.output<typeof parameters>;

/** Parcels around a point. */
export function locationSearch(deps: ParcelDeps): Endpoint {
  return defineEndpoint({
    path: "/public/land-agent/property/location-search",
    operationId: "locationSearch",
    summary: "Parcels around a point",
    description:
      "Parcels whose point lies within the radius and, where boundaries are loaded, those whose outline contains the point: these first, " +
      "then by distance. Land without an address is included by default; no hit is 200 with an empty list.",
    family: "parcel",
    scope: "parcel",
    parameters,
    parametersIn: ({CATTLE_MAX_RADIUS_MILES}) => parametersUpTo(CATTLE_MAX_RADIUS_MILES),
    redacted: ["latitude", "longitude"],
    response: ParcelListAnswer,
    answer(call) {
      const page = pageRequest(call.query);
      checkAcres(call.query);
      const question = questionOf(call, page);
      const found = findNow(call, question);
      if (isAnswered(call, question, found))
        return locationAnswer({call, question, page, found, lookup: notAsked}, deps);
      return askCounty({call, question, page, found}, deps);
    },
  });
}

function findNow({generation}: Call<Query>, question: LocationQuestion): LocationPage {
  return findAround(setsNear(generation, question.point, question.radiusMiles), question);
}

function questionOf({query, settings}: Call<Query>, page: PageRequest): LocationQuestion {
  const radiusMiles = query.radius ?? Math.min(DEFAULT_RADIUS_MILES, settings.CATTLE_MAX_RADIUS_MILES);
  return {
    point: {lat: query.latitude, lon: query.longitude},
    radiusMiles,
    use: query.use ?? null,
    includeOpenRange: query.includeOpenRange,
    residential: query.residential ?? null,
    minAcres: query.minAcres,
    maxAcres: query.maxAcres,
    sort: query.sort,
    withUnaddressed: query.includeUnassignedAddress ?? true,
    offset: page.offset,
    limit: page.limit,
  };
}

/**
 * True when the county need not be asked. Neighbours are an answer only where the dataset has the whole county: elsewhere the parcel at the
 * point may be missing, unless one of the hits may be it.
 */
function isAnswered(
  {generation}: Call<Query>,
  {point}: LocationQuestion,
  {beforeUse, mayHold}: LocationPage,
): boolean {
  if (beforeUse === 0) return false;
  const county = countyAt(point);
  if (mayHold || county === undefined) return true;
  const isLive = (key: string) => countyCoverage(generation, [key])[0]?.status === "live";
  const ofRegions = keysSharingLand(county.fips);
  return isLive(county.fips) || (ofRegions.length > 0 && ofRegions.every(isLive));
}

type Searched = {call: Call<Query>; question: LocationQuestion; page: PageRequest; found: LocationPage};

async function askCounty(searched: Searched, deps: ParcelDeps): Promise<Answer> {
  const {call, question} = searched;
  const county = countyAt(question.point);
  const asked: CadastreQuestion = {
    kind: "location",
    state: county?.state ?? null,
    counties: county === undefined ? null : new Set([county.fips]),
    point: question.point,
  };
  const grew = await catchUp(asked, call, deps.cadastre);
  const now = grew ? {...searched, found: findNow(call, question)} : searched;
  const answer =
    grew && isAnswered(call, question, now.found)
      ? locationAnswer({...now, lookup: notAsked}, deps)
      : await countyAnswer(await deps.cadastre.ask(asked, call), now, deps);
  // The ETag predates what was read from other processes.
  return grew ? {...answer, store: "no-store"} : answer;
}

async function countyAnswer(reply: CadastreReply, searched: Searched, deps: ParcelDeps): Promise<Answer> {
  const {call, question} = searched;
  if (reply.status !== "found") return withoutRows(reply, searched, deps);
  const found = unitedWith(reply.set, call, question);
  const {beforeUse} = findAround([reply.set], question);
  const hits = found.hits.filter(({set}) => set === reply.set);
  return locationAnswer({...searched, found, lookup: await lookupOf(reply, {hits, beforeUse})}, deps);
}

/** The answer where the county gave no rows. Hits stay what they were where it could not be asked at all. */
async function withoutRows(
  reply: Exclude<CadastreReply, {status: "found"}>,
  searched: Searched,
  deps: ParcelDeps,
): Promise<Answer> {
  const {found} = searched;
  const isNoMatter = ["unsupported", "county_unknown"].includes(reply.status) && found.beforeUse > 0;
  return locationAnswer(
    {...searched, found, lookup: isNoMatter ? notAsked : await lookupOf(reply, found)},
    deps,
  );
}

/** The county's rows among those of the dataset; a parcel in both is shown as the county's row. */
function unitedWith(given: ParcelSet, {generation}: Call<Query>, question: LocationQuestion): LocationPage {
  const uid = given.parcels.text("parcel_uid");
  const uids = Array.from({length: given.parcels.rows}, (_, row) => uid.at(row) ?? "");
  const around = setsNear(generation, question.point, question.radiusMiles);
  return findAround([given, ...around.map((set) => withoutParcels(set, uids))], question);
}

function withoutParcels(set: ParcelSet, uids: readonly string[]): ParcelSet {
  const hidden = new Set(set.hidden);
  for (const uid of uids) {
    const sameNumber = findParcelId([set], {readings: parcelIdReadings(uid), counties: null});
    for (const {row} of sameNumber) if (set.parcels.text("parcel_uid").at(row) === uid) hidden.add(row);
  }
  return withHidden(set, hidden);
}

function locationAnswer(
  {call, question, page, found, lookup}: Searched & {lookup: LookupOutcome},
  deps: ParcelDeps,
): Answer {
  const {generation, query} = call;
  const {point, radiusMiles} = question;
  const states = new Set(found.states);
  const own = countyAt(point)?.state;
  if (own !== undefined) states.add(own);
  const isAbroad = states.size === 0 && (point.lat < 0 || point.lon > 0);
  return listAnswer(
    {
      call,
      query: {
        applied: {...knownMembers(query), radius: radiusMiles, limit: page.limit, offset: page.offset},
        resolution: {},
      },
      page,
      hits: found.hits.map(listHit),
      total: found.total,
      unclassified: filtersUse(question) ? found.unclassified : null,
      openRange: {...found.openRange, included: includesOpenRange(question)},
      coverage: stateCoverage(generation, states, deps.sources),
      states,
      lookup,
      metadata: {searchCenter: {longitude: point.lon, latitude: point.lat}, radiusMiles},
      limitations: [
        ...(isContainmentKnown(found) || !boundariesMissing(generation, states) ? [] : [P.P14]),
        ...(isAbroad ? [P.P33] : []),
        ...(radiusMiles > 0 && ["found", "empty"].includes(lookup.cadastreStatus) ? [P.P34] : []),
      ],
    },
    deps,
  );
}

function listHit({set, row, miles, contains}: LocationHit): ListHit {
  const outlined = set.outlines?.has(row) ?? false;
  return {
    set,
    row,
    members: {
      match: {type: contains ? "contains_point" : "nearest", notes: []},
      distanceMiles: miles,
      ...(outlined ? {containsPoint: contains} : {}),
    },
  };
}

/** True when all hits came with their outlines, as those of a county do. */
function isContainmentKnown({hits, total}: LocationPage): boolean {
  return total > 0 && hits.length === total && hits.every(({set, row}) => set.outlines?.has(row) ?? false);
}

function boundariesMissing({states}: Generation, touched: ReadonlySet<string>): boolean {
  return touched.size === 0 || [...touched].some((state) => (states.get(state)?.outlines ?? null) === null);
}
