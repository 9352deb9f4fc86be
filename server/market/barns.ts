import {z} from "zod";
import {foldedCountyName} from "../../lib/geography/counties.ts";
import {BarnAnswer, DirectoryAnswer} from "../../schemas/market-answer.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import {marketAnswer, marketOf, pageOfRecords} from "./envelope.ts";
import {appliedParameters, pageLimitations, pageOf, pageParameters} from "./page-parameters.ts";
import {countyParameter, stateParameter, statusParameter, venueParameter} from "./parameters.ts";
import {contextOf, countyCodes, vintageLimitations} from "./places.ts";
import type {BarnKey} from "./record-tables.ts";

const parameters = z.strictObject({
  state: stateParameter,
  county: countyParameter,
  status: statusParameter,
  venue: venueParameter,
  ...pageParameters,
});
type Filter = Pick<z.output<typeof parameters>, "state" | "county" | "status" | "venue">;

/** Sale-barn records for maps and registries, by state, county and status. */
export const barns = defineEndpoint({
  path: "/barns",
  operationId: "barns",
  summary: "Sale-barn records",
  description:
    "Directory fields with location, schedule and status history; the next sale of one barn by its name. All statuses but `closed` unless asked for.",
  family: "market",
  scope: "market",
  parameters,
  response: BarnAnswer,
  answer(call) {
    const market = marketOf(call);
    const {state, county} = call.query;
    const codes = county === undefined ? [] : countyCodes(county, state);
    const keys = market.barns.keys.filter((key) => fits(key, call.query, codes));
    const named = keys.flatMap(({countyFips}) => countyFips ?? []);
    const counties = county === undefined ? [] : [...new Set([...codes, ...named])].sort();
    return marketAnswer(call, market, {
      ...pageOfRecords(market.barns, keys, pageOf(call.query)),
      applied: appliedParameters(call.query),
      resolution: county === undefined ? {} : {counties},
      limitations: [...vintageLimitations(counties), ...pageLimitations(call.query)],
      lastKnown: market.lastKnown("barns", counties.length === 1 ? counties[0]! : (state ?? "")),
      context: contextOf(market, state === undefined ? [] : [state], counties),
    });
  },
});

/** The sale-barn directory: one flat row per venue, all statuses but closed. */
export const cattleSaleBarnDirectory = defineEndpoint({
  path: "/cattle-sale-barn-directory",
  operationId: "cattleSaleBarnDirectory",
  summary: "Sale-barn directory export",
  description:
    "One row per venue with a public listing, all statuses but `closed`. Business contact data only.",
  family: "market",
  scope: "market",
  parameters: z.strictObject({state: stateParameter, ...pageParameters}),
  response: DirectoryAnswer,
  answer(call) {
    const market = marketOf(call);
    const {state} = call.query;
    const keys = market.directory.keys.filter((key) => fits(key, {state}, []));
    return marketAnswer(call, market, {
      ...pageOfRecords(market.directory, keys, pageOf(call.query)),
      applied: appliedParameters(call.query),
      limitations: pageLimitations(call.query),
      lastKnown: market.lastKnown("cattle-sale-barn-directory", state ?? ""),
    });
  },
});

/**
 * True for a venue of the state, the county and one of the statuses; without a status, for all but closed venues. A name also
 * finds venues by the name of their own county, whose code may be newer than the county table.
 */
function fits(key: BarnKey, {state, county, status, venue}: Filter, codes: readonly string[]): boolean {
  if (venue !== undefined && !isNamed(key, venue)) return false;
  if (state !== undefined && key.state !== state) return false;
  if (status === undefined ? key.status === "closed" : !status.some((word) => word === key.status))
    return false;
  if (county === undefined) return true;
  if (key.countyFips !== null && codes.includes(key.countyFips)) return true;
  return !/^\d/.test(county) && foldedCountyName(key.countyName ?? "") === foldedCountyName(county);
}

/** True for the barn of an id, and for one whose name and town hold all words, each as a word or its beginning. */
function isNamed({venueId, venueName, city}: BarnKey, asked: string): boolean {
  if (venueId === asked.toLowerCase()) return true;
  const words = wordsOf(`${venueName} ${city}`);
  const wanted = wordsOf(asked);
  return wanted.length > 0 && wanted.every((word) => words.some((each) => each.startsWith(word)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
