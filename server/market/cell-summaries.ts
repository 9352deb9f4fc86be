import type {IssueSale} from "../../lib/market/curve-evidence.ts";
import {nearLb} from "../../lib/market/curve-figure.ts";
import type {Generation} from "../generation/generation.ts";
import type {CellPen, OtherCell} from "../tables/area-pens.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import {
  type AskedPlace,
  areaOf,
  type Kinds,
  newerOfficial,
  registryOf,
  type Summarized,
  served,
} from "./asked-place.ts";
import {cellEvidence} from "./cell-evidence.ts";
import {cellSummary} from "./cell-summary.ts";
import {isSoldWithoutBins} from "./market-parameters.ts";

/** At most this many cells have a figure. */
const mostCells = 10;

/** The figures of the cells of other cattle, most head first; null where none was sold in the last 28 days. */
export function cellSummaries(
  market: MarketArtifacts,
  {asOf, sample}: Pick<Generation, "asOf" | "sample">,
  {kinds, place}: {readonly kinds: Kinds; readonly place: AskedPlace},
): Summarized | null {
  const cells = market.salePens
    .cells(place, (cell) => isAsked(cell, kinds))
    .filter(({cell, pens}) => isOfWeight(cell, pens, kinds));
  const sold = new Set(cells.map(({cell}) => cell.cell_id));
  const told = [...cells, ...officialCells(market, place, kinds).filter(({cell}) => !sold.has(cell.cell_id))]
    .map(({cell, pens}) => {
      const answer = cellSummary(cell, pens, place.words);
      const newer = newerOfficial(market, place, {
        cellId: cell.cell_id,
        lastSaleDate: answer.summary.last_sale_date,
      });
      return {
        cell,
        answer,
        newer,
        head: Math.max(answer.summary.head_count, newer.official?.head_count ?? 0),
      };
    })
    .filter(({cell, newer}) => sold.has(cell.cell_id) || newer.official !== null)
    .sort((a, b) => b.head - a.head || (a.cell.cell_id < b.cell.cell_id ? -1 : 1))
    .slice(0, mostCells);
  if (told.length === 0) return null;
  const context = {asOf, sample, registry: registryOf(market)};
  const figures = told.map(({cell, answer, newer: {official, evidence: ofNewer}}) => {
    const summary = {...answer.summary, official};
    if (summary.price_avg === null) return {summary: {...summary, evidence_id: null}, evidence: ofNewer};
    const evidence = cellEvidence(context, answer, {
      id: `cm-${place.id}-${cell.cell_id}`,
      area: areaOf(place),
    });
    return {
      summary: {...summary, evidence_id: evidence.evidence_id},
      evidence: [served(evidence), ...ofNewer],
    };
  });
  const summaries = figures.map(({summary}) => summary);
  return {extra: {summary: summaries[0]!, summaries}, evidence: figures.flatMap(({evidence}) => evidence)};
}

function isAsked(
  cell: {readonly commodity: string; readonly class: string},
  {commodity, class: classes}: Kinds,
): boolean {
  return classes!.includes(cell.class) && (commodity === undefined || commodity.includes(cell.commodity));
}

/** The cells without bins of an official summary of the place's state, each without pens. */
function officialCells(
  market: MarketArtifacts,
  {itsState}: AskedPlace,
  kinds: Kinds,
): {cell: OtherCell; pens: CellPen<IssueSale>[]}[] {
  if (kinds.weight !== undefined && !isSoldWithoutBins(kinds)) return [];
  return market.states.keys
    .filter((key) => key.state === itsState && key.reportSlug !== null && key.binLow === null)
    .filter((key) => isAsked(key, kinds))
    .map((key) => ({cell: JSON.parse(market.states.record(key.row)) as OtherCell, pens: []}));
}

/**
 * True for a cell of the 50-lb bin of a weight; without bins for cows, pairs and grown bulls of all weights, and for other cattle that weigh about as much,
 * or whose weight is not known.
 */
function isOfWeight({weight_bin: bin}: OtherCell, pens: readonly CellPen[], kinds: Kinds): boolean {
  const {weight} = kinds;
  if (weight === undefined || (bin === null && isSoldWithoutBins(kinds))) return true;
  if (bin !== null) return Number(bin.split("-")[0]) === weight - (weight % 50);
  const weights = pens.flatMap(({weightLb}) => weightLb ?? []);
  return weights.length === 0 || weights.some((each) => Math.abs(each - weight) <= nearLb);
}
