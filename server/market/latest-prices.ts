import {z} from "zod";
import {countyAt} from "../../lib/geography/counties.ts";
import {limitations, nothingNearLimitation} from "../../lib/limitations.ts";
import {LatestPriceAnswer} from "../../schemas/market-answer.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import {marketAnswer, marketOf} from "./envelope.ts";
import {type KindTest, kindParameters, kindTest} from "./kind-parameters.ts";
import {nearestMarket} from "./nearest-market.ts";
import {appliedParameters, pageLimitations, pageOf, pageParameters} from "./page-parameters.ts";
import {checkPlace, pointParameters, radiusParameter, usualMiles} from "./parameters.ts";
import {contextOf, weatherOf, withDistance} from "./places.ts";
import type {LatestKey, RecordTable} from "./record-tables.ts";

const MOST_VENUES = 25;

const parameters = z
  .strictObject({
    ...pointParameters,
    radius: radiusParameter,
    ...kindParameters,
    ...pageParameters,
  })
  .superRefine(checkPlace);

/** Latest price rows of each venue, around a point or of every venue. */
export const latestPrices = defineEndpoint({
  path: "/latest-prices",
  operationId: "latestPrices",
  summary: "Latest price records",
  description:
    "With a point: all rows of the at most 25 nearest venues within `radius`, of each venue what matters first. Without: " +
    "headline cells of every venue, or every cell of the kinds that the question names, newest sale first. Video and direct trades " +
    "(`report_scope`) come after all rows of venues, without a distance; with a point those of regions that name its state come first, and ones of other regions only where a venue is in reach.",
  family: "market",
  scope: "market",
  parameters,
  unspoken: ["lat", "lon"],
  response: LatestPriceAnswer,
  answer(call) {
    const market = marketOf(call);
    const {lat, lon, radius: miles = usualMiles} = call.query;
    const point = lat === undefined || lon === undefined ? null : {lat, lon};
    const test = kindTest(call.query);
    const page = pageOf(call.query);
    const county = point === null ? undefined : countyAt(point);
    const ofVenues =
      point === null
        ? everyVenue(market.latest.keys, test)
        : market.venuesNear.nearest(point, {miles, venues: MOST_VENUES, test});
    const far = point === null || ofVenues.length > 0;
    const nearest = far ? null : nearestMarket(market, point, {state: undefined, test});
    const chosen = [...ofVenues, ...trades(market.latest.keys, {test, state: county?.state ?? null, far})];
    const shown = chosen.slice(page.offset, page.offset + page.limit);
    const counties = county === undefined ? [] : [county.fips];
    return marketAnswer(call, market, {
      records: shown.map(({key, miles}) => ({
        text: withDistance(market.latest.record(key.row), miles),
        evidenceId: market.latest.evidenceId(key.row),
      })),
      total: chosen.length,
      page,
      applied: appliedParameters(call.query),
      resolution: point === null ? {} : {radius_mi: miles, venues_limit: MOST_VENUES},
      limitations: [
        ...(point === null ? [] : [limitations.L16]),
        ...(nearest === null ? [] : [nothingNearLimitation(miles)]),
        ...pageLimitations(call.query),
      ],
      lastKnown: market.lastKnown("latest-prices", county?.fips ?? "") ?? nearest?.last_sale_date ?? null,
      extra: nearest === null ? {} : {nearest_market: nearest},
      context: [
        ...contextOf(market, county === undefined ? [] : [county.state], counties),
        ...weatherOf(
          market,
          shown.map(({key}) => key.venueId),
          counties,
        ),
      ],
    });
  },
});

/**
 * The headline rows of every venue, or all rows of the kinds that a question names, in the order of the table; no place is given
 * from which they have a distance.
 */
function everyVenue(keys: RecordTable<LatestKey>["keys"], test: KindTest | null) {
  return keys
    .filter((key) => !key.isTrade && (test === null ? key.headline : test(key)))
    .map((key) => ({key, miles: null}));
}

/**
 * The video and direct trades of the kinds that a question names, of every kind where it names none: those of regions that name the
 * asked state, and after them, with `far`, those of all other regions.
 */
function trades(
  keys: RecordTable<LatestKey>["keys"],
  {test, state, far}: {test: KindTest | null; state: string | null; far: boolean},
) {
  const named = keys.filter((key) => key.isTrade && (test === null || test(key)));
  const isNear = (key: LatestKey) =>
    state !== null && (key.state === state || regionStates(key.region).includes(state));
  const others = far ? named.filter((key) => !isNear(key)) : [];
  return [...named.filter(isNear), ...others].map((key) => ({key, miles: null}));
}

/** The states that the name of a region ends with, such as `South Central (KS, OK)`. */
function regionStates(region: string): string[] {
  return /\(([A-Z]{2}(?:[,/ ]+[A-Z]{2})*)\)$/.exec(region)?.[1]?.split(/[,/ ]+/) ?? [];
}
