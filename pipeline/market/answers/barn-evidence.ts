import {ageDays} from "../../../lib/dates.ts";
import {limitations} from "../../../lib/limitations.ts";
import {sentenceStart} from "../../../lib/market/cell-words.ts";
import {agreementOf, directoryConfidence} from "../../../lib/market/confidence.ts";
import {
  type AnswerContext,
  type EvidenceInput,
  evidenceOf,
  priceSources,
  sorted,
} from "../../../lib/market/evidence.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import {type BarnMade, lastChecked} from "./barns.ts";
import {barnImplication} from "./implications.ts";
import {fromReportedSales} from "./next-sale.ts";
import {factsOf} from "./venue-facts.ts";
import {latestUntil} from "./venue-status.ts";

/** Evidence of a directory row: that the venue is listed, and when it sells. */
export function directoryEvidence(made: BarnMade, context: AnswerContext): Evidence {
  const projected = made.directory.next_sale_date !== null;
  return evidenceOf(context, {
    ...sharedInput(made, context),
    id: `bd-${made.venue.venueId}`,
    kind: projected ? "schedule" : "listing",
    claim: directoryClaim(made),
    transformation: {
      method: projected ? "schedule_projection" : "verbatim",
      inputs: factInputs(made),
      parameters: {as_of_date: context.asOf},
    },
    implication: barnImplication(made),
  });
}

/** Evidence of a barn record: the reason of its status. */
export function barnEvidence(made: BarnMade, context: AnswerContext): Evidence {
  return evidenceOf(context, {
    ...sharedInput(made, context),
    id: `bn-${made.venue.venueId}`,
    kind: made.directory.next_sale_date === null ? "listing" : "schedule",
    claim: barnClaim(made),
    transformation: {
      method: "join",
      inputs: sorted([...factInputs(made), ...(made.figures?.issue_ids ?? [])]),
      parameters: {as_of_date: context.asOf},
    },
    implication: barnImplication(made),
  });
}

type SharedEvidence = Omit<EvidenceInput, "id" | "kind" | "claim" | "transformation" | "implication">;

function sharedInput(made: BarnMade, context: AnswerContext): SharedEvidence {
  const {venue, figures, directory, contradictions} = made;
  const checked = lastChecked(venue, figures, context.asOf);
  const {countyFips, countyVintage} = factsOf(venue);
  return {
    entities: [
      `venue:${venue.venueId}`,
      `state:${venue.state}`,
      ...(countyFips === null ? [] : [`county:${countyFips}`]),
      ...(figures?.issue_ids ?? []).map((issue) => `report:${issue}`),
    ],
    sources: priceSources(
      sorted([
        ...venue.facts.map(({source}) => source),
        ...(figures?.source_ids ?? []),
        ...(venue.facts.length + (figures?.source_ids.length ?? 0) === 0 ? ["ams-lmr-datamart"] : []),
      ]),
      true,
    ),
    sourceDate: figures?.last_sale ?? null,
    ingestedAt: latestUntil([figures?.ingested_at ?? null, checked], context.asOf),
    verifiedAt: checked,
    confidence: directoryConfidence(
      checked === null ? null : ageDays(checked.slice(0, 10), context.asOf),
      venue.locationBasis === "yard",
      agreementOf(contradictions),
    ),
    limitations: [
      ...(directory.next_sale_date === null ? [] : [limitations.L13]),
      ...(venue.lat !== null && venue.locationBasis !== "yard" ? [limitations.L14] : []),
      ...(countyVintage === null ? [] : [limitations.L19]),
    ],
    contradictions,
    changeStatus: made.directory.change_status,
  };
}

function factInputs({venue}: BarnMade): string[] {
  return sorted(venue.facts.map((fact) => fact.sourceUrl ?? fact.publisher));
}

function directoryClaim({venue, directory, barn}: BarnMade): string {
  const by = sorted(
    venue.facts.filter((fact) => fact.fields.includes("name")).map(({publisher}) => publisher),
  );
  const who = by.length === 0 ? "its market report" : by.join(" and ");
  const checked =
    directory.last_verified_at === null ? "" : `, last checked ${directory.last_verified_at.slice(0, 10)}`;
  const listed = `${venue.name} is listed at ${factsOf(venue).place} by ${who}${checked}`;
  if (directory.sale_days.length === 0) return `${listed}; no regular sale day is known.`;
  const days = directory.sale_days.map((day) => `${sentenceStart(day)}s`).join(" and ");
  const time = directory.sale_time_local === null ? "" : ` at ${directory.sale_time_local} local time`;
  if (barn.schedule?.verified_by === fromReportedSales)
    return `${listed}; its reported sales are mostly on ${days}.`;
  return `${listed}; its regular cattle sale is on ${days}${time}.`;
}

function barnClaim({venue, barn, status}: BarnMade): string {
  const where = barn.county_fips === null ? factsOf(venue).place : `county ${barn.county_fips}`;
  return `${venue.name} (${where}) is classed ${status.status} because ${reasonWords(barn)}.`;
}

function reasonWords(barn: BarnMade["barn"]): string {
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
