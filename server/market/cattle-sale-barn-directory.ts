import {z} from "zod";
import {DirectoryAnswer} from "../../schemas/market-answer.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import {marketAnswer, marketOf} from "./envelope.ts";
import {stateParameter} from "./parameters.ts";

/** The sale-barn directory: one flat row per venue, all statuses but closed. */
export const cattleSaleBarnDirectory = defineEndpoint({
  path: "/cattle-sale-barn-directory",
  operationId: "cattleSaleBarnDirectory",
  summary: "Sale-barn directory export",
  description:
    "One row per venue with a public listing, all statuses but `closed`. Business contact data only.",
  family: "market",
  scope: "market",
  parameters: z.strictObject({state: stateParameter}),
  response: DirectoryAnswer,
  answer(call) {
    const market = marketOf(call);
    const {state} = call.query;
    const keys = market.directory.keys.filter(
      (key) => key.status !== "closed" && (state === undefined || key.state === state),
    );
    return marketAnswer(call, market, {
      records: keys.map(({row}) => ({
        text: market.directory.record(row),
        evidenceId: market.directory.evidenceId(row),
      })),
      total: keys.length,
      limit: null,
      applied: state === undefined ? {} : {state},
      lastKnown: market.lastKnown("cattle-sale-barn-directory", state ?? ""),
    });
  },
});
