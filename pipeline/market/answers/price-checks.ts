import type {Contradiction} from "../../../schemas/market-evidence.ts";
import {headExceedsReceipts, rollupVsSummary, togetherFound} from "./contradictions.ts";
import type {LeftOutBook} from "./left-out.ts";
import type {SecondSources} from "./second-sources.ts";
import type {ToldRow} from "./told-rows.ts";

/** What price records are checked against. */
export type CheckBooks = {readonly leftOut: LeftOutBook; readonly seconds: SecondSources};

/**
 * The official figure against our own roll-up. Null when our venues had nothing (or too little) of the cell in the summary's own period, and where they lack head of it: then
 * markets that the summary pools are missing, and there is nothing to check against.
 */
export function checkedAgainstVenues(row: ToldRow): Contradiction[] | null {
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

/** Findings against the rows: rows left out, a second source, more head than came. Null when nothing could be checked. */
export function saleContradictions(row: ToldRow, {leftOut, seconds}: CheckBooks): Contradiction[] | null {
  const {venue_id: venue, report_end_date: date, cell_id: cell, receipts, head_reported: head} = row;
  const market = row.report_scope === "venue" ? {venue: venue!} : {report: row.issue_ids![0]!.split("@")[0]!};
  const found = leftOut.of({...market, date, cell});
  const told = {source: row.source_ids![0]!, ref: row.issue_ids![0]!};
  return togetherFound(
    found.length === 0 ? null : found,
    ...("report" in market
      ? []
      : [seconds.price(market.venue, date, cell), seconds.event(market.venue, date)]),
    receipts === null || head === null ? null : headExceedsReceipts({...told, head, receipts}),
  );
}
