import {z} from "zod";
import {ageDays} from "../../lib/dates.ts";
import {stateOf} from "../../lib/geography/states.ts";
import {limitations, noCountyNearLimitation, nothingNearLimitation} from "../../lib/limitations.ts";
import {widenedWindowDays} from "../../lib/market/pricing-rules.ts";
import {CountyPriceAnswer, type NearestMarket} from "../../schemas/market-answer.ts";
import {type Call, defineEndpoint} from "../http/endpoint.ts";
import {invalidParameters} from "../http/problem-document.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {Span} from "../tables/past-sales.ts";
import type {CountyKey, Placed} from "../tables/record-tables.ts";
import {type AskedPlace, countiesWords} from "./asked-place.ts";
import {pagedBy} from "./cursor.ts";
import {marketAnswer, marketOf, type Selection} from "./envelope.ts";
import {placeWithoutReport} from "./held-reports.ts";
import {
  appliedParameters,
  checkPlace,
  countyParameter,
  curveParameter,
  defaultMiles,
  historyParameter,
  kindParameters,
  kindTest,
  pageLimitations,
  pageOf,
  pageParameters,
  radiusParameter,
  stateParameter,
  zipParameter,
} from "./market-parameters.ts";
import {askedCounties} from "./named-places.ts";
import {nearestBarns, nearestMarket} from "./nearest-market.ts";
import {pastCounties, pastNotes} from "./past-areas.ts";
import {checkHistory, checkPast, pastParameters, spanOf} from "./past-parameters.ts";
import {
  contextOf,
  stateOfCounty,
  vintageLimitations,
  withBand,
  withDistance,
  withHistory,
} from "./place-context.ts";
import {areaOfState, noSummary, priceSummary} from "./price-summary.ts";
import {type LocatedZip, stateOfPlace, zipLimitations, zipResolution} from "./zip-place.ts";

const {limit, ...furtherPage} = pageParameters;
const parameters = z
  .strictObject({
    zip: zipParameter,
    state: stateParameter,
    county: countyParameter,
    limit,
    ...kindParameters,
    history: historyParameter,
    curve: curveParameter,
    radius: radiusParameter,
    ...pastParameters,
    ...furtherPage,
  })
  .superRefine(checkPlace)
  .superRefine(checkPast)
  .superRefine(checkHistory);
type Query = z.output<typeof parameters>;

/** County price aggregates: around a ZIP, of a county, of a state, or of every county with an observation. */
export const priceByCounty = defineEndpoint({
  path: "/price-by-county",
  operationId: "priceByCounty",
  summary: "County price aggregates",
  description:
    "With a ZIP: all cells of its primary county, then of the counties with an observation within `radius`, by distance. " +
    "With a county: all its cells, estimates where nothing was sold there. With a state: headline cells of its counties with an observation, or every cell of the requested kinds. " +
    "Within a county the most important cells come first. `limit` counts records. With a class and a weight, `summary` is one figure from the weight curve of the venues there. " +
    "With `from` or `to`: one record for each county and cell over the sales of these days, without estimates.",
  family: "market",
  scope: "market",
  parameters,
  response: CountyPriceAnswer,
  answer(call) {
    const market = marketOf(call);
    refuseZipWithCounty(call.query);
    const place = call.query.zip === undefined ? null : market.zip(call.query.zip);
    const located = place?.point == null ? null : {...place, point: place.point};
    const span = spanOf(call.query, call.generation.asOf);
    return marketAnswer(
      call,
      market,
      span === null
        ? chooseRecords(call, market, located)
        : pastSelection(call, market, {span, place: located}),
    );
  },
});

/** `hasPrimary` is false when a located ZIP's own county has no record. */
type ChosenRows = {page: readonly Placed<CountyKey>[]; total: number; hasPrimary: boolean};

const noRows: ChosenRows = {page: [], total: 0, hasPrimary: true};

/** Throws a 400 if the question names two places. */
function refuseZipWithCounty({zip, county}: Query): void {
  if (zip !== undefined && county !== undefined)
    throw invalidParameters([{name: "county", reason: "cannot be given together with zip"}]);
}

function chooseRecords(call: Call<Query>, market: MarketArtifacts, place: LocatedZip | null): Selection {
  const {zip, state, history: weeks} = call.query;
  const counties = askedCounties(market.barns.keys, {state, county: call.query.county});
  const unresolved = zip !== undefined && place === null;
  const chosenRows = unresolved ? noRows : chooseRows(market, call.query, {place, counties});
  const nearest =
    place === null || chosenRows.total > 0
      ? null
      : nearestMarket(market, place.point, {state, test: kindTest(call.query)});
  const [primary, itsState] = [place?.countyFips ?? "", stateOfPlace(place) ?? ""];
  const fresher = market.fresherSummaries.get(itsState);
  const asked = {kinds: call.query, place: askedPlace(call.query, {place, counties})};
  const summary = unresolved ? noSummary : priceSummary(market, call.generation, asked);
  return {
    records: chosenRows.page.map((placed) => ({
      text: recordText(market, placed, {primary, weeks}),
      evidenceId: market.counties.evidenceId(placed.key.row),
    })),
    total: chosenRows.total,
    page: pageOf(call.query),
    applied: appliedParameters(call.query),
    resolution: resolutionOf(call.query, {place, counties}),
    limitations: [
      ...pageLimitations(call.query),
      ...(place !== null && chosenRows.total > 0 ? [limitations.L16] : []),
      ...(place === null ? vintageLimitations(counties) : zipLimitations(place, state)),
      ...(nearest === null ? [] : [nothingNear(call, nearest)]),
    ],
    location: unresolved ? "unresolved" : chosenRows.hasPrimary ? undefined : "missing",
    lastKnown: lastKnown(market, call.query, placeCodes(place, counties)) ?? nearest?.last_sale_date ?? null,
    noReportHeld: placeWithoutReport(market, asked.place),
    context: contextOf(
      market,
      [stateOfPlace(place), state, ...counties.map(stateOfCounty)],
      place?.countyFips == null ? counties : [place.countyFips],
    ),
    extra: {
      ...(nearest === null ? {} : {nearest_market: nearest}),
      ...(fresher === undefined ? {} : {state_summary: fresher}),
      ...(place === null ? {} : {nearest_barns: nearestBarns(market, place.point)}),
      ...summary.extra,
    },
    extraEvidence: summary.evidence,
  };
}

type PlacedCounties = {readonly place: LocatedZip | null; readonly counties: readonly string[]};

function resolutionOf({zip, county}: Query, {place, counties}: PlacedCounties): Record<string, unknown> {
  return {
    ...(zip === undefined ? {} : {zip: place === null ? null : zipResolution(place)}),
    ...(county === undefined ? {} : {counties}),
  };
}

/** Prices over the sales of past days: only these and their evidence, because all else is of today. */
function pastSelection(
  call: Call<Query>,
  market: MarketArtifacts,
  {span, place}: {span: Span; place: LocatedZip | null},
): Selection {
  const {query, generation} = call;
  const {zip, state, county, radius: miles = defaultMiles} = query;
  const {page, nextCursor} = pagedBy(call);
  const counties = askedCounties(market.barns.keys, {state, county});
  const unresolved = {records: [], total: 0, page, location: "unresolved"} as const;
  const around = place === null ? null : {point: place.point, primaryFips: place.countyFips ?? "", miles};
  const asked = {state, counties: county === undefined ? null : counties, around};
  const notes = pastNotes("county", query);
  return {
    ...(zip !== undefined && place === null
      ? unresolved
      : pastCounties(market, generation, {...asked, span, page, kind: kindTest(query)})),
    nextCursor,
    applied: appliedParameters({...query, ...span}),
    resolution: resolutionOf(query, {place, counties}),
    limitations: [
      ...notes.limitations,
      ...(place === null ? vintageLimitations(counties) : [limitations.L16, ...zipLimitations(place, state)]),
    ],
    lastKnown: lastKnown(market, query, placeCodes(place, counties)),
    extra: notes.extra,
  };
}

function placeCodes(place: LocatedZip | null, counties: readonly string[]): string[] {
  return (place === null ? counties : [place.countyFips]).filter((fips) => fips !== null);
}

/**
 * The newest source date of the counties or, only where neither a county nor a ZIP was asked for, of the state; null with kinds of cattle,
 * because it may be of others.
 */
function lastKnown(market: MarketArtifacts, query: Query, counties: readonly string[]): string | null {
  if (kindTest(query) !== null) return null;
  const isPlaced = query.zip !== undefined || query.county !== undefined;
  const areas = isPlaced ? counties : [query.state ?? ""];
  const dates = areas.flatMap((area) => market.lastKnown("price-by-county", area) ?? []);
  return dates.sort().at(-1) ?? null;
}

/** Says that nothing was reported near, or that only a venue is near whose county is measured to a point farther away. */
function nothingNear({query, generation}: Call<Query>, nearest: NearestMarket): string {
  const miles = query.radius ?? defaultMiles;
  const ofKind = kindTest(query) !== null;
  const isNear = nearest.distance_mi <= miles;
  if (isNear && ageDays(nearest.last_sale_date, generation.asOf) <= widenedWindowDays)
    return noCountyNearLimitation({miles, ofKind, nearest});
  return nothingNearLimitation({miles, days: widenedWindowDays, ofKind, state: query.state, nearest});
}

/** Returns the record with the members that depend on the question, whose primary county is `primary`. Only observations have a history. */
function recordText(
  market: MarketArtifacts,
  {key, miles}: Placed<CountyKey>,
  {primary, weeks}: {primary: string; weeks: number | undefined},
): string {
  const text = withDistance(market.counties.record(key.row), miles);
  const placed = key.observed && miles !== null ? withBand(text, miles, key.countyFips === primary) : text;
  if (weeks === undefined) return placed;
  const history = () => market.history(`${key.countyFips}|${key.cellId}`, weeks, key.lastSaleDate);
  return withHistory(placed, key.observed ? history() : []);
}

function chooseRows(
  market: MarketArtifacts,
  query: Query,
  {place, counties}: {place: LocatedZip | null; counties: readonly string[]},
): ChosenRows {
  const {state, county} = query;
  const [test, page] = [kindTest(query), pageOf(query)];
  if (place !== null) {
    const {point: from, countyFips: primaryFips} = place;
    const maxMiles = query.radius ?? defaultMiles;
    return market.countiesNear.nearest({from, primaryFips, state, test, maxMiles, page});
  }
  const isAsked = (key: CountyKey) =>
    county === undefined
      ? key.observed && (test === null ? key.headline : test(key))
      : counties.includes(key.countyFips) && (test === null || test(key));
  const chosen = market.counties.keys.filter(
    (key) => (state === undefined || key.state === state) && isAsked(key),
  );
  return {
    page: chosen.slice(page.offset, page.offset + page.limit).map((key) => ({key, miles: null})),
    total: chosen.length,
    hasPrimary: true,
  };
}

/** The place of a question for the summary. */
function askedPlace(
  {zip, state, radius = defaultMiles}: Query,
  {place, counties}: {place: LocatedZip | null; counties: readonly string[]},
): AskedPlace | null {
  if (counties.length > 0)
    return {
      id: counties.join("-"),
      words: countiesWords(counties),
      counties,
      itsState: stateOfCounty(counties[0]!),
    };
  if (place === null) return areaOfState(state);
  const inState = state === undefined ? "" : `in ${stateOf(state)?.name ?? state}`;
  return {
    id: [zip, state, radius].filter(Boolean).join("-"),
    words: [`within ${radius} miles of ${zip}`, inState].filter(Boolean).join(" "),
    around: {point: place.point, miles: radius},
    state,
    itsState: state ?? stateOfPlace(place),
  };
}
