import {ageDays} from "../../lib/dates.ts";
import {stateOf} from "../../lib/geography/states.ts";
import {curveEvidence, type IssueSale} from "../../lib/market/curve-evidence.ts";
import {drawnCurve} from "../../lib/market/curve-pens.ts";
import {type AreaPens, type CurveClass, curveClasses, curveSummary} from "../../lib/market/curve-summary.ts";
import {reportedWords} from "../../lib/market/curve-words.ts";
import {widenedWindowDays} from "../../lib/market/pricing-rules.ts";
import type {PriceSummary} from "../../schemas/market-answer.ts";
import type {Generation} from "../generation/generation.ts";
import {milesTo} from "../tables/area-pens.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {Evidence} from "../tables/side-tables.ts";
import {
  type AskedPlace,
  areaOf,
  type Kinds,
  newerOfficial,
  registryOf,
  type Summarized,
  served,
} from "./asked-place.ts";
import {cellSummaries} from "./cell-summaries.ts";
import {stateOfCounty} from "./place-context.ts";

/** A question without a class, or about a ZIP without a place, has no summary. */
export const noSummary: Summarized = {extra: {}, evidence: []};

/** The venues of a state; null without one. */
export function areaOfState(state: string | undefined): AskedPlace | null {
  if (state === undefined) return null;
  return {id: state, words: `in ${stateOf(state)?.name ?? state}`, state, itsState: state};
}

/** The weights of `summaries`, in pounds. */
const usualWeights = [550, 750];

/**
 * Summarises a question with a class (`docs/design/market.md` section 7.1): feeder steers and heifers in a figure at the weight, else at 550
 * and at 750 lb; other cattle in a figure of each cell.
 */
export function priceSummary(
  market: MarketArtifacts,
  generation: Pick<Generation, "asOf" | "sample">,
  {
    kinds: {commodity, class: classes, weight, curve},
    place,
  }: {readonly kinds: Kinds; readonly place: AskedPlace | null},
): Summarized {
  if (classes === undefined) return noSummary;
  const withoutFigure = (reason: string): Summarized =>
    weight === undefined
      ? noSummary
      : {extra: {summary: null, summary_reason: `No summary: ${reason}.`}, evidence: []};
  if (classes.length > 1)
    return withoutFigure(`one class at a time: ${classes.join(" and ")} are never one price`);
  if (place === null)
    return withoutFigure(
      "name a ZIP, a county or a state; the nation's figures are indicators of /price-by-state",
    );
  if ((place.counties?.length ?? 0) > 1) {
    const isOneState = new Set(place.counties!.map(stateOfCounty)).size === 1;
    return withoutFigure(
      `several counties are called so; ${isOneState ? "give the FIPS code" : "name the state as well"}`,
    );
  }
  const kind = curveClasses.find((each) => each === classes[0]);
  if (kind === undefined || commodity?.includes("feeder_cattle") === false)
    return (
      cellSummaries(market, generation, {kinds: {commodity, class: classes, weight}, place}) ??
      withoutFigure(
        `no sale of such cattle in the last ${widenedWindowDays} days${reportedWords(hasReports(market, place, generation.asOf))}`,
      )
    );
  const pens = market.salePens.of(place);
  const figures = (weight === undefined ? usualWeights : [weight]).map((weightLb) =>
    summaryAt(market, generation, {kind, weightLb, place, pens, isDrawn: curve === "full"}),
  );
  const summaries = figures.map(({summary}) => summary);
  return {
    extra: weight === undefined ? {summaries} : {summary: summaries[0]!},
    evidence: figures.flatMap(({evidence}) => evidence),
  };
}

function summaryAt(
  market: MarketArtifacts,
  {asOf, sample}: Pick<Generation, "asOf" | "sample">,
  {
    kind,
    weightLb,
    place,
    pens,
    isDrawn,
  }: {
    kind: CurveClass;
    weightLb: number;
    place: AskedPlace;
    pens: AreaPens<IssueSale>;
    isDrawn: boolean;
  },
): {summary: PriceSummary; evidence: Evidence[]} {
  const answer = curveSummary(pens, {
    ...{kind, weightLb, place: place.words},
    hasReports: hasReports(market, place, asOf),
  });
  const {official: newer, evidence: ofNewer} = newerOfficial(market, place, {
    cellId: curveCellId(kind, weightLb),
    lastSaleDate: answer.summary.last_sale_date,
  });
  const drawn = isDrawn ? {curve: drawnCurve(answer.figure)} : {};
  if (answer.figure.price === null)
    return {summary: {...answer.summary, official: newer, evidence_id: null, ...drawn}, evidence: ofNewer};
  const official =
    place.itsState === undefined
      ? []
      : market.salePens.official(place.itsState, kind, answer.summary.last_sale_date!);
  const evidence = curveEvidence({asOf, sample, registry: registryOf(market)}, answer, {
    id: `cs-${place.id}-${kind}-${weightLb}`,
    area: areaOf(place),
    official,
  });
  return {
    summary: {...answer.summary, official: newer, evidence_id: evidence.evidence_id, ...drawn},
    evidence: [served(evidence), ...ofNewer],
  };
}

/** True where a venue of the area reported a sale of the last weeks, of whatever cattle. */
function hasReports(market: MarketArtifacts, place: AskedPlace, asOf: string): boolean {
  return market.barns.keys.some(
    (venue) =>
      venue.lastSaleDate !== null &&
      ageDays(venue.lastSaleDate, asOf) <= widenedWindowDays &&
      milesTo(venue, place) !== undefined,
  );
}

/** The cell of Medium and Large 1 feeders whose 50-lb bin holds a weight. */
function curveCellId(kind: CurveClass, weightLb: number): string {
  const low = weightLb - (weightLb % 50);
  const [from, to] = [low, low + 49].map((lb) => String(lb).padStart(4, "0"));
  return `feeder-${kind}-ml1-${from}-${to}-cwt`;
}
