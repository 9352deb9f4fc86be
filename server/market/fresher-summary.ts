import type {StateSummaryPointer} from "../../schemas/market-answer.ts";
import type {CountyKey, StateKey} from "./record-tables.ts";

/**
 * Finds, for every state, the official summary that is fresher than all county observations of the state; states without one
 * have no entry.
 */
export function fresherSummaries(
  states: readonly StateKey[],
  counties: readonly CountyKey[],
): ReadonlyMap<string, StateSummaryPointer> {
  const newestSale = new Map<string, string>();
  for (const {state, observed, lastSaleDate} of counties) {
    if (observed && lastSaleDate !== null && lastSaleDate > (newestSale.get(state) ?? ""))
      newestSale.set(state, lastSaleDate);
  }
  const summaries = new Map<string, StateSummaryPointer>();
  for (const {state, weekEndDate, reportSlug} of states) {
    if (weekEndDate === null || reportSlug === null || weekEndDate <= (newestSale.get(state) ?? "")) continue;
    summaries.set(state, {state, week_end_date: weekEndDate, report_slug: reportSlug});
  }
  return summaries;
}
