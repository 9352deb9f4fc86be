import {z} from "zod";
import type {Point} from "../../lib/geography/distance.ts";
import {limitations} from "../../lib/limitations.ts";
import {CountyPriceAnswer} from "../../schemas/market-answer.ts";
import {type Call, defineEndpoint} from "../http/endpoint.ts";
import type {MarketArtifacts} from "./artifacts.ts";
import {marketAnswer, marketOf, type Selection} from "./envelope.ts";
import {limitParameter, stateParameter, USUAL_RECORDS, zipParameter} from "./parameters.ts";
import {contextOf, stateOfCounty, vintageLimitations, withDistance} from "./places.ts";
import type {CountyKey, Keyed} from "./record-tables.ts";
import type {ZipPlace} from "./side-tables.ts";

const parameters = z.strictObject({zip: zipParameter, state: stateParameter, limit: limitParameter});
type Query = z.output<typeof parameters>;

/** County price aggregates, around a ZIP, of a state, or of every county with an observation. */
export const priceByCounty = defineEndpoint({
  path: "/price-by-county",
  operationId: "priceByCounty",
  summary: "County price aggregates",
  description:
    "With a ZIP: its primary county first, then the counties with an observation by distance, all cells. With a state: " +
    "headline cells of its counties with an observation. `limit` counts records.",
  family: "market",
  scope: "market",
  parameters,
  response: CountyPriceAnswer,
  answer(call) {
    const market = marketOf(call);
    const place = call.query.zip === undefined ? null : market.zip(call.query.zip);
    const located = place?.point == null ? null : {...place, point: place.point};
    return marketAnswer(call, market, chooseRecords(call, market, located));
  },
});

type LocatedZip = ZipPlace & {point: Point};
/** `hasPrimary` is false where a located ZIP's own county has no record. */
type ChosenRows = {
  page: readonly {key: Keyed<CountyKey>; miles: number | null}[];
  total: number;
  hasPrimary: boolean;
};

const noRows: ChosenRows = {page: [], total: 0, hasPrimary: true};

function chooseRecords(call: Call<Query>, market: MarketArtifacts, place: LocatedZip | null): Selection {
  const {zip, state, limit} = call.query;
  const unresolved = zip !== undefined && place === null;
  const most = limit?.records ?? USUAL_RECORDS;
  const chosen = unresolved ? noRows : chooseRows(market, call.query, place, most);
  const area = place?.countyFips ?? state ?? "";
  return {
    records: chosen.page.map(({key, miles}) => ({
      text: withDistance(market.counties.record(key.row), miles),
      evidenceId: market.counties.evidenceId(key.row),
    })),
    total: chosen.total,
    limit: most,
    applied: {...(zip === undefined ? {} : {zip}), ...(state === undefined ? {} : {state}), limit: most},
    resolution: zip === undefined ? {} : {zip: place === null ? null : zipResolution(place)},
    limitations: [
      ...(limit?.reduced === true ? [limitations.L10] : []),
      ...(place !== null && chosen.total > 0 ? [limitations.L16] : []),
      ...(place === null ? [] : zipLimitations(place, state)),
    ],
    ...location(unresolved, chosen),
    lastKnown: market.lastKnown("price-by-county", area),
    context: contextOf(market, areaStates(state, place), place?.countyFips == null ? [] : [place.countyFips]),
  };
}

function chooseRows(
  market: MarketArtifacts,
  {state}: Query,
  place: LocatedZip | null,
  most: number,
): ChosenRows {
  if (place !== null) {
    const {point: from, countyFips: primaryFips} = place;
    return market.countiesNear.nearest({from, primaryFips, state, most});
  }
  const chosen = market.counties.keys.filter(
    (key) => key.observed && key.headline && (state === undefined || key.state === state),
  );
  return {
    page: chosen.slice(0, most).map((key) => ({key, miles: null})),
    total: chosen.length,
    hasPrimary: true,
  };
}

function location(unresolved: boolean, {hasPrimary}: ChosenRows): Pick<Selection, "location"> {
  if (unresolved) return {location: "unresolved"};
  return hasPrimary ? {} : {location: "missing"};
}

function zipResolution({zip, point, countyFips, method, counties}: LocatedZip): Record<string, unknown> {
  const shares = counties.length === 0 ? {} : {zip_counties: counties};
  return {zip, primary_county_fips: countyFips, lat: point.lat, lon: point.lon, method, ...shares};
}

/** L09 for a ZIP area in several counties, and their shares where none has half of it. */
function splitLimitations({zip, counties}: ZipPlace): string[] {
  if (counties.length < 2) return [];
  const split = counties.map(({county_fips, share}) => `${county_fips} ${share}`).join(", ");
  const divided =
    counties[0]!.share < 0.5 ? [`ZIP ${zip} is split over counties by land area: ${split}.`] : [];
  return [limitations.L09, ...divided];
}

function zipLimitations(place: ZipPlace, state: string | undefined): string[] {
  const itsState = place.countyFips === null ? undefined : stateOfCounty(place.countyFips);
  const elsewhere = state !== undefined && itsState !== undefined && itsState !== state;
  const both = `ZIP ${place.zip} lies in ${itsState}, not in ${state}; both filters were applied.`;
  const named = [place.countyFips, ...place.counties.map(({county_fips}) => county_fips)];
  const vintages = vintageLimitations(named.filter((code) => code !== null));
  return [...(elsewhere ? [both] : []), ...splitLimitations(place), ...vintages];
}

function areaStates(state: string | undefined, place: ZipPlace | null): string[] {
  const own = place?.countyFips == null ? undefined : stateOfCounty(place.countyFips);
  return [...new Set([own, state].filter((code) => code !== undefined))];
}
