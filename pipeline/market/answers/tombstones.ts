import {ageDays, freshnessOf} from "../../../lib/dates.ts";
import {limitations} from "../../../lib/limitations.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import type {CountyPrice, LatestPrice, StatePrice} from "../../../schemas/market-records.ts";
import {latestMaxAgeDays, methodVersion, windowDays} from "./bounds.ts";
import {withdrawnClaim} from "./claims.ts";
import {priceConfidence} from "./confidence.ts";
import {type AnswerContext, evidenceOf} from "./evidence.ts";
import type {Earlier, EarlierPrice, EarlierRow} from "./previous.ts";
import {emptyMembers, type Finished} from "./price-record.ts";

/** Tombstones are numbered from here on: no sale has so many rows. */
const withdrawnOrdinals = 100_000;

type Tombstone<RecordType> = {finished: Finished<RecordType>; evidence: Evidence};

/**
 * Keys of area records that the build before had and whose rows the source has taken back: gone although their sale would
 * still be in the window. `present` holds `<area>|<cell>` of this build's records.
 */
export function missedAreas(
  earlier: Earlier<EarlierPrice>,
  present: ReadonlySet<string>,
  asOf: string,
): string[] {
  return [...earlier.values()]
    .filter((row) => reported.includes(row.price_basis) && stillInWindow(row, asOf))
    .map((row) => row.record_key)
    .filter((key) => !present.has(key.split("|").slice(0, 2).join("|")));
}

/** The same for rows of a venue's latest sale; not where the venue has a later sale. `present` holds record keys. */
export function missedRows(
  earlier: Earlier<EarlierPrice>,
  present: ReadonlySet<string>,
  latestSale: ReadonlyMap<string, string>,
  asOf: string,
): string[] {
  return [...earlier.values()]
    .filter((row) => row.change_status !== "withdrawn" && !present.has(row.record_key))
    .map((row) => row.record_key)
    .filter((key) => {
      const [venue, date] = key.split("|") as [string, string];
      return ageDays(date, asOf) <= latestMaxAgeDays && (latestSale.get(venue) ?? "") <= date;
    });
}

/** A withdrawn record with null values and its evidence; it is served for one build. */
export function countyTombstone(context: AnswerContext, row: EarlierRow): Tombstone<CountyPrice> {
  const place = `${row.county_name}, ${row.state} (${row.county_fips})`;
  const id = `pc-${row.county_fips}-${row.cell_id}`;
  const members: CountyPrice = withdrawnMembers(row, id, context.asOf);
  const entities = [`county:${row.county_fips}`, `state:${row.state}`, `cell:${row.cell_id}`];
  return tombstone(context, row, members, {id, place, entities});
}

/** The same for a state record. */
export function stateTombstone(context: AnswerContext, row: EarlierRow): Tombstone<StatePrice> {
  const id = `ps-${row.state}-${row.cell_id}`;
  const members: StatePrice = {
    ...withdrawnMembers(row, id, context.asOf),
    week_begin_date: textOf(row["week_begin_date"]),
    week_end_date: textOf(row["week_end_date"]),
    venues_known: Number(row["venues_known"] ?? 0),
    receipts: null,
    receipts_prior: null,
    receipts_year_ago: null,
    report_slug: textOf(row["report_slug"]),
  };
  const entities = [`state:${row.state}`, `cell:${row.cell_id}`];
  return tombstone(context, row, members, {id, place: row.state, entities});
}

/** The same for one row of a venue's sale; `index` tells the tombstones of a build apart. */
export function latestTombstone(
  context: AnswerContext,
  row: EarlierRow,
  index: number,
): Tombstone<LatestPrice> {
  const venue = String(row["venue_id"]);
  const id = `lp-${venue}-${row.cell_id}-withdrawn-${index + 1}`;
  const members: LatestPrice = {
    ...withdrawnMembers(row, id, context.asOf),
    venue_id: venue,
    venue_name: textOf(row["venue_name"]),
    city: textOf(row["city"]),
    sale_date: textOf(row["sale_date"]),
    report_end_date: String(row["report_end_date"]),
    row_ordinal: withdrawnOrdinals + index,
    price_min: null,
    price_max: null,
    weight_min_lb: null,
    weight_max_lb: null,
    issue_status: row["issue_status"] as LatestPrice["issue_status"],
    published_at_source: textOf(row["published_at_source"]),
    receipts: null,
    special_sale_name: textOf(row["special_sale_name"]),
    outlier: false,
  };
  const entities = [`venue:${venue}`, `state:${row.state}`, `cell:${row.cell_id}`];
  return tombstone(context, row, members, {id, place: members.venue_name ?? venue, entities});
}

/** Estimates are ours and not withdrawn by a source. */
const reported = ["observed_in_county", "official_state_summary", "derived_rollup"];

function stillInWindow(row: EarlierPrice, asOf: string): boolean {
  if (row.change_status === "withdrawn" || row.last_sale_date === null) return false;
  return ageDays(row.last_sale_date, asOf) <= (row.window_days ?? windowDays);
}

function textOf(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

function withdrawnMembers(row: EarlierRow, evidenceId: string, asOf: string) {
  const age = row.last_sale_date === null ? null : ageDays(row.last_sale_date, asOf);
  return {
    ...emptyMembers(row, row),
    price_basis: row.price_basis as CountyPrice["price_basis"],
    window_days: row.window_days,
    window_widened: false,
    first_sale_date: row.first_sale_date,
    last_sale_date: row.last_sale_date,
    age_days: age,
    freshness: age === null ? null : freshnessOf(age),
    change_status: "withdrawn" as const,
    previous: {
      price_avg: row.price_avg,
      price_low: row.price_low,
      price_high: row.price_high,
      head_count: row.head_count,
    },
    evidence_id: evidenceId,
  };
}

function tombstone<RecordType>(
  context: AnswerContext,
  row: EarlierRow,
  record: RecordType,
  {id, place, entities}: {id: string; place: string; entities: string[]},
): Tombstone<RecordType> {
  const evidence = evidenceOf(
    context,
    {
      id,
      kind: "no_price",
      claim: withdrawnClaim(row, place),
      entities,
      sources: ["ams-lmr-datamart", "derived-aggregates"],
      sourceDate: row.last_sale_date,
      ingestedAt: null,
      verifiedAt: null,
      transformation: {method: "join", inputs: [], parameters: {compared_with: "previous build"}},
      confidence: priceConfidence({
        age: row.last_sale_date === null ? null : ageDays(row.last_sale_date, context.asOf),
        head: 0,
        coverage: 0,
        agreement: 0.9,
      }),
      limitations: [limitations.L20],
      implication: "Do not use the earlier figure; see the source's current report.",
      contradictions: null,
      changeStatus: "withdrawn",
    },
    methodVersion,
  );
  const unrounded = {price_avg: null, avg_weight_lb: null, value_per_head: null};
  const finished = {
    record,
    headline: row.headline,
    recordKey: row.record_key,
    valueHash: row.value_hash,
    unrounded,
  };
  return {finished, evidence};
}
