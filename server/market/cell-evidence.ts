import {
  type CurveArea,
  type IssueSale,
  issuesOf,
  largestSale,
  saleEvidence,
} from "../../lib/market/curve-evidence.ts";
import {type AnswerContext, evidenceOf} from "../../lib/market/evidence.ts";
import {curveConfidence} from "../../lib/market/price-confidence.ts";
import type {Evidence} from "../../schemas/market-evidence.ts";
import type {CellSummary} from "../../schemas/market-summary.ts";
import type {CellPen} from "../tables/area-pens.ts";

/** The evidence of a figure of cattle without a weight curve: its sentence as the claim, the issues of its pens. */
export function cellEvidence(
  context: AnswerContext,
  {
    summary,
    pens,
  }: {
    readonly summary: Omit<CellSummary, "evidence_id" | "official">;
    readonly pens: readonly CellPen<IssueSale>[];
  },
  {id, area}: {readonly id: string; readonly area: CurveArea},
): Evidence {
  const sales = [...new Set(pens.map(({sale}) => sale))];
  const {sale, share} = largestSale(pens);
  return evidenceOf(context, {
    id,
    ...saleEvidence(summary, sales, {...area, entities: [...area.entities, `cell:${summary.cell_id}`]}),
    transformation: {
      rules: ["cells"],
      method: summary.weighting === "pounds" ? "pounds_weighted_mean" : "head_weighted_mean",
      inputs: issuesOf(sales),
      parameters: {
        window_days: summary.window_days,
        radius_mi: area.radiusMiles,
        weighting: summary.weighting,
      },
    },
    confidence: curveConfidence({pens, venues: summary.venues, agreement: 0.9, isUnsure: false}),
    implication: `${share} % of the head were sold at ${sale.venueName}, ${sale.place} on ${sale.date}: compare their rows with your own cattle.`,
    contradictions: null,
  });
}
