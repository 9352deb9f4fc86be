import type {Contradiction, Evidence} from "../../schemas/market-evidence.ts";
import {limitations} from "../limitations.ts";
import {roundHalfAway} from "../rounding.ts";
import {type CurveFigure, curveFigure} from "./curve-figure.ts";
import type {AreaPen, CurveAnswer, Sale} from "./curve-summary.ts";
import {type AnswerContext, evidenceOf, latestOf, priceSources} from "./evidence.ts";
import {headOf} from "./pen-means.ts";
import {curveConfidence} from "./price-confidence.ts";

/** A sale with its report issue. */
export type IssueSale = Sale & {
  readonly issueId: string;
  readonly sourceId: string;
  readonly ingestedAt: string | null;
  readonly verifiedAt: string | null;
  /** True if the earlier build cited no such issue. */
  readonly isNew: boolean;
  readonly preliminary: boolean;
};

/** The area of a figure, for its evidence. */
export type CurveArea = {
  /** `kind:key` ids besides venues and reports. */
  readonly entities: readonly string[];
  readonly radiusMiles: number | null;
  readonly isCounty: boolean;
};

/** An official summary needs this much near the weight to be a check. */
const officialMinimums = {pens: 5, head: 100, states: 1};
/** Shares of the official figure within which ours agrees, and nearly agrees. */
const agrees = {within: 0.025, nearly: 0.06};
/** Above this spread a figure is not sure. */
const sureSpread = 0.06;

/**
 * The evidence of a figure: its sentence as the claim, the issues of its pens, the coefficients as parameters. `official` are the pens of
 * the state's summary of the same week, fitted by the same function; none mean that there is nothing to check against.
 */
export function curveEvidence(
  context: AnswerContext,
  {summary, figure}: CurveAnswer<IssueSale>,
  {
    id,
    area,
    official,
  }: {readonly id: string; readonly area: CurveArea; readonly official: readonly AreaPen<IssueSale>[]},
): Evidence {
  const curve = figure.curve!;
  const sales = [...new Set(curve.pens.map(({sale}) => sale))];
  const {agreement, contradictions} = checkAgainst(official, figure, id);
  return evidenceOf(context, {
    id,
    ...saleEvidence(summary, sales, area),
    transformation: {
      method: "robust_weight_curve",
      rules: ["curve"],
      inputs: issuesOf(sales),
      parameters: {
        window_days: summary.window_days,
        radius_mi: area.radiusMiles,
        degree: curve.degree,
        coefficients: curve.coefficients,
        offset: curve.offset,
        residual_spread: curve.residualSpread,
        ...(figure.levelShift === 0 ? {} : {level_shift: figure.levelShift}),
      },
    },
    confidence: curveConfidence({
      pens: figure.near.pens,
      venues: figure.near.venues,
      agreement,
      isUnsure: figure.near.sales === 1 || curve.residualSpread > sureSpread,
    }),
    implication: implicationOf(figure),
    contradictions,
  });
}

/** The report issues of sales, sorted. */
export function issuesOf(sales: readonly IssueSale[]): string[] {
  return [...new Set(sales.map(({issueId}) => issueId))].sort();
}

/**
 * The members of the evidence of a figure that follow from its sentence, its sales and its area: claim, entities, sources, dates, limitations
 * and change status.
 */
export function saleEvidence(
  summary: {readonly sentence: string; readonly last_sale_date: string | null},
  sales: readonly IssueSale[],
  area: CurveArea,
) {
  return {
    kind: "observed_price" as const,
    claim: summary.sentence,
    entities: [
      ...area.entities,
      ...sales.flatMap(({venueId, issueId}) => [`venue:${venueId}`, `report:${issueId}`]),
    ],
    sources: priceSources(
      sales.map(({sourceId}) => sourceId),
      true,
    ),
    sourceDate: summary.last_sale_date,
    ingestedAt: latestOf(sales.map(({ingestedAt}) => ingestedAt)),
    verifiedAt: latestOf(sales.map(({verifiedAt}) => verifiedAt)),
    limitations: [
      limitations.L01,
      ...(area.isCounty ? [limitations.L02] : []),
      ...(area.radiusMiles === null ? [] : [limitations.L16]),
      ...(sales.some(({preliminary}) => preliminary) ? [limitations.L07] : []),
    ],
    changeStatus: sales.some(({isNew}) => isNew) ? ("new" as const) : ("unchanged" as const),
  };
}

function checkAgainst(
  official: readonly AreaPen<IssueSale>[],
  {price, weightLb}: CurveFigure,
  id: string,
): {agreement: number; contradictions: Contradiction[] | null} {
  const {price: stated} = curveFigure(official, {weightLb, minimums: officialMinimums});
  if (stated === null) return {agreement: 0.9, contradictions: null};
  const off = Math.abs(price! / stated - 1);
  if (off <= agrees.within) return {agreement: 1, contradictions: []};
  const [{issueId, sourceId}] = [official[0]!.sale];
  const difference = {
    kind: "rollup_vs_summary" as const,
    field: "price_avg",
    a: {source: sourceId, ref: issueId, value: roundHalfAway(stated, 2)},
    b: {source: "derived-aggregates", ref: id, value: roundHalfAway(price!, 2)},
    difference: roundHalfAway(price! - stated, 2),
    tolerance: roundHalfAway(agrees.within * stated, 2),
    resolution: "the figure of the venues is published; the state's summary pools other venues and days too",
  };
  return {agreement: off <= agrees.nearly ? 0.7 : 0.4, contradictions: [difference]};
}

/** Names the sale with the most head near the weight, so that a reader sees whose cattle dominate the figure. */
function implicationOf({near, weightLb}: CurveFigure<AreaPen>): string {
  const {sale, share} = largestSale(near.pens);
  return `${share} % of the head near ${weightLb} lb were sold at ${sale.venueName}, ${sale.place} on ${sale.date}: compare their weight, flesh and fill in its rows with your own cattle.`;
}

/** The sale with the most head of some pens, and its percent of all head. */
export function largestSale<Of extends Sale>(
  pens: readonly {readonly head: number; readonly sale: Of}[],
): {readonly sale: Of; readonly share: number} {
  const sales = [...Map.groupBy(pens, ({sale}) => sale)];
  const [sale, most] = sales.reduce((best, each) => (headOf(each[1]) > headOf(best[1]) ? each : best));
  return {sale, share: Math.round((100 * headOf(most)) / headOf(pens))};
}
