import {ageDays, freshnessOf} from "../../../lib/dates.ts";
import {distanceBand} from "../../../lib/geography/distance.ts";
import {limitations} from "../../../lib/limitations.ts";
import {money} from "../../../lib/rounding.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import type {CountyPrice} from "../../../schemas/market-records.ts";
import type {Aggregate} from "./aggregates.ts";
import {estimate, methodVersion, widenedWindowDays, windowDays} from "./bounds.ts";
import {countyClaim} from "./claims.ts";
import {agreementOf, estimateCoverage, priceConfidence} from "./confidence.ts";
import {areaOf, type CountyAnswer, type CountyInputs, countyEntities, placeOf} from "./county-prices.ts";
import type {Estimate} from "./estimates.ts";
import {type AnswerContext, evidenceOf, priceSources, sorted} from "./evidence.ts";
import {type LeftOutBook, leftOutLimitations} from "./left-out.ts";
import {emptyMembers, judged, latestOf, pooledLimitations, type Unjudged} from "./price-record.ts";

/** The record of an estimate, with its evidence: never better than medium, always to be verified. */
export function estimatedAnswer(
  found: Estimate,
  {context, earlier, leftOut}: Pick<CountyInputs, "context" | "earlier" | "leftOut">,
): CountyAnswer {
  const {county, contributors} = found;
  const cell = contributors[0]!.row;
  const members = estimateMembers(found, context.asOf);
  const {first_sale_date: first, last_sale_date: last} = members;
  const recordKey = [county.fips, cell.cell_id, first, last].join("|");
  const evidenceId = `pc-${county.fips}-${cell.cell_id}`;
  const {record, valueHash} = judged<CountyPrice>(members, {evidenceId, recordKey, earlier});
  const unrounded = {price_avg: found.price, avg_weight_lb: null, value_per_head: null};
  return {
    finished: {record, headline: cell.headline, recordKey, valueHash, unrounded},
    evidence: estimateEvidence(found, record, context, leftOut),
  };
}

function estimateMembers({county, contributors, ...prices}: Estimate, asOf: string): Unjudged<CountyPrice> {
  const rows = contributors.map(({row}) => row);
  const dates = rows.flatMap((row) => [row.first_date, row.last_date]).sort();
  const age = ageDays(dates.at(-1)!, asOf);
  const widened = contributors.some((one) => one.widened);
  const nearest = contributors[0]!.miles;
  return {
    ...emptyMembers(rows[0]!, areaOf(county)),
    price_basis: "nearest_market_estimate",
    price_avg: money(prices.price),
    price_low: money(prices.low),
    price_high: money(prices.high),
    weighting: "inverse_distance",
    contributing_head: sumOf(rows, (row) => row.head ?? 0),
    rows: sumOf(rows, (row) => row.row_count),
    rows_excluded: sumOf(rows, (row) => row.rows_excluded),
    weight_imputed_rows: sumOf(rows, (row) => row.weight_imputed_rows),
    weight_spans_bins: rows.some((row) => row.weight_spans_bins),
    venues_reporting: rows.length,
    window_days: widened ? widenedWindowDays : windowDays,
    window_widened: widened,
    first_sale_date: dates[0]!,
    last_sale_date: dates.at(-1)!,
    age_days: age,
    freshness: freshnessOf(age),
    contributing_venues: contributors.map(({venueId, miles, row}) => ({
      venue_id: venueId,
      distance_mi: miles,
      price_avg: money(row.price)!,
      head_count: row.head ?? 0,
      report_end_date: row.last_date,
    })),
    nearest_distance_mi: nearest,
    distance_band: distanceBand(nearest),
    distance_method: "great_circle",
  };
}

function estimateEvidence(
  {county, contributors}: Estimate,
  record: CountyPrice,
  context: AnswerContext,
  leftOut: LeftOutBook,
): Evidence {
  const named = contributors.flatMap(({venueId, widened}) =>
    leftOut.of({
      venue: venueId,
      date: null,
      cell: contributors[0]!.row.cell_id,
      maxAge: widened ? widenedWindowDays : windowDays,
    }),
  );
  const heads = named.filter(({kind}) => kind === "head_exceeds_receipts");
  const contradictions = heads.length === 0 ? null : heads;
  const rows = contributors.map(({row}) => row);
  const cell = rows[0]!;
  const issues = sorted(rows.flatMap((row) => row.issue_ids));
  const venues = contributors.map(({venueId}) => venueId);
  return evidenceOf(
    context,
    {
      id: record.evidence_id,
      kind: "estimate",
      claim: countyClaim(cell, record, placeOf(county)),
      entities: countyEntities(county, cell.cell_id, venues, issues),
      sources: priceSources(sorted(rows.flatMap((row) => row.source_ids)), true),
      sourceDate: record.last_sale_date,
      ingestedAt: latestOf(rows.map((row) => row.ingested_at)),
      verifiedAt: latestOf(rows.map((row) => row.last_verified_at)),
      transformation: {
        method: "inverse_distance_estimate",
        inputs: issues,
        parameters: {
          max_distance_mi: estimate.maxMiles,
          floor_distance_mi: estimate.floorMiles,
          max_venues: estimate.venues,
          window_days: record.window_days,
        },
      },
      confidence: priceConfidence({
        age: record.age_days,
        head: record.contributing_head ?? 0,
        coverage: estimateCoverage(record.nearest_distance_mi ?? estimate.maxMiles),
        agreement: agreementOf(contradictions),
        estimate: true,
      }),
      limitations: [
        limitations.L03,
        limitations.L16,
        ...rows.flatMap((row) => pooledLimitations(row, record.window_widened)),
        ...(county.vintage === null ? [] : [limitations.L19]),
        ...leftOutLimitations(heads),
      ],
      implication:
        "Check the contributing venues' own rows; local supply and freight are not in the estimate.",
      contradictions,
      changeStatus: record.change_status,
    },
    methodVersion,
  );
}

function sumOf(rows: readonly Aggregate[], value: (row: Aggregate) => number): number {
  return rows.reduce((sum, row) => sum + value(row), 0);
}
