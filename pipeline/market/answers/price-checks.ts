import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {headExceedsReceipts, mergeFindings, rollupVsSummary} from "./contradictions.ts";
import type {EvidenceRow} from "./evidence-rows.ts";
import type {ExcludedRows} from "./excluded-rows.ts";
import type {SecondSources} from "./second-sources.ts";

/** What price records are checked against. */
export type CrossChecks = {readonly excluded: ExcludedRows; readonly secondSources: SecondSources};

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

/**
 * Findings on the rows of a sale: excluded rows, a second source, more head than receipts. Null if nothing could be checked.
 */
export function saleContradictions(
  row: EvidenceRow,
  {excluded, secondSources}: CrossChecks,
): Contradiction[] | null {
  const {venue_id: venue, report_end_date: date, cell_id: cell, receipts, head_reported: head} = row;
  const market = row.report_scope === "venue" ? {venue: venue!} : {report: row.issue_ids![0]!.split("@")[0]!};
  const found = excluded.of({...market, date, cell});
  const source = {source: row.source_ids![0]!, ref: row.issue_ids![0]!};
  return mergeFindings(
    found.length === 0 ? null : found,
    ...("report" in market
      ? []
      : [secondSources.price(market.venue, date, cell), secondSources.event(market.venue, date)]),
    receipts === null || head === null ? null : headExceedsReceipts({...source, head, receipts}),
  );
}
