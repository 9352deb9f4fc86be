import type {Contradiction} from "../../schemas/market-evidence.ts";
import type {SummaryCompleteness} from "../../schemas/market-fields/structures.ts";
import type {Reporter, Trend} from "../../schemas/vocabulary/reporter.ts";
import {headExceedsReceipts, mergeFindings, rollupVsSummary, summaryIncomplete} from "./contradictions.ts";
import type {EvidenceRow} from "./evidence-row.ts";
import {type ChangedCell, trendOf, trendSentence, trendVsChange} from "./trend-checks.ts";

/** Excluded rows of a cell at a place, up to an age in days, as contradictions; null without one. */
export type ExcludedRows = {
  of(place: Partial<SalePlace> & {cell_id: string}, maxAge?: number): Contradiction[] | null;
};

/** The sale of a row and its cell. */
export type SalePlace = {
  scope: string;
  state: string | null;
  county_fips: string | null;
  venue_id: string | null;
  report_slug: string;
  report_end_date: string;
  week: string;
  cell_id: string;
};

/**
 * Contradictions between the published source of a sale and a second one: null if no second source was read, empty if they
 * agree. A sale is a venue's sale on a day, or the week of a summary report, named by its Saturday.
 */
export type SecondSources = {
  of(market: string, date: string, row: {cell_id: string; commodity: string}): Contradiction[] | null;
};

/** The slips of unit of an issue and commodity, as contradictions; null without one. */
export type UnitSlips = {of(issue: string, commodity: string): Contradiction[] | null};

/** What price records are checked against. */
export type CrossChecks = {
  readonly excluded: ExcludedRows;
  readonly secondSources: SecondSources;
  readonly unitSlips: UnitSlips;
};

/**
 * Compares the official figure with our own roll-up. Null if the roll-up of the summary's period is absent, thin or has less
 * head than the summary: then it lacks markets that the summary pools, and there is nothing to check against.
 */
export function checkedAgainstVenues(row: EvidenceRow): Contradiction[] | null {
  type Rollup = {price: number | null; head: number | null; thin: boolean | null; issue_ids: string[] | null};
  const {price, head, thin, issue_ids} = JSON.parse(row.rollup!) as Rollup;
  const official = row.price_avg_unrounded;
  if (price === null || thin !== false || row.thin || official === null || head! < row.head_count!)
    return null;
  return rollupVsSummary(
    {price: official, source: row.source_ids![0] ?? "ams-lmr-datamart", ref: row.issue_ids!.join(" ")},
    {price, ref: issue_ids!.join(" ")},
    row.price_unit,
  );
}

/** Whether an official figure's summary holds its whole period; null where no sale of it is known. */
export function completenessOf({
  completeness,
}: Pick<EvidenceRow, "completeness">): SummaryCompleteness | null {
  return completeness == null ? null : (JSON.parse(completeness) as SummaryCompleteness);
}

/** True where known sales are missing from the summary of an official figure. */
export function isIncomplete(row: Pick<EvidenceRow, "completeness">): boolean {
  const known = completenessOf(row);
  return known !== null && known.status !== "no_sale_known_missing";
}

/** The contradiction of an official figure whose summary lacks known sales, which are named; null where none is known to be missing. */
export function checkedForMissingSales(row: EvidenceRow): Contradiction[] | null {
  if (!isIncomplete(row)) return null;
  const {stated_receipts, known_receipts, missing_sales} = completenessOf(row)!;
  const sales = missing_sales.map(({venue_id, sale_date}) => `${venue_id}@${sale_date}`).join(" ");
  return [
    summaryIncomplete({
      stated: {source: row.source_ids![0]!, ref: row.issue_ids!.join(" "), head: stated_receipts},
      known: {ref: sales === "" ? "no later sale is known" : sales, head: known_receipts},
    }),
  ];
}

/**
 * Findings on the rows of a sale: excluded rows, rows of its commodity in a wrong unit, a second source, more head than receipts. Null if
 * nothing could be checked.
 */
export function saleContradictions(
  row: EvidenceRow,
  {excluded, secondSources, unitSlips}: CrossChecks,
): Contradiction[] | null {
  const {venue_id, report_end_date, cell_id, commodity_receipts: receipts, commodity_head: head} = row;
  const [source, ref] = [row.source_ids![0]!, row.issue_ids![0]!];
  const isVenue = row.report_scope === "venue";
  const market = isVenue ? {venue_id} : {report_slug: ref.split("@")[0]!};
  return mergeFindings(
    excluded.of({...market, report_end_date, cell_id}),
    unitSlips.of(ref, row.commodity),
    isVenue ? secondSources.of(venue_id!, report_end_date, row) : null,
    receipts == null || head == null ? null : headExceedsReceipts({source, ref, head, receipts}),
    checkedAgainstReporter(row),
  );
}

/**
 * What the reporter contradicts in the change of a record, else null: that the reporter of the same report agrees is no second source, and
 * adds nothing to the confidence.
 */
export function checkedAgainstReporter(row: EvidenceRow): Contradiction[] | null {
  const said = saidOf(row);
  if (said === null) return null;
  const found = trendVsChange(said.trend, said.cell, {source: row.source_ids![0]!, ref: row.issue_ids![0]!});
  return found !== null && found.length > 0 ? found : null;
}

/** The end of a claim whose record's change the reporter contradicts: the reporter's own sentence; else empty. */
export function reporterSentence(row: EvidenceRow, contradictions: readonly Contradiction[] | null): string {
  const said = saidOf(row);
  const isContradicted = contradictions?.some(({kind}) => kind === "trend_vs_change") ?? false;
  const entry = said !== null && isContradicted ? trendOf(said.trend, said.cell) : undefined;
  return entry === undefined ? "" : trendSentence(entry);
}

function saidOf(row: EvidenceRow): {trend: readonly Trend[]; cell: ChangedCell} | null {
  const {reporter, change_week: change, price_avg: price, price_unit, lot_descriptors} = row;
  if (reporter == null || change === null || price === null) return null;
  if (price_unit !== "per_cwt" || lot_descriptors.length > 0) return null;
  const {commodity, class: kindOfCattle, quality_grade, weight_bin} = row;
  const {trend} = JSON.parse(reporter) as Pick<Reporter, "trend">;
  return {trend, cell: {commodity, class: kindOfCattle, quality_grade, weight_bin, price, change}};
}
