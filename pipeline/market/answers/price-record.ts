import {ageDays, freshnessOf} from "../../../lib/dates.ts";
import {type LimitationId, limitations} from "../../../lib/limitations.ts";
import {money, roundHalfAway} from "../../../lib/rounding.ts";
import type {CountyPrice} from "../../../schemas/market-records.ts";
import {type Aggregate, type CellFacts, valuePerHead, weightingOf} from "./aggregates.ts";
import {widenedWindowDays} from "./bounds.ts";
import {changeStatusOf, priceValues, valueHashOf} from "./change-status.ts";
import type {ChangeBook, Changes} from "./changes.ts";
import type {Earlier} from "./previous.ts";

/** A finished record with what the files need beside it. */
export type Finished<RecordType> = {
  record: RecordType;
  headline: boolean;
  /** Key of the record over builds: entity, cell and period. */
  recordKey: string;
  valueHash: string;
  /** Unrounded values for the files of analysts. */
  unrounded: {price_avg: number | null; avg_weight_lb: number | null; value_per_head: number | null};
};

/** The members that say which cell a record is about. */
export function cellMembers(cell: CellFacts) {
  return {
    cell_id: cell.cell_id,
    commodity: cell.commodity,
    class: cell.class,
    frame: cell.frame,
    muscle_grade: cell.muscle_grade,
    quality_grade: cell.quality_grade,
    dressing: cell.dressing,
    age_class: cell.age_class,
    pregnancy_stage: cell.pregnancy_stage,
    weight_bin: cell.weight_bin,
    lot_descriptors: cell.lot_descriptors,
    price_unit: cell.price_unit,
  };
}

export type Area = {
  county_fips: string | null;
  county_name: string | null;
  state: string;
  county_vintage: string | null;
};
type Window = {days: number | null; widened: boolean};

/** The members of a record that pools rows: every price rounded once, here. Age counts from the latest sale. */
export function pooledMembers(row: Aggregate, area: Area, window: Window, changes: Changes, asOf: string) {
  const age = ageDays(row.last_date, asOf);
  return {
    county_fips: area.county_fips,
    county_name: area.county_name,
    state: area.state,
    ...cellMembers(row),
    price_basis: "observed_in_county" as CountyPrice["price_basis"],
    price_avg: money(row.price),
    price_low: money(row.low),
    price_high: money(row.high),
    weighting: weightingOf(row.price_unit) as CountyPrice["weighting"],
    head_count: row.head,
    contributing_head: null as number | null,
    rows: row.row_count,
    rows_excluded: row.rows_excluded,
    weight_imputed_rows: row.weight_imputed_rows,
    weight_spans_bins: row.weight_spans_bins,
    venues_reporting: row.venues,
    avg_weight_lb: row.avg_weight === null ? null : roundHalfAway(row.avg_weight, 0),
    value_per_head: money(valuePerHead(row)),
    described_head: row.described_head,
    window_days: window.days,
    window_widened: window.widened,
    first_sale_date: row.first_date as string | null,
    last_sale_date: row.last_date as string | null,
    age_days: age as number | null,
    freshness: freshnessOf(age) as CountyPrice["freshness"],
    thin: row.thin,
    change_week: money(changes.week.change),
    change_week_from: changes.week.from,
    change_year: money(changes.year.change),
    change_year_from: changes.year.from,
    matched_cells: changes.matched_cells,
    contributing_venues: [] as CountyPrice["contributing_venues"],
    nearest_distance_mi: null as number | null,
    distance_band: null as CountyPrice["distance_band"],
    distance_mi: null as number | null,
    distance_method: null as "great_circle" | null,
    county_vintage: area.county_vintage,
    upstream: upstreamOf(row) as CountyPrice["upstream"],
  };
}

/** The members of a record without any price: for tombstones, and as the ground of an estimate. */
export function emptyMembers(cell: CellFacts, area: Area) {
  return {
    county_fips: area.county_fips,
    county_name: area.county_name,
    state: area.state,
    ...cellMembers(cell),
    price_basis: "none" as const,
    price_avg: null,
    price_low: null,
    price_high: null,
    weighting: null,
    head_count: null,
    contributing_head: null,
    rows: 0,
    rows_excluded: 0,
    weight_imputed_rows: 0,
    weight_spans_bins: false,
    venues_reporting: 0,
    avg_weight_lb: null,
    value_per_head: null,
    described_head: null,
    window_days: widenedWindowDays,
    window_widened: true,
    first_sale_date: null,
    last_sale_date: null,
    age_days: null,
    freshness: null,
    thin: false,
    change_week: null,
    change_week_from: null,
    change_year: null,
    change_year_from: null,
    matched_cells: 0,
    contributing_venues: [],
    nearest_distance_mi: null,
    distance_band: null,
    distance_mi: null,
    distance_method: null,
    county_vintage: area.county_vintage,
    upstream: null,
  } satisfies Omit<CountyPrice, "change_status" | "previous" | "evidence_id">;
}

/** The latest of some instants; null when none is known. */
export function latestOf(instants: readonly (string | null)[]): string | null {
  return (
    instants
      .filter((instant) => instant !== null)
      .sort()
      .at(-1) ?? null
  );
}

/** The report that rows came from; a member is null where several differ in it. */
function upstreamOf(row: Aggregate): CountyPrice["upstream"] {
  return {
    system: only(row.systems) as "mymarketnews" | "lmr_datamart" | null,
    report_slug: only(row.report_slugs),
    report_program: only(row.programs) as "voluntary" | "mandatory" | null,
    issue_status: only(row.statuses) as "preliminary" | "final" | "unknown" | null,
    published_at_source: only(row.published ?? []),
    report_slugs: row.report_slugs,
  };
}

/** Unrounded values of a pooled row. */
export function unroundedOf(row: Aggregate): Finished<unknown>["unrounded"] {
  return {price_avg: row.price, avg_weight_lb: row.avg_weight, value_per_head: valuePerHead(row)};
}

/** Members as they are before they are compared with the build before. */
export type Unjudged<RecordType> = Omit<RecordType, "change_status" | "previous" | "evidence_id">;

/** A record with its change status, and the hash by which the next build will compare it. */
export function judged<RecordType extends CountyPrice>(
  members: Unjudged<RecordType>,
  {evidenceId, recordKey, earlier}: {evidenceId: string; recordKey: string; earlier: Earlier},
): {record: RecordType; valueHash: string} {
  const valueHash = valueHashOf(priceValues(members));
  const {status, previous} = changeStatusOf(
    earlier.get(recordKey),
    valueHash,
    members.age_days as number | null,
  );
  const record = {
    ...members,
    change_status: status,
    previous,
    evidence_id: evidenceId,
  } as unknown as RecordType;
  return {record, valueHash};
}

/** Changes of a pooled row: over the latest sale of each of its venues. */
export function changesOfVenues(changes: ChangeBook, row: Aggregate): Changes {
  return changes.changes(
    row.venue_ids.flatMap((market) => {
      const date = changes.latest(market, row.cell_id);
      return date === null ? [] : [{market, date, cell: row.cell_id}];
    }),
  );
}

/** Catalogue sentences that pooled rows bring with them. */
export function pooledLimitations(row: Aggregate, widened: boolean): string[] {
  const ids: [boolean, LimitationId][] = [
    [row.thin, "L04"],
    [row.any_preliminary, "L07"],
    [widened, "L06"],
    [row.any_estimated_weight || row.weight_imputed_rows > 0, "L21"],
    [true, "L01"],
  ];
  return ids.flatMap(([holds, id]) => (holds ? [limitations[id]] : []));
}

function only(values: readonly string[] | null): string | null {
  return values !== null && values.length === 1 ? values[0]! : null;
}
