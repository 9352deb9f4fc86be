import {z} from "zod";
import {foldedCountyName} from "../../lib/geography/counties.ts";
import {BarnAnswer} from "../../schemas/market-answer.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import type {BarnKey} from "./artifacts.ts";
import {marketAnswer, marketOf} from "./envelope.ts";
import {countyParameter, stateParameter, statusParameter} from "./parameters.ts";
import {contextOf, countyCodes, vintageLimitations} from "./places.ts";

const parameters = z.strictObject({state: stateParameter, county: countyParameter, status: statusParameter});
type Query = z.output<typeof parameters>;

/** Sale-barn records for maps and registries, by state, county and status. */
export const barns = defineEndpoint({
  path: "/barns",
  operationId: "barns",
  summary: "Sale-barn records",
  description:
    "Directory fields with location, schedule and status history. All statuses but `closed` unless asked for.",
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
      records: keys.map(({row}) => ({
        text: market.barns.record(row),
        evidenceId: market.barns.evidenceId(row),
      })),
      total: keys.length,
      limit: null,
      applied: call.query,
      resolution: county === undefined ? {} : {counties},
      limitations: vintageLimitations(counties),
      lastKnown: market.lastKnown("barns", counties.length === 1 ? counties[0]! : (state ?? "")),
      context: contextOf(market, state === undefined ? [] : [state], counties),
    });
  },
});

/** A name finds counties of the county table, and rows whose own county is called so (codes newer than the table). */
function fits(key: BarnKey, {state, county, status}: Query, codes: readonly string[]): boolean {
  if (state !== undefined && key.state !== state) return false;
  if (status === undefined ? key.status === "closed" : !status.some((word) => word === key.status))
    return false;
  if (county === undefined) return true;
  if (key.countyFips !== null && codes.includes(key.countyFips)) return true;
  return !/^\d/.test(county) && foldedCountyName(key.countyName ?? "") === foldedCountyName(county);
}
