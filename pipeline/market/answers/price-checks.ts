import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {headExceedsReceipts, mergeFindings, rollupVsSummary} from "./contradictions.ts";
import type {EvidenceRow} from "./evidence-rows.ts";
import type {ExcludedRows} from "./excluded-rows.ts";
import type {SecondSources} from "./second-sources.ts";
import type {UnitSlips} from "./unit-contradictions.ts";

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
  );
}
