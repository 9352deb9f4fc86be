import type {
  Actionability,
  ChangeStatus,
  Confidence,
  Contradiction,
  Evidence,
  Transformation,
} from "../../schemas/market-evidence.ts";
import type {MarketSource, MarketSourceId} from "../../schemas/market-source.ts";
import {freshnessDays} from "../../schemas/vocabulary/freshness.ts";
import {ageDays} from "../dates.ts";
import {limitations, orderedLimitations} from "../limitations.ts";
import {latestMaxAgeDays} from "./pricing-rules.ts";
import {type RuleSet, versionOf} from "./rule-sets.ts";

/** An older price is no longer one of the freshness class `recent`. */
export const recentDays = freshnessDays.recent;

/** Subject of a claim; it decides what a reader may do with the claim. */
type ClaimKind = "observed_price" | "estimate" | "schedule" | "listing" | "count" | "no_price";

/** What evidence takes from a registry entry. */
type Registered = Pick<MarketSource, "id" | "citationBoundary">;

/** Facts about the build that every record maker needs. */
export type AnswerContext = {
  readonly asOf: string;
  readonly sample: boolean;
  readonly registry: readonly Registered[];
  /** Times at which a build first saw a file whose fetch time is unknown. */
  readonly assumedAt?: ReadonlySet<string>;
};

export type EvidenceInput = {
  id: string;
  kind: ClaimKind;
  claim: string;
  entities: readonly string[];
  sources: readonly string[];
  sourceDate: string | null;
  ingestedAt: string | null;
  verifiedAt: string | null;
  /** `rules` are the sets of rules by which the claim was made. */
  transformation: Pick<Transformation, "method" | "inputs" | "parameters"> & {rules: readonly RuleSet[]};
  confidence: Confidence;
  limitations: readonly string[];
  implication: string | null;
  contradictions: Contradiction[] | null;
  changeStatus: ChangeStatus;
};

/**
 * Builds one evidence object: ids sorted, limitations in catalogue order, legal boundaries in registry order.
 */
export function evidenceOf(context: AnswerContext, input: EvidenceInput): Evidence {
  const disagree = (input.contradictions ?? []).length > 0;
  const isAssumed = input.ingestedAt !== null && context.assumedAt?.has(input.ingestedAt) === true;
  const sentences = [
    ...input.limitations,
    ...(disagree ? [limitations.L17] : []),
    ...(isAssumed ? [limitations.L27] : []),
  ];
  const {rules, ...transformation} = input.transformation;
  return {
    evidence_id: input.id,
    claim: input.claim,
    entity_ids: sortedUnique(input.entities),
    sources: sortedUnique(input.sources) as MarketSourceId[],
    source_date: input.sourceDate,
    ingested_at: input.ingestedAt,
    last_verified_at: input.verifiedAt,
    transformation: {version: versionOf(rules), ...transformation},
    confidence: input.confidence,
    limitations: orderedLimitations(sentences, context.sample),
    operational_implication: input.implication,
    legal_boundary: legalBoundary(context.registry, input.sources),
    actionability: actionabilityOf(
      input,
      input.sourceDate === null ? null : ageDays(input.sourceDate, context.asOf),
    ),
    contradictions: input.contradictions,
    change_status: input.changeStatus,
  };
}

/**
 * The first matching rule of `docs/design/market.md` section 6; `age` is the age of the source date in days.
 */
export function actionabilityOf(
  {kind, confidence: {level}, changeStatus, contradictions}: ActionabilityInput,
  age: number | null,
): Actionability {
  const found = contradictions ?? [];
  const isOlderThan = (days: number) => isPrice(kind) && age !== null && age > days;
  if (changeStatus === "withdrawn" || isOlderThan(latestMaxAgeDays) || found.some(isUnsettled))
    return "do_not_act";
  const isWeak =
    level === "low" || level === "unknown" || changeStatus === "stale" || isOlderThan(recentDays);
  if (kind === "schedule" || kind === "estimate" || isWeak || found.length > 0) return "verify_before_acting";
  return kind === "observed_price" ? "compare" : "informational";
}

/** The fields that decide the actionability of evidence. */
type ActionabilityInput = Pick<EvidenceInput, "kind" | "confidence" | "changeStatus" | "contradictions">;

const isPrice = (kind: ClaimKind) => kind === "observed_price" || kind === "estimate";

/** True for two figures that differ by more than their tolerance when no rule says which one stands. */
function isUnsettled({difference, tolerance, resolution}: Contradiction): boolean {
  return (
    resolution === "unresolved" &&
    difference !== null &&
    tolerance !== null &&
    Math.abs(difference) > tolerance
  );
}

/**
 * Source ids of a price: those of its rows, the price-report family when a row came through the market-news
 * service, and our own id when a number was computed here.
 */
export function priceSources(rowSources: readonly string[], computed: boolean): string[] {
  const family = rowSources.includes("mars") ? ["ams-lmr-datamart"] : [];
  return sortedUnique([...rowSources, ...family, ...(computed ? ["derived-aggregates"] : [])]);
}

/** The citation boundaries of the given sources as one text, in registry order. */
export function legalBoundary(registry: readonly Registered[], ids: readonly string[]): string {
  return registry
    .filter((source) => ids.includes(source.id))
    .map((source) => source.citationBoundary)
    .join(" ");
}

/** Deduplicates and sorts in byte order. */
export function sortedUnique(values: readonly string[]): string[] {
  return [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** The latest timestamp; null when none is known. */
export function latestOf(instants: readonly (string | null)[]): string | null {
  return sortedUnique(instants.filter((instant) => instant !== null)).at(-1) ?? null;
}
