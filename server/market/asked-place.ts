import {countyOf} from "../../lib/geography/counties.ts";
import type {CurveArea} from "../../lib/market/curve-evidence.ts";
import type {
  CellSummary,
  Evidence as MarketEvidence,
  PriceSummary,
  StatePrice,
} from "../../schemas/market-answer.ts";
import type {MarketSource} from "../../schemas/market-source.ts";
import {marketSourceIds} from "../../schemas/market-source.ts";
import type {OfficialWeek} from "../../schemas/market-summary.ts";
import type {PenArea} from "../tables/area-pens.ts";
import type {MarketArtifacts} from "../tables/market-set.ts";
import type {Evidence} from "../tables/side-tables.ts";
import type {AskedKinds} from "./market-parameters.ts";

/** The place of a question: which venues, worded, and as part of an id. */
export type AskedPlace = PenArea & {
  readonly id: string;
  readonly words: string;
  /** The state whose summary the figure is checked against; undefined where there is none. */
  readonly itsState: string | undefined;
};

/** The kinds of cattle of a question. */
export type Kinds = AskedKinds & {
  readonly curve?: "full" | "none" | undefined;
};

type AnySummary = PriceSummary | CellSummary;

/** Envelope members, and the evidence of the figures. */
export type Summarized = {
  extra: {summary?: AnySummary | null; summaries?: AnySummary[]; summary_reason?: string};
  evidence: readonly Evidence[];
};

/**
 * What the official summary of the place's state says of a cell, with its evidence, where its week began after the last sale of a figure: it
 * leads then, because a figure of older sales must not outrank it (`docs/design/market.md` section 5). Null without one.
 */
export function newerOfficial(
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

/** The registry entries that evidence of prices may cite. */
export function registryOf(market: MarketArtifacts): MarketSource[] {
  return market.sourceEntries(marketSourceIds).map((entry) => JSON.parse(entry) as MarketSource);
}

export function areaOf(place: AskedPlace): CurveArea {
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

/** Counties as a place: `in Ford County, KS and Pratt County, KS`. */
export function countiesWords(counties: readonly string[]): string {
  return `in ${counties.map(countyWords).join(" and ")}`;
}

function countyWords(fips: string): string {
  const county = countyOf(fips);
  return county === undefined ? `county ${fips}` : `${county.fullName}, ${county.state}`;
}
