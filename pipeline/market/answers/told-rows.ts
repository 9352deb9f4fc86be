import {type Database, sqlText} from "../../../lib/sql/duckdb.ts";
import type {PriceRecord, PriceValues} from "../../../schemas/market-fields/price.ts";
import {wideRows} from "./aggregates.ts";
import {priceFiles} from "./drafts.ts";

/** What evidence is made of beside the fields of its record; null where the kind of record does not have it. */
type Facts = {
  withdrawn: boolean | null;
  price_avg_unrounded: number | null;
  counted_head: number | null;
  head_reported: number | null;
  head_excluded: boolean | null;
  rollup: string | null;
  place: string | null;
  venue_ids: (string | null)[] | null;
  windows: number[] | null;
  issue_ids: string[] | null;
  source_ids: string[] | null;
  any_preliminary: boolean | null;
  any_estimated_weight: boolean | null;
  ingested_at: string | null;
  last_verified_at: string | null;
};

/** The fields that sentences, confidence and contradictions are made of. */
const told = [
  ...([
    "evidence_id",
    "price_basis",
    "change_status",
    "county_fips",
    "county_name",
    "county_vintage",
    "state",
  ] as const),
  ...([
    "cell_id",
    "commodity",
    "class",
    "frame",
    "muscle_grade",
    "quality_grade",
    "dressing",
    "age_class",
  ] as const),
  ...([
    "pregnancy_stage",
    "weight_bin",
    "lot_descriptors",
    "price_unit",
    "price_avg",
    "price_low",
    "price_high",
  ] as const),
  ...([
    "weighting",
    "head_count",
    "contributing_head",
    "rows",
    "venues_reporting",
    "value_per_head",
    "thin",
  ] as const),
  ...([
    "window_days",
    "window_widened",
    "first_sale_date",
    "last_sale_date",
    "age_days",
    "change_week",
  ] as const),
  ...([
    "nearest_distance_mi",
    "week_begin_date",
    "week_end_date",
    "venues_known",
    "report_slug",
    "receipts",
  ] as const),
  ...(["venue_id", "venue_name", "report_end_date", "price_min", "price_max", "outlier"] as const),
];

/** A price record as evidence reads it; the venues behind an estimate are JSON text. */
export type ToldRow = Pick<PriceValues, (typeof told)[number]> & Facts & {contributing_venues: string};

const facts = [
  ...[
    "withdrawn",
    "price_avg_unrounded",
    "counted_head",
    "head_reported",
    "head_excluded",
    "rollup",
    "place",
  ],
  ...["venue_ids", "windows", "issue_ids", "source_ids", "any_preliminary", "any_estimated_weight"],
  ...["ingested_at", "last_verified_at", "contributing_venues"],
];

/** The rows of each piece of evidence, in the order of its id; they come in batches, with those columns that their kind has. */
export async function* toldGroups(db: Database, record: PriceRecord): AsyncGenerator<ToldRow[]> {
  const names = [...told, ...facts].map(sqlText).join(", ");
  const order = record === "latest" ? "evidence_id, row_ordinal" : "evidence_id";
  const sql = `SELECT COLUMNS(name -> name IN (${names})) FROM ${priceFiles[record]} ORDER BY ${order}`;
  let group: ToldRow[] = [];
  for await (const row of wideRows<ToldRow>(db, sql)) {
    if (group.length > 0 && group[0]!.evidence_id !== row.evidence_id) {
      yield group;
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield group;
}
