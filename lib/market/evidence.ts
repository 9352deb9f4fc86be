import type {
  Actionability,
  ChangeStatus,
  Confidence,
  Contradiction,
  Evidence,
  Transformation,
} from "../../schemas/market-evidence.ts";
import type {MarketSource, MarketSourceId} from "../../schemas/market-source.ts";
import {ageDays} from "../dates.ts";
import {limitations, orderedLimitations} from "../limitations.ts";

/** Version of the computations of answers, in `transformation.version`: moves when a rule changes. */
const methodVersion = "1.0.0";

/** A price older than this is history. */
const oldestServedDays = 60;

/** Subject of a piece of evidence; it decides what a reader may do with it. */
type ClaimKind = "observed_price" | "estimate" | "schedule" | "listing" | "count" | "no_price";

/** The facts that evidence tells of a source. */
type Registered = Pick<MarketSource, "id" | "citationBoundary">;

/** Facts of the build that every record maker needs. */
export type AnswerContext = {
  readonly asOf: string;
  readonly sample: boolean;
  readonly registry: readonly Registered[];
  /** Times at which a build first saw a file of which nobody stated when it was fetched. */
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
  transformation: Omit<Transformation, "version"> & {version?: string};
  confidence: Confidence;
  limitations: readonly string[];
  implication: string | null;
  contradictions: Contradiction[] | null;
  changeStatus: ChangeStatus;
};

/** One evidence object: ids sorted, limitations in their order, boundaries joined in registry order. */
export function evidenceOf(context: AnswerContext, input: EvidenceInput): Evidence {
  const disagree = (input.contradictions ?? []).length > 0;
  const isAssumed = input.ingestedAt !== null && context.assumedAt?.has(input.ingestedAt) === true;
  const sentences = [
    ...input.limitations,
    ...(disagree ? [limitations.L17] : []),
    ...(isAssumed ? [limitations.L27] : []),
  ];
  return {
    evidence_id: input.id,
    claim: input.claim,
    entity_ids: sorted(input.entities),
    sources: sorted(input.sources) as MarketSourceId[],
    source_date: input.sourceDate,
    ingested_at: input.ingestedAt,
    last_verified_at: input.verifiedAt,
    transformation: {version: methodVersion, ...input.transformation} as Transformation,
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

/** First rule that fits, of `docs/design/market.md` section 6; `age` is that of the source date in days. */
export function actionabilityOf(
  {kind, confidence: {level}, changeStatus, contradictions}: Judged,
  age: number | null,
): Actionability {
  const found = contradictions ?? [];
  const isExpired = isPrice(kind) && age !== null && age > oldestServedDays;
  if (changeStatus === "withdrawn" || isExpired || found.some(isUnsettled)) return "do_not_act";
  const isWeak = level === "low" || level === "unknown" || changeStatus === "stale";
  if (kind === "schedule" || kind === "estimate" || isWeak || found.length > 0) return "verify_before_acting";
  return kind === "observed_price" ? "compare" : "informational";
}

/** The figures by which the actionability of evidence is decided. */
type Judged = Pick<EvidenceInput, "kind" | "confidence" | "changeStatus" | "contradictions">;

const isPrice = (kind: ClaimKind) => kind === "observed_price" || kind === "estimate";

/** Two figures farther apart than their tolerance, of which no rule says which one stands. */
function isUnsettled({difference, tolerance, resolution}: Contradiction): boolean {
  return (
    resolution === "unresolved" &&
    difference !== null &&
    tolerance !== null &&
    Math.abs(difference) > tolerance
  );
}

/**
 * Source ids of a price: those of its rows, the price-report family where a row came through the market-news service,
 * and our own where a number was computed here.
 */
export function priceSources(rowSources: readonly string[], computed: boolean): string[] {
  const family = rowSources.includes("mars") ? ["ams-lmr-datamart"] : [];
  return sorted([...rowSources, ...family, ...(computed ? ["derived-aggregates"] : [])]);
}

/** The citation boundaries of the given sources as one text, in registry order. */
export function legalBoundary(registry: readonly Registered[], ids: readonly string[]): string {
  return registry
    .filter((source) => ids.includes(source.id))
    .map((source) => source.citationBoundary)
    .join(" ");
}

/** Without doubles, in byte order. */
export function sorted(values: readonly string[]): string[] {
  return [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** The latest of some instants; null when none is known. */
export function latestOf(instants: readonly (string | null)[]): string | null {
  return sorted(instants.filter((instant) => instant !== null)).at(-1) ?? null;
}
