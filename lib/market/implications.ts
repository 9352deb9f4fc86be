import type {Venue} from "../../schemas/vocabulary/venue.ts";
import {countWithNoun} from "../counts.ts";
import {dateRange, headWords, moneyWords} from "./cell-words.ts";
import {stateName} from "./claims.ts";
import {recentDays} from "./evidence.ts";
import type {EvidenceRow} from "./evidence-row.ts";
import {isIncomplete} from "./price-checks.ts";

type Contact = Pick<Venue, "name" | "phone" | "city" | "state">;

/** Venues by id, for sentences that say whom to ask. */
export type VenueContacts = {get(id: string): Contact | undefined};

/** What the sentence depends on: the rows, their head, the venues, and any doubt. */
type ImplicationInput = {
  readonly rows: readonly EvidenceRow[];
  /** Null if no head is known. */
  readonly head: number | null;
  readonly thin: boolean;
  readonly disagree: boolean;
  readonly venues: readonly string[];
  readonly contacts: VenueContacts;
};

/**
 * One sentence on what a reader may check next, derived from the record (`docs/design/market.md` section 6): head and venues,
 * age, distance, change, and whom to ask what. It gives no advice.
 */
export function priceImplication({rows, head, thin, disagree, venues, contacts}: ImplicationInput): string {
  const row = rows[0]!;
  const contact = contactOf(row, venues, contacts);
  if (row.withdrawn)
    return `The source took this figure back: ask ${contact} for the corrected one before using any.`;
  const base = [
    `${head === null ? "unknown head" : headWords(head, row.price_unit)}${venueWords(row)}`,
    ageWords(row),
    distanceWords(row),
    changeWords(row),
    unheldWords(row),
  ];
  return `It rests on ${base.filter(Boolean).join(", ")}: ${nextStep({row, head, thin, disagree, contact})}.`;
}

function venueWords({price_basis, venues_reporting, venues_known}: EvidenceRow): string {
  if (price_basis === "reported" || venues_reporting === null) return "";
  if (price_basis === "derived_rollup") return ` at ${venues_reporting} of ${venues_known} known venues`;
  return ` at ${countWithNoun(venues_reporting, "venue")}`;
}

function ageWords({age_days, first_sale_date, last_sale_date}: EvidenceRow): string {
  if (age_days === null) return "undated";
  const ago = age_days === 0 ? "today" : `${countWithNoun(age_days, "day")} ago`;
  return `sold ${dateRange(first_sale_date!, last_sale_date!)}, ${ago}`;
}

function unheldWords({unheld_days}: EvidenceRow): string {
  return unheld_days == null || unheld_days.length === 0 ? "" : `no sale on ${unheld_days.join(" and ")}`;
}

function distanceWords({price_basis, nearest_distance_mi}: EvidenceRow): string {
  return price_basis === "nearest_market_estimate" ? `the nearest ${nearest_distance_mi} miles away` : "";
}

function changeWords(row: EvidenceRow): string {
  const {change_week, change_week_from, change_year, change_year_from} = row;
  const moved = (change: number | null, from: string | null) =>
    change === null ? "" : `${change < 0 ? "" : "+"}${moneyWords(change)} against ${from}`;
  return [moved(change_week, change_week_from), moved(change_year, change_year_from)]
    .filter(Boolean)
    .join(" and ");
}

type Step = {row: EvidenceRow; head: number | null; thin: boolean; disagree: boolean; contact: string};

/** The first doubt that applies decides what to check. */
function nextStep({row, head, thin, disagree, contact}: Step): string {
  if (isIncomplete(row))
    return `the summary lacks sales of its week, named in \`completeness\`; compare with their rows, or ask ${contact} for a later edition`;
  if (disagree) return `see \`contradictions\`, and ask ${contact} which figure stands`;
  if (row.price_basis === "nearest_market_estimate")
    return `the local supply is not in it; ask ${contact} what its last sale brought`;
  if (thin) return `too few to price by; ask ${contact} how many of this kind its next sale has`;
  if (head === null) return `how many is not stated; ask ${contact} for the head behind it`;
  if ((row.age_days ?? 0) > recentDays) return `ask ${contact} what this kind has brought since`;
  if (row.any_preliminary) return `the figures are preliminary; look for the final report of ${contact}`;
  if (row.window_widened)
    return `too few were sold in the last two weeks; ask ${contact} whether the market has moved`;
  if (row.any_estimated_weight) return `weights are estimated; ask ${contact} for weights over the scale`;
  if (row.report_scope === "direct" || row.report_scope === "video_internet")
    return `compare delivery, freight, shrink and slide, and ask ${contact} for the terms`;
  if (row.newer_known)
    return `sales after its week are known; compare with \`newer_sales\` and with the rows of the venue nearest to you`;
  if (row.price_basis === "official_state_summary")
    return `it pools all markets of its week; compare with later sales of the venue nearest to you, and ask ${contact} which markets it lacks`;
  if (row.price_basis === "derived_rollup")
    return `compare with the rows of the venue nearest to you, and ask ${contact} which sales it has`;
  if (row.change_week === null)
    return `it cannot be compared with like pens of a week before; ask ${contact} how the sale compared with its last one`;
  return adviceOf[row.commodity as keyof typeof adviceOf](contact);
}

/** What to compare of cattle without any doubt on their price, by commodity. */
const adviceOf = {
  feeder_cattle: (contact) =>
    `compare weight, flesh, fill and weaning with your own cattle; ask ${contact} what is consigned next`,
  slaughter_cattle: (contact) =>
    `compare dressing, grade and weight with your own; ask ${contact} who bids next`,
  replacement_cattle: (contact) =>
    `compare age, stage and soundness with your own; ask ${contact} what is consigned next`,
  dairy_calves: (contact) => `compare breed and weight with your own; ask ${contact} what is consigned next`,
} satisfies Readonly<Record<string, (contact: string) => string>>;

/** The first venue with town and phone, and how many more there are; the reporting office if no venue is known. */
function contactOf(row: EvidenceRow, venues: readonly string[], contacts: VenueContacts): string {
  const known = venues.flatMap((id) => contacts.get(id) ?? []);
  const [first] = known;
  if (first === undefined) return `USDA Market News${row.state == null ? "" : ` for ${stateName(row)}`}`;
  const more = known.length === 1 ? "" : ` or ${known.length - 1} more`;
  return `${contactWords(first)}${more}`;
}

/** `Town, ST`. */
export function townOf({city, state}: Pick<Venue, "city" | "state">): string {
  return city === null ? state : `${city}, ${state}`;
}

/** A venue with its town and phone. */
export function contactWords(venue: Contact): string {
  const at = [townOf(venue), venue.phone].filter((part) => part !== null);
  return `${venue.name} (${at.join(", ")})`;
}
