import {ageDays} from "../../lib/dates.ts";
import {stateOf} from "../../lib/geography/states.ts";
import {type CurveArea, curveEvidence, type IssueSale} from "../../lib/market/curve-evidence.ts";
import {nearLb} from "../../lib/market/curve-figure.ts";
import {drawnCurve} from "../../lib/market/curve-pens.ts";
import {type AreaPens, type CurveClass, curveClasses, curveSummary} from "../../lib/market/curve-summary.ts";
import {reportedWords} from "../../lib/market/curve-words.ts";
import {headOf} from "../../lib/market/pen-means.ts";
import type {
  CellSummary,
  Evidence as MarketEvidence,
  PriceSummary,
  StatePrice,
} from "../../schemas/market-answer.ts";
import type {MarketSource} from "../../schemas/market-source.ts";
import {marketSourceIds} from "../../schemas/market-source.ts";
import type {OfficialWeek} from "../../schemas/market-summary.ts";
import type {Generation} from "../generation/generation.ts";
import {type CellPen, milesTo, type OtherCell, type PenArea} from "../tables/area-pens.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {Evidence} from "../tables/side-tables.ts";
import {cellEvidence} from "./cell-evidence.ts";
import {cellSummary} from "./cell-summary.ts";

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
  readonly curve?: "full" | "none" | undefined;
};

type AnySummary = PriceSummary | CellSummary;

/** Envelope members, and the evidence of the figures. */
type Summarized = {
  extra: {summary?: AnySummary | null; summaries?: AnySummary[]; summary_reason?: string};
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
  if ((place.counties?.length ?? 0) > 1)
    return withoutFigure("several counties are called so; name the state as well");
  const kind = curveClasses.find((each) => each === classes[0]);
  if (kind === undefined || commodity?.includes("feeder_cattle") === false)
    return (
      cellSummaries(market, generation, {kinds: {commodity, class: classes, weight}, place}) ??
      withoutFigure(
        `no sale of such cattle in the last 28 days${reportedWords(hasReports(market, place, generation.asOf))}`,
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

/** Days in which a venue that reports at all had a sale. */
const reportingDays = 28;

/** True where a venue of the area reported a sale of the last weeks, of whatever cattle. */
function hasReports(market: MarketArtifacts, place: AskedPlace, asOf: string): boolean {
  return market.barns.keys.some(
    (venue) =>
      venue.lastSaleDate !== null &&
      ageDays(venue.lastSaleDate, asOf) <= reportingDays &&
      milesTo(venue, place) !== undefined,
  );
}

/** The cell of Medium and Large 1 feeders whose 50-lb bin holds a weight. */
function curveCellId(kind: CurveClass, weightLb: number): string {
  const low = weightLb - (weightLb % 50);
  const [from, to] = [low, low + 49].map((lb) => String(lb).padStart(4, "0"));
  return `feeder-${kind}-ml1-${from}-${to}-cwt`;
}

/**
 * What the official summary of the place's state says of a cell, with its evidence, where its week began after the last sale of a figure: it
 * leads then, because a figure of older sales must not outrank it (`docs/design/market.md` section 5). Null without one.
 */
function newerOfficial(
  market: MarketArtifacts,
  {itsState}: AskedPlace,
  {cellId, lastSaleDate}: {readonly cellId: string; readonly lastSaleDate: string | null},
): {readonly official: OfficialWeek | null; readonly evidence: Evidence[]} {
  const none = {official: null, evidence: []};
  // Only records of an official summary have the number of its report.
  const key = market.states.keys.find(
    ({state, cellId: id, reportSlug}) => state === itsState && id === cellId && reportSlug !== null,
  );
  if (key === undefined) return none;
  const record = JSON.parse(market.states.record(key.row)) as StatePrice;
  const {
    week_begin_date: begin,
    week_end_date: end,
    price_avg,
    head_count,
    avg_weight_lb,
    report_slug,
  } = record;
  const evidence = market.evidence(market.states.evidenceId(key.row) ?? "");
  if (begin == null || end == null || price_avg == null || head_count == null || evidence === null)
    return none;
  if (lastSaleDate !== null && begin <= lastSaleDate) return none;
  const {evidence_id, claim} = JSON.parse(evidence.text) as MarketEvidence;
  const week = {state: key.state, report_slug: report_slug!, week_begin_date: begin, week_end_date: end};
  return {
    official: {...week, cell_id: cellId, price_avg, head_count, avg_weight_lb, sentence: claim, evidence_id},
    evidence: [evidence],
  };
}

/** At most this many cells have a figure. */
const mostCells = 10;

/** The figures of the cells of other cattle, the most important first; null where none was sold in the last 28 days. */
function cellSummaries(
  market: MarketArtifacts,
  {asOf, sample}: Pick<Generation, "asOf" | "sample">,
  {kinds, place}: {readonly kinds: Kinds; readonly place: AskedPlace},
): Summarized | null {
  const cells = market.salePens
    .cells(place, ({commodity, class: kind}) => isAsked({commodity, class: kind}, kinds))
    .filter(({cell, pens}) => kinds.weight === undefined || isOfWeight(cell, pens, kinds.weight))
    .sort(
      (a, b) =>
        Number(b.cell.headline) - Number(a.cell.headline) ||
        headOf(b.pens) - headOf(a.pens) ||
        (a.cell.cell_id < b.cell.cell_id ? -1 : 1),
    )
    .slice(0, mostCells);
  if (cells.length === 0) return null;
  const context = {asOf, sample, registry: registryOf(market)};
  const figures = cells.map(({cell, pens}) => {
    const answer = cellSummary(cell, pens, place.words);
    const {official, evidence: ofNewer} = newerOfficial(market, place, {
      cellId: cell.cell_id,
      lastSaleDate: answer.summary.last_sale_date,
    });
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

/** True for a cell of the 50-lb bin of a weight, and for one without bins whose cattle weigh about as much, or what is not known. */
function isOfWeight({weight_bin: bin}: OtherCell, pens: readonly CellPen[], weight: number): boolean {
  if (bin !== null) return Number(bin.split("-")[0]) === weight - (weight % 50);
  const weights = pens.flatMap(({weightLb}) => weightLb ?? []);
  return weights.length === 0 || weights.some((each) => Math.abs(each - weight) <= nearLb);
}

/** The registry entries that evidence of prices may cite. */
export function registryOf(market: MarketArtifacts): MarketSource[] {
  return market.sourceEntries(marketSourceIds).map((entry) => JSON.parse(entry) as MarketSource);
}

function areaOf(place: AskedPlace): CurveArea {
  return {
    entities: [
      ...(place.counties ?? []).map((fips) => `county:${fips}`),
      ...(place.itsState === undefined ? [] : [`state:${place.itsState}`]),
    ],
    radiusMiles: place.around?.miles ?? null,
    isCounty: place.counties !== undefined,
  };
}

/** Evidence as answers carry it. */
export function served(evidence: MarketEvidence): Evidence {
  const {sources, limitations, source_date: sourceDate} = evidence;
  return {sources, limitations, sourceDate, text: JSON.stringify(evidence)};
}
