import type {Point} from "@open-cattle/parcel-outlines";
import {z} from "zod";
import {type County, countyAt} from "../../lib/geography/counties.ts";
import {limitations, nothingNearLimitation} from "../../lib/limitations.ts";
import {latestMaxAgeDays} from "../../lib/market/pricing-rules.ts";
import {LatestPriceAnswer, type NearestMarket} from "../../schemas/market-answer.ts";
import {type Call, defineEndpoint} from "../http/endpoint.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {Span} from "../tables/past-sales.ts";
import type {LatestKey, Placed} from "../tables/record-tables.ts";
import type {ZipPlace} from "../tables/side-tables.ts";
import {countiesWords} from "./asked-place.ts";
import {pagedBy} from "./cursor.ts";
import {marketAnswer, marketOf, pageWithMandatory, type Selection} from "./envelope.ts";
import {placeWithoutReport} from "./held-reports.ts";
import {rowsOf, trades} from "./latest-rows.ts";
import {mandatoryLines} from "./mandatory-records.ts";
import {
  appliedParameters,
  barnOrderParameter,
  checkPlace,
  costParameters,
  costsOf,
  countyParameter,
  defaultMiles,
  kindParameters,
  kindTest,
  pageLimitations,
  pageOf,
  pageParameters,
  pointParameters,
  radiusParameter,
  stateParameter,
  venueParameter,
  zipParameter,
} from "./market-parameters.ts";
import {askedCounties} from "./named-places.ts";
import {nearestMarket} from "./nearest-market.ts";
import {checkComparison, checkPast, MAX_SPAN, pastParameters, spanOf} from "./past-parameters.ts";
import {pastPage} from "./past-prices.ts";
import {
  type AskedVenues,
  contextOf,
  isAskedVenue,
  lastSaleOf,
  stateOfCounty,
  stateOfVenue,
  vintageLimitations,
  weatherOf,
  withDistance,
} from "./place-context.ts";
import {areaOfState} from "./price-summary.ts";
import {whichBarn} from "./which-barn.ts";

const MAX_VENUES = 25;

const parameters = z
  .strictObject({
    ...pointParameters,
    zip: zipParameter,
    radius: radiusParameter,
    state: stateParameter,
    county: countyParameter,
    venue: venueParameter,
    ...kindParameters,
    ...costParameters,
    order: barnOrderParameter,
    ...pastParameters,
    ...pageParameters,
  })
  .superRefine(checkPlace)
  .superRefine(checkPast)
  .superRefine(checkComparison);
type Query = z.output<typeof parameters>;

/** Latest price rows per venue: around a place, in a state or county, of one barn, or of every venue. */
export const latestPrices = defineEndpoint({
  path: "/latest-prices",
  operationId: "latestPrices",
  summary: "Latest price records",
  description:
    "With a point or a ZIP: all rows of up to 25 nearest venues within `radius`, each venue's most important rows first. With a county or a " +
    "barn: all rows of its venues. Without a place: headline cells of every venue, or every cell of the requested kinds, newest sale first. " +
    "Video and direct trades (`report_scope`) come after all rows of venues, without a distance. With a place or a state, trades of regions that " +
    "name its state come first; trades of other regions are included only if a venue is within reach. Last come up to 20 lines of mandatory reports (`report_scope: mandatory`), except with a county or a barn. With a point or a ZIP, one class of feeders " +
    "and a weight, `barns` compares what each barn paid for that weight, and with all five costs what is left of it. " +
    "With `from` or `to`: the rows of every sale that ended on these days, newest first, without barns, mandatory reports and signals of today; " +
    `either alone takes ${MAX_SPAN} days. \`cursor\` takes the page after another.`,
  family: "market",
  scope: "market",
  parameters,
  redacted: ["lat", "lon"],
  response: LatestPriceAnswer,
  answer(call) {
    const market = marketOf(call);
    const {query} = call;
    const span = spanOf(query, call.generation.asOf);
    const place = query.zip === undefined ? null : market.zip(query.zip);
    const point = query.lat === undefined ? (place?.point ?? null) : {lat: query.lat, lon: query.lon!};
    const codes = askedCounties(market.barns.keys, query);
    const around = point === null ? undefined : countyAt(point);
    const unresolved = query.zip !== undefined && point === null;
    if (span !== null) {
      const area = {point, codes, place, around};
      return marketAnswer(call, market, pastSelection(call, market, {span, area}));
    }
    const page = pageOf(query);
    const {placedRows, nearest} = unresolved ? noRows : chooseRows(market, query, {point, codes, around});
    const pageRows = placedRows.slice(page.offset, page.offset + page.limit);
    const lines =
      unresolved || query.county !== undefined || query.venue !== undefined
        ? []
        : mandatoryLines(market, {state: query.state ?? around?.state ?? null, test: kindTest(query)});
    const barns =
      point === null
        ? noBarns
        : whichBarn(market, call.generation, {
            ...{from: point, miles: milesOf(query), state: query.state},
            ...{commodity: query.commodity, classes: query.class},
            ...{weightLb: query.weight, costs: costsOf(query), order: query.order ?? "price"},
          });
    const counties = around === undefined ? codes : [around.fips];
    const named = stateOfVenue(market.barns.keys, {...query, codes});
    const states = [around?.state, query.state, ...codes.map(stateOfCounty), named];
    return marketAnswer(call, market, {
      ...pageWithMandatory(
        placedRows,
        ({key, miles}) => ({
          text: withDistance(market.latest.record(key.row), miles),
          evidenceId: market.latest.evidenceId(key.row),
        }),
        {page, lines},
      ),
      applied: appliedParameters(query),
      resolution: resolutionOf(query, {point, codes, place}),
      limitations: [
        ...(point === null ? [] : [limitations.L16]),
        ...(nearest === null
          ? []
          : [
              nothingNearLimitation({
                miles: milesOf(query),
                days: latestMaxAgeDays,
                ofKind: kindTest(query) !== null,
                newestOnly: true,
                state: query.state,
                nearest,
              }),
            ]),
        ...vintageLimitations(codes),
        ...pageLimitations(query),
      ],
      location: unresolved ? "unresolved" : undefined,
      lastKnown: lastKnown(market, query, {codes, counties}) ?? nearest?.last_sale_date ?? null,
      noReportHeld: unresolved ? undefined : placeWithoutReport(market, heldPlace(query, {point, codes})),
      extra: {...(nearest === null ? {} : {nearest_market: nearest}), ...barns.extra},
      extraEvidence: barns.evidence,
      context: [
        ...contextOf(market, states, counties),
        ...weatherOf(
          market,
          pageRows.map(({key}) => key.venueId),
          counties,
        ),
      ],
    });
  },
});

type Area = {point: Point | null; codes: readonly string[]; place: ZipPlace | null};

function resolutionOf(query: Query, {point, codes, place}: Area): Record<string, unknown> {
  return {
    ...(point === null ? {} : {radius_mi: milesOf(query), venues_limit: MAX_VENUES}),
    ...(place === null ? {} : {zip: {zip: query.zip, ...place.point, method: place.method}}),
    ...(query.county === undefined ? {} : {counties: codes}),
  };
}

/** The rows of past sales: only prices and their evidence, because signals and mandatory lines are of today. */
function pastSelection(
  call: Call<Query>,
  market: MarketArtifacts,
  {span, area}: {span: Span; area: Area & {around: County | undefined}},
): Selection {
  const {query, generation} = call;
  const {page, nextCursor} = pagedBy(call);
  const {state, county, venue} = query;
  const {point, codes, around} = area;
  const unresolved = query.zip !== undefined && point === null;
  const isPlaced = county !== undefined || venue !== undefined;
  const asked = {
    ...{span, state, kind: kindTest(query), itsState: around?.state ?? null},
    venueIds: isPlaced ? askedVenues(market, {state, county, venue, codes}) : null,
    around: point === null ? null : {point, miles: milesOf(query), venues: MAX_VENUES},
  };
  return {
    ...(unresolved ? {records: [], total: 0, page} : pastPage(market, generation, {asked, page})),
    nextCursor,
    applied: appliedParameters({...query, ...span}),
    resolution: resolutionOf(query, area),
    limitations: [
      ...(point === null ? [] : [limitations.L16]),
      ...vintageLimitations(codes),
      ...pageLimitations(query),
    ],
    location: unresolved ? "unresolved" : undefined,
    lastKnown: lastKnown(market, query, {codes, counties: around === undefined ? codes : [around.fips]}),
  };
}

type Areas = {codes: readonly string[]; counties: readonly string[]};

/**
 * The last known sale of the venue, of the counties or, only where neither these nor a place was asked for, of the state; null with kinds of
 * cattle, because it may be of others.
 */
function lastKnown(market: MarketArtifacts, query: Query, {codes, counties}: Areas): string | null {
  if (kindTest(query) !== null) return null;
  if (query.venue !== undefined) return lastSaleOf(market.barns.keys, {...query, codes});
  const isPlaced = query.lat !== undefined || query.zip !== undefined || query.county !== undefined;
  const areas = isPlaced ? counties : [query.state ?? ""];
  const dates = areas.flatMap((area) => market.lastKnown("latest-prices", area) ?? []);
  return dates.sort().at(-1) ?? null;
}

/** The place of a question as one of which reports are held; null for a barn and for no place. */
function heldPlace(query: Query, {point, codes}: Pick<AskedPlace, "point" | "codes">) {
  const {state, zip, venue} = query;
  if (venue !== undefined) return null;
  if (codes.length > 0) return {counties: codes, words: countiesWords(codes)};
  if (point === null) return areaOfState(state);
  const miles = milesOf(query);
  return {
    state,
    around: {point, miles},
    words: `within ${miles} miles${zip === undefined ? "" : ` of ${zip}`}`,
  };
}

const milesOf = ({radius = defaultMiles}: Query) => radius;

type Chosen = {
  placedRows: readonly Placed<LatestKey>[];
  /** The nearest market, when a place has none within reach. */
  nearest: NearestMarket | null;
};

const noBarns = {extra: {}, evidence: []};
const noRows: Chosen = {placedRows: [], nearest: null};

type AskedPlace = {point: Point | null; codes: readonly string[]; around: County | undefined};

function chooseRows(market: MarketArtifacts, query: Query, {point, codes, around}: AskedPlace): Chosen {
  const {state, county, venue} = query;
  const kind = kindTest(query);
  const isPlaced = county !== undefined || venue !== undefined;
  const asked = isPlaced ? askedVenues(market, {state, county, venue, codes}) : null;
  const test = (key: LatestKey) =>
    (state === undefined || key.state === state) &&
    (asked === null || asked.has(key.venueId)) &&
    (kind === null || kind(key));
  const ofVenues =
    point === null
      ? rowsOf(market.latest.keys, {test, whole: isPlaced || kind !== null})
      : market.venuesNear.nearest(point, {miles: milesOf(query), venues: MAX_VENUES, test});
  const far = state === undefined && (point === null || ofVenues.length > 0);
  const ofTrades = isPlaced
    ? []
    : trades(market.latest.keys, {test: kind, state: state ?? around?.state ?? null, far});
  const missing = point !== null && ofVenues.length === 0;
  return {
    placedRows: [...(isPlaced ? byImportance(ofVenues) : ofVenues), ...ofTrades],
    nearest: missing ? nearestMarket(market, point, {state, test: kind}) : null,
  };
}

/** Ids of the venues that a question selects by county or name. */
function askedVenues(market: MarketArtifacts, asked: AskedVenues): ReadonlySet<string> {
  return new Set(market.barns.keys.flatMap((key) => (isAskedVenue(key, asked) ? key.venueId : [])));
}

/** Groups the rows by venue, the most important first within each. */
function byImportance(rows: Chosen["placedRows"]): Chosen["placedRows"] {
  return [...Map.groupBy(rows, ({key}) => key.venueId).values()].flatMap((ofVenue) =>
    ofVenue.toSorted((a, b) => a.key.importance - b.key.importance),
  );
}
