import {stateOf} from "../../lib/geography/states.ts";
import {curveEvidence, type IssueSale} from "../../lib/market/curve-evidence.ts";
import {type AreaPens, type CurveClass, curveClasses, curveSummary} from "../../lib/market/curve-summary.ts";
import type {PriceSummary} from "../../schemas/market-answer.ts";
import type {MarketSource} from "../../schemas/market-source.ts";
import {marketSourceIds} from "../../schemas/market-source.ts";
import type {Generation} from "../generation/generation.ts";
import type {PenArea} from "../tables/area-pens.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {Evidence} from "../tables/side-tables.ts";

/** The place of a question: which venues, worded, and as part of an id. */
export type AskedPlace = PenArea & {
  readonly id: string;
  readonly words: string;
  /** The state whose summary the figure is checked against; undefined where there is none. */
  readonly itsState: string | undefined;
};

/** The kinds of cattle of a question. */
type Kinds = {
  readonly commodity?: readonly string[] | undefined;
  readonly class?: readonly string[] | undefined;
  readonly weight?: number | undefined;
};

/** Envelope members, and the evidence of the figures. */
type Summarized = {
  extra: {summary?: PriceSummary | null; summaries?: PriceSummary[]; summary_reason?: string};
  evidence: readonly Evidence[];
};

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
 * Summarises a question with a class in one figure (`docs/design/market.md` section 7.1): at its weight, else at 550 and at 750 lb. Only
 * feeder steers and heifers have one.
 */
export function priceSummary(
  market: MarketArtifacts,
  generation: Pick<Generation, "asOf" | "sample">,
  {
    kinds: {commodity, class: classes, weight},
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
  if ((place.counties?.length ?? 0) > 1)
    return withoutFigure("several counties are called so; name the state as well");
  const kind = curveClasses.find((each) => each === classes[0]);
  if (kind === undefined || commodity?.includes("feeder_cattle") === false)
    return withoutFigure("only feeder steers and heifers have a figure by weight");
  const pens = market.salePens.of(place);
  const figures = (weight === undefined ? usualWeights : [weight]).map((weightLb) =>
    summaryAt(market, generation, {kind, weightLb, place, pens}),
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
  }: {kind: CurveClass; weightLb: number; place: AskedPlace; pens: AreaPens<IssueSale>},
): {summary: PriceSummary; evidence: Evidence[]} {
  const answer = curveSummary(pens, {kind, weightLb, place: place.words});
  if (answer.figure.price === null) return {summary: {...answer.summary, evidence_id: null}, evidence: []};
  const registry = market.sourceEntries(marketSourceIds).map((entry) => JSON.parse(entry) as MarketSource);
  const area = {
    entities: [
      ...(place.counties ?? []).map((fips) => `county:${fips}`),
      ...(place.itsState === undefined ? [] : [`state:${place.itsState}`]),
    ],
    radiusMiles: place.around?.miles ?? null,
    isCounty: place.counties !== undefined,
  };
  const official =
    place.itsState === undefined
      ? []
      : market.salePens.official(place.itsState, kind, answer.summary.last_sale_date!);
  const evidence = curveEvidence({asOf, sample, registry}, answer, {
    id: `cs-${place.id}-${kind}-${weightLb}`,
    area,
    official,
  });
  const {sources, limitations, source_date: sourceDate} = evidence;
  return {
    summary: {...answer.summary, evidence_id: evidence.evidence_id},
    evidence: [{sources, limitations, sourceDate, text: JSON.stringify(evidence)}],
  };
}
