import {freshnessOf} from "../../../lib/dates.ts";
import {limitations} from "../../../lib/limitations.ts";
import {money} from "../../../lib/rounding.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {ChangeStatus, Contradiction, Evidence} from "../../../schemas/market-evidence.ts";
import type {LatestPrice} from "../../../schemas/market-records.ts";
import {valuePerHead, weightingOf} from "./aggregates.ts";
import {methodVersion, thinHead, thinPairs} from "./bounds.ts";
import {dateRange} from "./cell-words.ts";
import type {ChangeBook} from "./changes.ts";
import {latestClaim} from "./claims.ts";
import {agreementOf, priceConfidence} from "./confidence.ts";
import {headExceedsReceipts, togetherFound} from "./contradictions.ts";
import {type AnswerContext, evidenceOf, priceSources, sorted} from "./evidence.ts";
import {groupsOf, type LatestRow, readLatestRows} from "./latest-rows.ts";
import type {LeftOutBook} from "./left-out.ts";
import type {Earlier} from "./previous.ts";
import {cellMembers, emptyMembers, type Finished, judged, latestOf, type Unjudged} from "./price-record.ts";
import type {SecondSources} from "./second-sources.ts";
import type {VenueFacts} from "./venue-facts.ts";

/** The records of one cell at one venue's sale, under one piece of evidence. */
type LatestAnswer = {finished: Finished<LatestPrice>[]; evidence: Evidence};

type LatestInputs = {
  context: AnswerContext;
  changes: ChangeBook;
  leftOut: LeftOutBook;
  seconds: SecondSources;
  earlier: Earlier;
  venues: ReadonlyMap<string, VenueFacts>;
};

/** Every row of every venue's latest sale (age up to 60 days), outliers among them, by venue and cell. */
export async function latestPrices(db: Database, inputs: LatestInputs): Promise<LatestAnswer[]> {
  const rows = await readLatestRows(db);
  return groupsOf(rows).map((group) => latestAnswer(group, inputs));
}

function latestAnswer(group: LatestRow[], inputs: LatestInputs): LatestAnswer {
  const first = group[0]!;
  const venue = inputs.venues.get(first.venue_id);
  const evidenceId = `lp-${first.venue_id}-${first.cell_id}`;
  const finished = group.map((row, index) => finishedRow(row, {index, venue, evidenceId, inputs}));
  return {finished, evidence: groupEvidence(group, finished, {venue, evidenceId, inputs})};
}

type GroupSetting = {venue: VenueFacts | undefined; evidenceId: string; inputs: LatestInputs};

function groupEvidence(
  group: LatestRow[],
  finished: readonly Finished<LatestPrice>[],
  {venue, evidenceId, inputs}: GroupSetting,
): Evidence {
  const first = group[0]!;
  const records = finished.map(({record}) => record);
  const contradictions = contradictionsOf(group, inputs);
  const computed = records.some((record) => record.value_per_head !== null || record.change_week !== null);
  const head = group.reduce((sum, row) => sum + countedHead(row), 0);
  const issues = sorted(group.map((row) => row.issue_id));
  return evidenceOf(
    inputs.context,
    {
      id: evidenceId,
      kind: "observed_price",
      claim: latestClaim(first, {
        venue: venue?.name ?? first.venue_id,
        place: venue?.place ?? first.state ?? "",
        when: dateRange(first.report_begin_date, first.report_end_date),
        rows: records,
        receipts: first.receipts,
      }),
      entities: groupEntities(first, venue, issues),
      sources: priceSources(sorted(group.map((row) => row.source_id)), computed),
      sourceDate: first.report_end_date,
      ingestedAt: latestOf(group.map((row) => row.ingested_at)),
      verifiedAt: latestOf(group.map((row) => row.last_verified_at)),
      transformation: {method: "verbatim", inputs: issues, parameters: {}},
      confidence: priceConfidence({
        age: first.age,
        head,
        coverage: 0.9,
        agreement: agreementOf(contradictions),
        thin: isThin(head, first.price_unit),
        outlier: group.some((row) => row.outlier),
      }),
      limitations: latestLimitations(group, head),
      implication:
        "Compare with the county and state figures of the same cell and with the venue's next sale.",
      contradictions,
      changeStatus: groupStatus(records.map((record) => record.change_status)),
    },
    methodVersion,
  );
}

function groupEntities(row: LatestRow, venue: VenueFacts | undefined, issues: readonly string[]): string[] {
  return [
    `venue:${row.venue_id}`,
    `cell:${row.cell_id}`,
    ...(venue === undefined ? [] : [`state:${venue.state}`]),
    ...(venue?.countyFips == null ? [] : [`county:${venue.countyFips}`]),
    ...issues.map((issue) => `report:${issue}`),
  ];
}

type RowSetting = GroupSetting & {index: number};

function finishedRow(row: LatestRow, {index, venue, evidenceId, inputs}: RowSetting): Finished<LatestPrice> {
  const value = valuePerHead({
    price: row.price_avg,
    price_unit: row.price_unit,
    avg_weight: row.avg_weight_lb,
  });
  const recordKey = [row.venue_id, row.report_end_date, row.cell_id, index + 1].join("|");
  const members = rowMembers(row, venue, inputs.changes, value);
  const {record, valueHash} = judged<LatestPrice>(members, {evidenceId, recordKey, earlier: inputs.earlier});
  const unrounded = {price_avg: row.price_avg, avg_weight_lb: row.avg_weight_lb, value_per_head: value};
  return {record, headline: row.headline, recordKey, valueHash, unrounded};
}

function rowMembers(
  row: LatestRow,
  venue: VenueFacts | undefined,
  changes: ChangeBook,
  value: number | null,
): Unjudged<LatestPrice> {
  const moved = changes.changes([{market: row.venue_id, date: row.report_end_date, cell: row.cell_id}]);
  return {
    ...emptyMembers(row, {
      county_fips: venue?.countyFips ?? null,
      county_name: venue?.countyName ?? null,
      state: venue?.state ?? row.state ?? "",
      county_vintage: venue?.countyVintage ?? null,
    }),
    ...cellMembers(row),
    price_basis: "reported" as const,
    price_avg: money(row.price_avg),
    price_low: money(row.price_min ?? row.price_avg),
    price_high: money(row.price_max ?? row.price_avg),
    weighting: weightingOf(row.price_unit),
    head_count: row.head_count,
    rows: 1,
    rows_excluded: row.usable ? 0 : 1,
    weight_imputed_rows: row.w_imputed ? 1 : 0,
    weight_spans_bins: row.weight_spans_bins,
    venues_reporting: 1,
    avg_weight_lb: row.avg_weight_lb,
    value_per_head: money(value),
    window_days: null,
    window_widened: false,
    first_sale_date: row.report_begin_date,
    last_sale_date: row.report_end_date,
    age_days: row.age,
    freshness: freshnessOf(row.age),
    thin: isThin(countedHead(row), row.price_unit),
    change_week: money(moved.week.change),
    change_week_from: moved.week.from,
    change_year: money(moved.year.change),
    change_year_from: moved.year.from,
    matched_cells: moved.matched_cells,
    upstream: {
      system: row.system,
      report_slug: row.report_slug,
      report_program: row.report_program,
      issue_status: row.issue_status,
      published_at_source: row.published_at_source,
      report_slugs: [row.report_slug],
    },
    venue_id: row.venue_id,
    venue_name: venue?.name ?? null,
    city: venue?.city ?? null,
    sale_date: row.sale_date,
    report_end_date: row.report_end_date,
    row_ordinal: row.row_ordinal,
    price_min: money(row.price_min),
    price_max: money(row.price_max),
    weight_min_lb: row.weight_min_lb,
    weight_max_lb: row.weight_max_lb,
    issue_status: row.issue_status,
    published_at_source: row.published_at_source,
    receipts: row.receipts,
    special_sale_name: row.special_sale_name,
    outlier: row.outlier,
  };
}

/** Findings against the rows: rows left out, a second source, more head than came. Null when nothing could be checked. */
function contradictionsOf(group: LatestRow[], {leftOut, seconds}: LatestInputs): Contradiction[] | null {
  const {venue_id: venue, report_end_date: date, cell_id: cell, ...first} = group[0]!;
  const found = leftOut.of({venue, date, cell, maxAge: Number.POSITIVE_INFINITY});
  const second = togetherFound(seconds.price(venue, date, cell), seconds.event(venue, date));
  const {receipts, head_reported: head, source_id: source, issue_id: ref} = first;
  const counted =
    receipts === null || head === null ? null : headExceedsReceipts({source, ref, head, receipts});
  const all = [...found, ...(second ?? []), ...(counted === null ? [] : [counted])];
  const checked = second !== null || (receipts !== null && head !== null);
  return all.length > 0 || checked ? all : null;
}

function latestLimitations(group: LatestRow[], head: number): string[] {
  const first = group[0]!;
  const {receipts, head_reported: reported} = first;
  return [
    limitations.L01,
    ...(isThin(head, first.price_unit) ? [limitations.L04] : []),
    ...(group.some((row) => row.issue_status === "preliminary") ? [limitations.L07] : []),
    ...(receipts !== null && reported !== null && reported < receipts ? [limitations.L08] : []),
    ...(group.some((row) => row.weight_estimated || row.w_imputed) ? [limitations.L21] : []),
    ...(group.some((row) => row.head_excluded) ? [limitations.L26] : []),
  ];
}

/** Head of a row that counts: none where the head count is unknown or cannot be right. */
function countedHead(row: LatestRow): number {
  return row.head_excluded ? 0 : (row.head_count ?? 0);
}

function isThin(head: number, unit: LatestRow["price_unit"]): boolean {
  return head < (unit === "per_pair" ? thinPairs : thinHead);
}

/** Rows of one group may differ: a revision in one of them, or a row more than before, revises the group. */
function groupStatus(statuses: readonly ChangeStatus[]): ChangeStatus {
  const distinct = new Set(statuses);
  return distinct.size === 1 ? statuses[0]! : "revised";
}
