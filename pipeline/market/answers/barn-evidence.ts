import {countWords} from "../../../lib/counts.ts";
import {ageDays} from "../../../lib/dates.ts";
import {limitations} from "../../../lib/limitations.ts";
import {sentenceStart} from "../../../lib/market/cell-words.ts";
import {
  type AnswerContext,
  type EvidenceInput,
  evidenceOf,
  priceSources,
  sortedUnique,
} from "../../../lib/market/evidence.ts";
import {contactWords, townOf} from "../../../lib/market/implications.ts";
import {agreementOf, directoryConfidence} from "../../../lib/market/price-confidence.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import {type BarnRecords, directoryEvidenceId} from "./barn-records.ts";
import {fromReportedSales} from "./next-sale.ts";

/**
 * Evidence of a venue's two records. The directory row: that the venue is listed, and when it sells; the barn record: why it
 * has its status.
 */
export function venueEvidence(barnRecords: BarnRecords, context: AnswerContext): Evidence[] {
  const {venue, figures, barn, contradictions} = barnRecords;
  const isSchedule = barn.next_sale_date !== null;
  // A date of the venue's own calendar is read, not projected.
  const isProjected = isSchedule && barn.schedule?.next_sale_basis !== "published";
  const issues = figures?.issue_ids ?? [];
  const cited = sortedUnique([...venue.facts.map(({source}) => source), ...(figures?.source_ids ?? [])]);
  const checked = barn.last_verified_at;
  const inputs = sortedUnique(venue.facts.map((fact) => fact.sourceUrl ?? fact.publisher));
  const parameters = {as_of_date: context.asOf};
  const shared: Omit<EvidenceInput, "id" | "claim" | "transformation"> = {
    kind: isSchedule ? "schedule" : "listing",
    entities: [
      `venue:${venue.venueId}`,
      `state:${venue.state}`,
      ...(barn.county_fips === null ? [] : [`county:${barn.county_fips}`]),
      ...issues.map((issue) => `report:${issue}`),
    ],
    sources: priceSources(cited.length === 0 ? ["ams-lmr-datamart"] : cited, true),
    sourceDate: barn.last_reported_sale_date,
    ingestedAt: figures?.ingested_at ?? null,
    verifiedAt: checked,
    confidence: directoryConfidence(
      checked === null ? null : ageDays(checked.slice(0, 10), context.asOf),
      venue.locationBasis === "yard",
      agreementOf(contradictions),
    ),
    limitations: [
      ...(isProjected ? [limitations.L13] : []),
      ...(venue.lat !== null && venue.locationBasis !== "yard" ? [limitations.L14] : []),
      ...(barn.county_vintage === null ? [] : [limitations.L19]),
    ],
    implication: barnImplication(barnRecords),
    contradictions,
    changeStatus: barn.change_status,
  };
  const listed = {
    method: isProjected ? ("schedule_projection" as const) : ("verbatim" as const),
    rules: isProjected ? (["directory", "schedule"] as const) : (["directory"] as const),
    inputs,
    parameters,
  };
  const rules = isSchedule ? (["directory", "schedule"] as const) : (["directory"] as const);
  const joined = {method: "join" as const, rules, inputs: sortedUnique([...inputs, ...issues]), parameters};
  return [
    evidenceOf(context, {
      ...shared,
      id: directoryEvidenceId(venue.venueId),
      claim: directoryClaim(barnRecords),
      transformation: listed,
    }),
    evidenceOf(context, {
      ...shared,
      id: barn.evidence_id,
      claim: barnClaim(barnRecords),
      transformation: joined,
    }),
  ];
}

function directoryClaim({venue, barn}: BarnRecords): string {
  const by = sortedUnique(
    venue.facts.filter((fact) => fact.fields.includes("name")).map(({publisher}) => publisher),
  );
  const who = by.length === 0 ? "its market report" : by.join(" and ");
  const checked =
    barn.last_verified_at === null ? "" : `, last checked ${barn.last_verified_at.slice(0, 10)}`;
  const listed = `${venue.name} is listed at ${townOf(venue)} by ${who}${checked}`;
  if (barn.sale_days.length === 0) return `${listed}; no regular sale day is known.`;
  const days = barn.sale_days.map((day) => `${sentenceStart(day)}s`).join(" and ");
  const time = barn.sale_time_local === null ? "" : ` at ${barn.sale_time_local} local time`;
  if (barn.schedule?.verified_by === fromReportedSales)
    return `${listed}; its reported sales are mostly on ${days}.`;
  return `${listed}; its regular cattle sale is on ${days}${time}.`;
}

function barnClaim({venue, barn, known}: BarnRecords): string {
  const where = barn.county_fips === null ? townOf(venue) : `county ${barn.county_fips}`;
  const after = barn.last_reported_sale_date ?? "";
  const unheld = known.filter(({basis, day}) => basis === "no_sale" && day > after).map(({day}) => day);
  const since = unheld.length === 0 ? "" : `; no sale was held on ${unheld.join(" and ")}`;
  return `${venue.name} (${where}) is classed ${barn.status} because ${reasonWords(barn)}${since}.`;
}

function reasonWords(barn: BarnRecords["barn"]): string {
  const words: Record<typeof barn.status_reason, string> = {
    reported_sale: `a sale of ${barn.last_reported_sale_date} was reported`,
    verified_schedule: `its schedule was verified on ${barn.schedule?.verified_at}`,
    off_season: "its season excludes the date of this build",
    statement: `a statement of ${barn.status_since} says so`,
    failed_verification: "a verification failed after its last reported sale",
    no_evidence: "no recent sale was reported and no schedule was verified",
  };
  return words[barn.status_reason];
}

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

/** Tells whom to ask about a venue, and what: its last sale, its usual receipts and its next sale day are in the sentence. */
function barnImplication({venue, barn, contradictions}: BarnRecords): string {
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
