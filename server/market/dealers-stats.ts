import {z} from "zod";
import {limitations} from "../../lib/limitations.ts";
import {FEDERAL_SCOPE} from "../../schemas/list-source.ts";
import {DealerStatsAnswer} from "../../schemas/market-answer.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import type {DealerKey} from "../tables/record-tables.ts";
import {marketAnswer, marketOf, pageOfRecords} from "./envelope.ts";
import {
  appliedParameters,
  pageLimitations,
  pageOf,
  pageParameters,
  stateParameter,
} from "./market-parameters.ts";

const STATES = 50;

/** Statistics of the public licensed-dealer lists, and the number of states without one in this build. */
export const dealersStats = defineEndpoint({
  path: "/dealers/stats",
  operationId: "dealersStats",
  summary: "Licensed-dealer statistics",
  description:
    "One record per state and public licence list; `summary` counts the states asked for, without federal lists (`list_scope: federal_psd`). Counts are a lower bound: null, and a state without a list, are not zero.",
  family: "market",
  scope: "market",
  parameters: z.strictObject({state: stateParameter, ...pageParameters}),
  response: DealerStatsAnswer,
  answer(call) {
    const market = marketOf(call);
    const {state} = call.query;
    const keys = market.dealers.keys.filter((key) => state === undefined || key.state === state);
    return marketAnswer(call, market, {
      ...pageOfRecords(market.dealers, keys, pageOf(call.query)),
      applied: appliedParameters(call.query),
      limitations: [limitations.L15, ...pageLimitations(call.query)],
      extra: {summary: summarize(keys, state === undefined ? STATES : 1)},
    });
  },
});

/** Lists without a total, and federal ones, are not part of the sum; `total_is_lower_bound` says so. */
function summarize(keys: readonly DealerKey[], asked: number): Record<string, unknown> {
  const lists = keys.filter(({scope}) => scope !== FEDERAL_SCOPE);
  const withList = new Set(lists.map(({state}) => state)).size;
  const totals = lists.flatMap(({total}) => total ?? []);
  return {
    states_with_list: withList,
    states_without_list: asked - Math.min(asked, withList),
    total_entities: totals.length === 0 ? null : totals.reduce((sum, total) => sum + total, 0),
    total_is_lower_bound: true,
  };
}
