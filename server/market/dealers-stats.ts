import {z} from "zod";
import {limitations} from "../../lib/limitations.ts";
import {DealerStatsAnswer} from "../../schemas/market-answer.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import type {MarketArtifacts} from "./artifacts.ts";
import {marketAnswer, marketOf} from "./envelope.ts";

const STATES = 50;

/** Statistics of the public lists of licensed dealers, and how many states have none in this build. */
export const dealersStats = defineEndpoint({
  path: "/dealers/stats",
  operationId: "dealersStats",
  summary: "Licensed-dealer statistics",
  description: "One record per state and public licence list. Counts are a lower bound; null is not zero.",
  family: "market",
  scope: "market",
  parameters: z.strictObject({}),
  response: DealerStatsAnswer,
  answer(call) {
    const market = marketOf(call);
    const {keys} = market.dealers;
    return marketAnswer(call, market, {
      records: keys.map(({row}) => ({
        text: market.dealers.record(row),
        evidenceId: market.dealers.evidenceId(row),
      })),
      total: keys.length,
      limit: null,
      applied: {},
      limitations: [limitations.L15],
      lastKnown: market.lastKnown("dealers/stats", ""),
      extra: {summary: summarize(market)},
    });
  },
});

/** Lists that give no total are left out of the sum, which says itself that it is a lower bound. */
function summarize({dealers}: MarketArtifacts): Record<string, unknown> {
  const states = new Set(dealers.keys.map(({state}) => state));
  const totals = dealers.keys.flatMap(({row}) => {
    const {total_entities: total} = JSON.parse(dealers.record(row)) as {total_entities: number | null};
    return total ?? [];
  });
  return {
    states_with_list: states.size,
    states_without_list: STATES - Math.min(STATES, states.size),
    total_entities: totals.length === 0 ? null : totals.reduce((sum, total) => sum + total, 0),
    total_is_lower_bound: true,
  };
}
