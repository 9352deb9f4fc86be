import type {ChangeStatus, Contradiction, Evidence} from "../../schemas/market-evidence.ts";
import type {PriceValues} from "../../schemas/market-fields/price.ts";
import {saturdayOf} from "../dates.ts";
import {coverageLimitation, type LimitationId, limitations} from "../limitations.ts";
import {
  estimateClaim,
  latestClaim,
  observedClaim,
  officialClaim,
  rollupClaim,
  withdrawnClaim,
} from "./claims.ts";
import {mergeFindings} from "./contradictions.ts";
import {
  type AnswerContext,
  type EvidenceInput,
  evidenceOf,
  latestOf,
  priceSources,
  recentDays,
  sortedUnique,
} from "./evidence.ts";
import type {EvidenceRow} from "./evidence-row.ts";
import {priceImplication, type VenueContacts} from "./implications.ts";
import {
  type CrossChecks,
  checkedAgainstReporter,
  checkedAgainstVenues,
  checkedForMissingSales,
  isIncomplete,
  reporterSentence,
  saleContradictions,
} from "./price-checks.ts";
import {
  agreementOf,
  type ConfidenceInput,
  countyCoverage,
  estimateCoverage,
  priceConfidence,
  recencyPercent,
  rollupCoverage,
  thinHead,
  thinPairs,
} from "./price-confidence.ts";
import {estimate} from "./pricing-rules.ts";
import type {RuleSet} from "./rule-sets.ts";

type EvidenceInputs = CrossChecks & {readonly context: AnswerContext; readonly contacts: VenueContacts};

/** The parts of evidence that depend on the price basis. */
type EvidenceParts = Pick<EvidenceInput, "claim" | "contradictions"> &
  Pick<ConfidenceInput, "coverage" | "estimate" | "isUnsure" | "outlier"> & {
    /** Null if no head is known. */
    head: number | null;
    kind?: EvidenceInput["kind"];
    venues: readonly string[];
    sources?: readonly string[];
    /** True if this service computed a number of the record. */
    computed: boolean;
    transformation: Pick<EvidenceInput["transformation"], "method" | "parameters" | "rules">;
    limits: readonly string[];
  };

/** The evidence of a price record; the rows of one cell at one venue's sale share it. */
export function priceEvidence(rows: readonly EvidenceRow[], inputs: EvidenceInputs): Evidence {
  const first = rows[0]!;
  const parts = first.withdrawn
    ? withdrawnParts(first)
    : partsByBasis[first.price_basis](first, rows, inputs);
  const {claim, kind = "observed_price", venues, computed, transformation, contradictions} = parts;
  const issues = sortedUnique(rows.flatMap((row) => row.issue_ids ?? []));
  const statuses = new Set(rows.map((row) => row.change_status));
  const disagree = (contradictions ?? []).length > 0;
  const thin = rows.length > 1 ? isThin(parts.head, first.price_unit) : first.thin;
  const head = parts.head ?? 0;
  return evidenceOf(inputs.context, {
    id: first.evidence_id,
    kind,
    claim: `${claim}${reporterSentence(first, contradictions)}`,
    entities: [
      `cell:${first.cell_id}`,
      ...(first.state === null ? [] : [`state:${first.state}`]),
      ...(first.county_fips === null ? [] : [`county:${first.county_fips}`]),
      ...venues.map((venue) => `venue:${venue}`),
      ...issues.map((issue) => `report:${issue}`),
    ],
    sources:
      parts.sources ?? priceSources(sortedUnique(rows.flatMap((row) => row.source_ids ?? [])), computed),
    sourceDate: first.last_sale_date,
    ingestedAt: latestOf(rows.map((row) => row.ingested_at)),
    verifiedAt: latestOf(rows.map((row) => row.last_verified_at)),
    transformation: {
      method: transformation.method,
      rules: [
        ...transformation.rules,
        ...(rows.some(({change_week, change_year}) => change_week !== null || change_year !== null)
          ? (["changes"] as const)
          : []),
        ...(first.reporter == null ? [] : (["reporter"] as const)),
      ],
      inputs: issues,
      parameters: transformation.parameters,
    },
    confidence: priceConfidence({
      ...parts,
      head,
      recency: recencyOf(first, head),
      agreement: agreementOf(contradictions),
      thin,
    }),
    limitations: [...(first.withdrawn ? [] : rowLimitations(rows, thin, contradictions)), ...parts.limits],
    implication: priceImplication({...parts, rows, thin, disagree, contacts: inputs.contacts}),
    contradictions,
    // Rows of a group may differ: one revised or added row makes the group revised.
    changeStatus: statuses.size === 1 ? first.change_status : ("revised" satisfies ChangeStatus),
  });
}

/** Catalogue sentences that apply to the rows, also those that their figure leaves out. */
function rowLimitations(
  rows: readonly EvidenceRow[],
  thin: boolean,
  contradictions: readonly Contradiction[] | null,
): string[] {
  const impossibleHead = contradictions?.some(
    ({kind, field}) => kind === "head_exceeds_receipts" && field === "head_count",
  );
  const held: [boolean, LimitationId][] = [
    [thin, "L04"],
    [rows.some((row) => row.any_preliminary), "L07"],
    [rows[0]!.window_widened, "L06"],
    [rows.some((row) => row.any_estimated_weight), "L21"],
    [impossibleHead || rows.some((row) => row.head_excluded), "L26"],
    [true, "L01"],
  ];
  return held.flatMap(([holds, id]) => (holds ? [limitations[id]] : []));
}

type PartsOf = (row: EvidenceRow, rows: readonly EvidenceRow[], inputs: EvidenceInputs) => EvidenceParts;

const partsByBasis: Readonly<Record<PriceValues["price_basis"], PartsOf>> = {
  observed_in_county(row, _rows, {excluded}) {
    const {county_fips, cell_id} = row;
    return {
      ...pooled(row),
      claim: observedClaim(row),
      coverage: countyCoverage(row.venues_reporting!),
      limits: [limitations.L02, ...vintageLimitation(row)],
      contradictions: excluded.of({scope: "venue", county_fips, cell_id}, row.window_days!),
    };
  },
  derived_rollup(row, _rows, {excluded}) {
    const {state, week_end_date: week, cell_id} = row;
    const venues = row.venues_reporting!;
    return {
      ...pooled(row),
      transformation: {
        ...pooled(row).transformation,
        rules: ["cells", "state_weeks"],
        parameters: weekOf(row),
      },
      claim: rollupClaim(row),
      coverage: rollupCoverage(venues),
      limits: [coverageLimitation(venues, row.venues_known)],
      contradictions: excluded.of({scope: "venue", state, week: week!, cell_id}),
    };
  },
  official_state_summary(row, _rows, {excluded, secondSources}) {
    const [report_slug, report_end_date, cell_id] = [row.report_slug!, row.week_end_date!, row.cell_id];
    const short = row.receipts !== null && row.head_count! < row.receipts;
    return {
      ...pooled(row),
      claim: officialClaim(row),
      venues: [],
      computed: row.rows > 1 || row.price_unit === "per_cwt",
      transformation: {method: "official_summary", rules: ["cells", "state_weeks"], parameters: weekOf(row)},
      coverage: 1,
      isUnsure: isIncomplete(row),
      limits: [
        limitations.L18,
        ...(short ? [limitations.L08] : []),
        ...(isIncomplete(row) ? [limitations.L31] : []),
        ...(row.newer_known ? [limitations.L28] : []),
      ],
      contradictions: mergeFindings(
        excluded.of({report_slug, report_end_date, cell_id}),
        checkedAgainstVenues(row),
        checkedForMissingSales(row),
        secondSources.of(report_slug, saturdayOf(report_end_date), row),
        checkedAgainstReporter(row),
      ),
    };
  },
  nearest_market_estimate(row, _rows, {excluded}) {
    const venues = row.venue_ids!;
    const found = venues.flatMap(
      (venue_id, at) => excluded.of({venue_id, cell_id: row.cell_id}, row.windows![at]!) ?? [],
    );
    const doubted = found.filter(({kind}) => kind !== "outlier");
    return {
      kind: "estimate",
      claim: estimateClaim(row),
      venues,
      computed: true,
      transformation: {
        method: "inverse_distance_estimate",
        rules: ["cells", "estimate"],
        parameters: {
          max_distance_mi: estimate.maxMiles,
          floor_distance_mi: estimate.floorMiles,
          max_venues: estimate.venues,
          window_days: row.window_days,
        },
      },
      head: row.contributing_head!,
      coverage: estimateCoverage(row.nearest_distance_mi!),
      estimate: true,
      limits: [limitations.L03, limitations.L16, ...vintageLimitation(row)],
      contradictions: doubted.length === 0 ? null : doubted,
    };
  },
  reported(row, rows, inputs) {
    const [{receipts}, reported] = [row, row.head_reported];
    const heads = rows.flatMap(({counted_head}) => counted_head ?? []);
    return {
      claim: latestClaim(row, rows),
      venues: row.venue_id === null ? [] : [row.venue_id],
      computed: rows.some(({value_per_head, change_week}) => value_per_head !== null || change_week !== null),
      transformation: {method: "verbatim", rules: ["cells"], parameters: {}},
      head: heads.length === 0 ? null : heads.reduce((sum, head) => sum + head, 0),
      coverage: 0.9,
      outlier: rows.some(({outlier}) => outlier),
      limits: [
        ...(row.age_days! > recentDays && !row.newer_known ? [limitations.L30] : []),
        ...(receipts !== null && reported !== null && reported < receipts ? [limitations.L08] : []),
      ],
      contradictions: saleContradictions(row, inputs),
    };
  },
  none(row) {
    throw new Error(`${row.evidence_id}: a record without a price is a tombstone.`);
  },
};

/** A withdrawn record has null values; the previous build had figures. */
function withdrawnParts(row: EvidenceRow): EvidenceParts {
  return {
    kind: "no_price",
    claim: withdrawnClaim(row),
    venues: row.venue_id == null ? [] : [row.venue_id],
    sources: ["ams-lmr-datamart", "derived-aggregates"],
    computed: true,
    transformation: {method: "join", rules: ["cells"], parameters: {compared_with: "previous build"}},
    head: 0,
    coverage: 0,
    limits: [limitations.L20],
    contradictions: null,
  };
}

/** What figures that pool venues' rows have in common. */
function pooled(row: EvidenceRow) {
  const method =
    row.price_unit === "per_cwt" ? ("pounds_weighted_mean" as const) : ("head_weighted_mean" as const);
  return {
    venues: row.venue_ids ?? [],
    computed: true,
    transformation: {method, rules: ["cells"] as RuleSet[], parameters: windowOf(row)},
    head: row.head_count ?? 0,
  };
}

function windowOf({window_days, window_widened, weighting}: EvidenceRow) {
  return {window_days, window_widened, weighting};
}

/** The window of a state's record: its week, or the days that a cell without a sale in it was looked for. */
function weekOf({week_begin_date, week_end_date, window_days, window_widened, weighting}: EvidenceRow) {
  return {week_begin_date, week_end_date, window_days: window_days ?? 7, window_widened, weighting};
}

function vintageLimitation({county_vintage}: EvidenceRow): string[] {
  return county_vintage === null ? [] : [limitations.L19];
}

/** Recency of a figure: over the head of all its sales, or of its one sale. */
function recencyOf({age_days: age, head_recency: recent}: EvidenceRow, head: number): number | null {
  if (recent != null) return recent / head / 100;
  return age === null ? null : recencyPercent(age) / 100;
}

function isThin(head: number | null, unit: PriceValues["price_unit"]): boolean {
  return head !== null && head < (unit === "per_pair" ? thinPairs : thinHead);
}
