import {countWords} from "../../../lib/counts.ts";
import {sentenceStart} from "../../../lib/market/cell-words.ts";
import {contactWords} from "../../../lib/market/implications.ts";
import type {BarnRecords} from "./barn-records.ts";

/** The usual receipts of a venue: of each of its sale days where it has several. */
function usualWords({schedule, median_receipts_last_12_sales: usual}: BarnRecords["barn"]): string {
  const rules =
    schedule?.rules.filter(({usual_head, weekday}) => usual_head !== null && weekday !== null) ?? [];
  if (rules.length > 1) {
    const days = rules.map(
      ({usual_head, weekday}) => `${countWords(usual_head!)} head on ${sentenceStart(weekday!)}s`,
    );
    return `, usually with ${days.join(" and ")}`;
  }
  return usual === null ? "" : `, usually with ${countWords(usual)} head`;
}

/** What to check next about a venue: its last sale, its usual receipts, its next sale day. */
export function barnImplication({venue, barn, contradictions}: BarnRecords): string {
  const contact = contactWords(venue);
  const last = barn.last_reported_sale_date;
  const size = usualWords(barn);
  const lastSaleWords = last
    ? `Its last reported sale was on ${last}${size}`
    : "None of its sales is in the reports of this build";
  if ((contradictions ?? []).length > 0)
    return `${lastSaleWords}; sources disagree, so ask ${contact} which is right.`;
  if (barn.schedule?.holiday_conflict)
    return `${lastSaleWords}; the next one would fall on ${barn.schedule.holiday_conflict}, so ask ${contact} whether it is held.`;
  if (barn.next_sale_date !== null)
    return `${lastSaleWords}; ask ${contact} whether it sells on ${barn.next_sale_date}, and what is consigned, before hauling.`;
  return `${lastSaleWords}; no sale day is known, so ask ${contact} for it.`;
}
