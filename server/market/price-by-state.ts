import {z} from "zod";
import {StatePriceAnswer} from "../../schemas/market-answer.ts";
import {defineEndpoint} from "../http/endpoint.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {Keyed, StateKey} from "../tables/record-tables.ts";
import {pagedBy} from "./cursor.ts";
import {marketAnswer, marketOf, pageWithMandatory} from "./envelope.ts";
import {placeWithoutReport} from "./held-reports.ts";
import {mandatoryLines} from "./mandatory-records.ts";
import {
  appliedParameters,
  curveParameter,
  historyParameter,
  kindParameters,
  kindTest,
  pageLimitations,
  pageOf,
  pageParameters,
  stateParameter,
} from "./market-parameters.ts";
import {hasPastSale, pastNotes, pastStates} from "./past-areas.ts";
import {checkHistory, checkPast, pastParameters, spanOf} from "./past-parameters.ts";
import {contextOf, withHistory} from "./place-context.ts";
import {areaOfState, priceSummary} from "./price-summary.ts";

const parameters = z
  .strictObject({
    state: stateParameter,
    ...kindParameters,
    history: historyParameter,
    curve: curveParameter,
    ...pastParameters,
    ...pageParameters,
  })
  .superRefine(checkPast)
  .superRefine(checkHistory);

const summaryHeld =
  "An official summary of these weeks is held, and no sale of the state: ask with `history` instead of `from` and `to`.";

/** State-level price aggregates: all cells of one state, or the headline cells of every state. */
export const priceByState = defineEndpoint({
  path: "/price-by-state",
  operationId: "priceByState",
  summary: "State price aggregates",
  description:
    "With a state: all its cells. Without: the headline cells of every state, or every cell of the requested kinds. Ordered by " +
    "state, the most important cells first. With a class and a weight, `summary` is one figure from the weight curve of the area. " +
    "Last come up to 20 lines of mandatory reports (`report_scope: mandatory`): what packers paid in regions that hold the state, and the cutout. " +
    "With `from` or `to`: one record for each state, cell and week from Sunday to Saturday with a day among these, newest week first, without official summaries.",
  family: "market",
  scope: "market",
  parameters,
  response: StatePriceAnswer,
  answer(call) {
    const market = marketOf(call);
    const {state, history} = call.query;
    const test = kindTest(call.query);
    const span = spanOf(call.query, call.generation.asOf);
    if (span !== null) {
      const {page, nextCursor} = pagedBy(call);
      const found = pastStates(market, call.generation, {state, span, page, kind: test});
      const notes = pastNotes("state", call.query);
      const last = test === null ? market.lastKnown("price-by-state", state ?? "") : null;
      const isWithin = last !== null && last >= span.from && last <= span.to;
      // The newest report of these days is an official summary if no venue of the state sold on them.
      const hasSummary = isWithin && state !== undefined && !hasPastSale(market, {state, span});
      return marketAnswer(call, market, {
        ...found,
        ...notes,
        ...(hasSummary ? {limitations: [summaryHeld, ...notes.limitations]} : {}),
        nextCursor,
        applied: appliedParameters({...call.query, ...span}),
        lastKnown: hasSummary ? null : last,
      });
    }
    const keys = market.states.keys.filter(
      (key) =>
        (state === undefined ? key.headline || test !== null : key.state === state) &&
        (test === null || test(key)),
    );
    const indicators = ["US", ...(state === undefined ? [] : [state])].flatMap(market.indicators);
    const place = areaOfState(state);
    const summary = priceSummary(market, call.generation, {kinds: call.query, place});
    return marketAnswer(call, market, {
      ...pageWithMandatory(
        keys,
        (key) => ({text: recordText(market, key, history), evidenceId: market.states.evidenceId(key.row)}),
        {page: pageOf(call.query), lines: mandatoryLines(market, {state: state ?? null, test})},
      ),
      applied: appliedParameters(call.query),
      limitations: pageLimitations(call.query),
      // With kinds of cattle, the date may be that of others.
      lastKnown: test === null ? market.lastKnown("price-by-state", state ?? "") : null,
      noReportHeld: placeWithoutReport(market, place),
      context: contextOf(market, [state], []),
      extra: {...summary.extra, indicators: indicators.map(({text}) => JSON.parse(text))},
      extraEvidence: [
        ...summary.evidence,
        ...indicators.flatMap(({evidenceId}) =>
          evidenceId === null ? [] : (market.evidence(evidenceId) ?? []),
        ),
      ],
    });
  },
});

/** Returns the record, with its history if requested: that of the same summary report, or of the venues combined. */
function recordText(market: MarketArtifacts, key: Keyed<StateKey>, weeks: number | undefined): string {
  const text = market.states.record(key.row);
  if (weeks === undefined) return text;
  const population = key.reportSlug === null ? "" : `|${key.reportSlug}`;
  const found = market.history(`${key.state}|${key.cellId}${population}`, weeks, key.lastSaleDate);
  return withHistory(text, found);
}
