import {dateRange, headWords} from "../../../lib/market/cell-words.ts";
import type {Venue} from "../../../schemas/venue.ts";
import type {BarnMade} from "./barns.ts";
import type {ToldRow} from "./told-rows.ts";
import {factsOf} from "./venue-facts.ts";

/** Venues by id, as sentences name whom to ask. */
export type AskedVenues = ReadonlyMap<string, Pick<Venue, "name" | "phone"> & {readonly place: string}>;

/** The venues by id with the town and phone under which they can be asked. */
export function askedVenues(venues: readonly Venue[]): AskedVenues {
  return new Map(
    venues.map((venue) => [
      venue.venueId,
      {name: venue.name, phone: venue.phone, place: factsOf(venue).place},
    ]),
  );
}

/** What a price record rests on, whom to ask about it, and what is doubtful in it. */
type Told = {
  readonly rows: readonly ToldRow[];
  readonly head: number;
  readonly thin: boolean;
  readonly disagree: boolean;
  readonly venues: readonly string[];
  readonly asked: AskedVenues;
};

/**
 * What a reader may check next, in one sentence that follows from the record (`docs/design/market.md` section 6): how old it is, how many
 * head and venues, how far, how it moved, and whom to ask what. It is no advice.
 */
export function priceImplication({rows, head, thin, disagree, venues, asked}: Told): string {
  const row = rows[0]!;
  const whom = whomToAsk(row, venues, asked);
  if (row.withdrawn)
    return `The source took this figure back: ask ${whom} for the corrected one before using any.`;
  const base = [
    `${headWords(head, row.price_unit)}${venueWords(row)}`,
    ageWords(row),
    farWords(row),
    movedWords(row),
  ];
  return `It rests on ${base.filter(Boolean).join(", ")}: ${nextStep({row, thin, disagree, whom})}.`;
}

function venueWords({price_basis, venues_reporting, venues_known}: ToldRow): string {
  if (price_basis === "reported" || venues_reporting === null) return "";
  const known = price_basis === "derived_rollup" ? ` of ${venues_known} known venues` : "";
  return ` at ${venues_reporting}${known || (venues_reporting === 1 ? " venue" : " venues")}`;
}

function ageWords({age_days, first_sale_date, last_sale_date}: ToldRow): string {
  if (age_days === null) return "undated";
  const when = dateRange(first_sale_date!, last_sale_date!);
  return age_days === 0
    ? `sold ${when}, today`
    : `sold ${when}, ${age_days} ${age_days === 1 ? "day" : "days"} ago`;
}

function farWords({price_basis, nearest_distance_mi}: ToldRow): string {
  return price_basis === "nearest_market_estimate" ? `the nearest ${nearest_distance_mi} miles away` : "";
}

function movedWords({change_week, change_week_from, change_year, change_year_from}: ToldRow): string {
  const moved = (change: number | null, from: string | null) =>
    change === null ? "" : `${change < 0 ? "" : "+"}${change.toFixed(2)} against ${from}`;
  return [moved(change_week, change_week_from), moved(change_year, change_year_from)]
    .filter(Boolean)
    .join(" and ");
}

type Step = {row: ToldRow; thin: boolean; disagree: boolean; whom: string};

/** The first doubt that there is decides what to check. */
function nextStep({row, thin, disagree, whom}: Step): string {
  if (disagree) return `see \`contradictions\`, and ask ${whom} which figure stands`;
  if (row.price_basis === "nearest_market_estimate")
    return `local supply and freight are not in it; ask ${whom} what its last sale brought`;
  if (thin) return `too few to price by; ask ${whom} how many of this kind its next sale has`;
  if ((row.age_days ?? 0) > 21) return `ask ${whom} what this kind has brought since`;
  if (row.any_preliminary) return `the figures are preliminary; look for the final report of ${whom}`;
  if (row.window_widened)
    return `too few were sold in the last two weeks; ask ${whom} whether the market has moved`;
  if (row.any_estimated_weight) return `weights are estimated; ask ${whom} for weights over the scale`;
  if (row.report_scope !== undefined && row.report_scope !== "venue")
    return `compare delivery, freight and shrink, and ask ${whom} for the terms`;
  if (row.price_basis === "derived_rollup" || row.price_basis === "official_state_summary")
    return `compare with the rows of the venue nearest to you, and ask ${whom} which sales it has`;
  if (row.change_week === null)
    return `no like pen was sold a week before; ask ${whom} how the sale compared with its last one`;
  return `compare weight, flesh and fill with your own cattle; ask ${whom} what is consigned next`;
}

/** One venue with town and phone; of several the first, and how many more; a report where no venue is known. */
function whomToAsk(row: ToldRow, venues: readonly string[], asked: AskedVenues): string {
  const known = venues.flatMap((id) => asked.get(id) ?? []);
  const [first] = known;
  if (first === undefined) return `the reporter of ${row.issue_ids?.[0]?.split("@")[0] ?? "its report"}`;
  const more = known.length === 1 ? "" : ` or ${known.length - 1} more`;
  return `${venueName(first)}${more}`;
}

function venueName({name, place, phone}: {name: string; place: string; phone: string | null}): string {
  return phone === null ? `${name} (${place})` : `${name} (${place}, ${phone})`;
}

/** What to check next of a venue's listing or status: its last sale, its receipts, and its next day. */
export function barnImplication({venue, barn, contradictions}: BarnMade): string {
  const whom = venueName({...venue, place: factsOf(venue).place});
  const last = barn.last_reported_sale_date;
  const usual = barn.median_receipts_last_12_sales;
  const size = usual === null ? "" : `, usually with ${usual} head`;
  const sold = last
    ? `Its last reported sale was on ${last}${size}`
    : "None of its sales is in the reports of this build";
  if ((contradictions ?? []).length > 0) return `${sold}; sources disagree, so ask ${whom} which is right.`;
  if (barn.schedule?.holiday_conflict)
    return `${sold}; the next one would fall on ${barn.schedule.holiday_conflict}, so ask ${whom} whether it is held.`;
  if (barn.next_sale_date !== null)
    return `${sold}; ask ${whom} whether it sells on ${barn.next_sale_date}, and what is consigned, before hauling.`;
  return `${sold}; no sale day is known, so ask ${whom} for it.`;
}
