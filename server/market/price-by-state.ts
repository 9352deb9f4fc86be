import {z} from "zod";
import {StatePriceAnswer} from "../../schemas/market-answer.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import {allRecords, marketAnswer, marketOf} from "./envelope.ts";
import {stateParameter} from "./parameters.ts";
import {contextOf} from "./places.ts";

/** State-level price aggregates: all cells of one state, or the headline cells of every state. */
export const priceByState = defineEndpoint({
  path: "/price-by-state",
  operationId: "priceByState",
  summary: "State price aggregates",
  description: "With a state: all its cells. Without: the headline cells of every state.",
  family: "market",
  scope: "market",
  parameters: z.strictObject({state: stateParameter}),
  response: StatePriceAnswer,
  answer(call) {
    const market = marketOf(call);
    const {state} = call.query;
    const keys = market.states.keys.filter((key) =>
      state === undefined ? key.headline : key.state === state,
    );
    return marketAnswer(call, market, {
      ...allRecords(market.states, keys),
      applied: call.query,
      lastKnown: market.lastKnown("price-by-state", state ?? ""),
      context: contextOf(market, state === undefined ? [] : [state], []),
    });
  },
});
