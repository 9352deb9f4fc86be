import {counties} from "../../../lib/geography/counties.ts";
import {money} from "../../../lib/rounding.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import type {MarketColumn} from "../../../schemas/market-column.ts";
import type {Evidence} from "../../../schemas/market-evidence.ts";
import {columnName, type MarketFileName, marketFiles} from "../../../schemas/market-files.ts";
import type {MarketSource} from "../../../schemas/market-source.ts";
import type {BarnMade} from "../answers/barns.ts";
import type {Estimate} from "../answers/estimates.ts";
import type {Answers} from "../answers/make-answers.ts";
import type {Finished} from "../answers/price-record.ts";
import type {VenueFacts} from "../answers/venue-facts.ts";
import type {DealerMade} from "../signals/dealers/dealer-records.ts";
import {fillTable} from "./record-table.ts";

type Row = Record<string, unknown>;

/** Columns that only the serving files have: the finished JSON texts. */
const servingText = (...names: string[]): MarketColumn[] =>
  names.map((name) => ({name, type: "VARCHAR", about: "Finished JSON text"}));

/** Fills one table per file of answers, and those that only serving needs (points, and the context, which signals fill). */
export async function fillAnswerTables(
  db: Database,
  answers: Answers,
  {
    facts,
    registry,
    dealers = [],
    tempDir,
  }: {
    facts: ReadonlyMap<string, VenueFacts>;
    registry: readonly MarketSource[];
    dealers?: readonly DealerMade[];
    tempDir: string;
  },
): Promise<void> {
  const fill = (name: MarketFileName, rows: Iterable<Row>, extra: readonly MarketColumn[] = []) =>
    fillTable(db, name, [...marketFiles[name].columns, ...extra], rows, tempDir);
  await fill("county_prices", answers.counties.map(priceRow), servingText("record"));
  await fill("state_prices", answers.states.map(priceRow), servingText("record"));
  await fill("latest_prices", answers.latest.map(priceRow), servingText("record"));
  const barnTexts = servingText("directory_evidence_id", "directory_record", "barn_record");
  await fill("barns", answers.barns.map(barnRow), barnTexts);
  await fill("dealers", dealers.map(dealerRow), servingText("record"));
  const evidence = [...answers.evidence, ...dealers.map((made) => made.evidence)];
  await fill("evidence", evidence.map(evidenceRow), servingText("evidence"));
  await fill("sources", registry.map(sourceRow), servingText("entry"));
  await fill("county_estimate_contributors", answers.estimates.flatMap(contributorRows));
  await fill("venue_schedules", answers.barns.flatMap(scheduleRows));
  await fill("venue_status_history", answers.statusHistory);
  await fillPoints(db, facts, tempDir);
  await db.run(
    "CREATE OR REPLACE TABLE context (key_type VARCHAR, key VARCHAR, signal VARCHAR, item VARCHAR, age_days INTEGER)",
  );
}

function dealerRow({record, recordKey, valueHash}: DealerMade): Row {
  return {...record, record_key: recordKey, value_hash: valueHash, record: JSON.stringify(record)};
}

/** A source under the names of its columns, with its entry as answers have it. */
function sourceRow(source: MarketSource): Row {
  const {id, name, type, role, citationBoundary} = source;
  const named = Object.entries(source).map(([member, value]) => [columnName(member), value]);
  return {
    ...Object.fromEntries(named),
    entry: JSON.stringify({id, name, type, role, citationBoundary}),
  };
}

function priceRow<RecordType extends Row>({
  record,
  headline,
  recordKey,
  valueHash,
  unrounded,
}: Finished<RecordType>): Row {
  return {
    ...record,
    headline,
    price_avg_unrounded: unrounded.price_avg,
    avg_weight_lb_unrounded: unrounded.avg_weight_lb,
    value_per_head_unrounded: unrounded.value_per_head,
    record_key: recordKey,
    value_hash: valueHash,
    record: JSON.stringify(record),
  };
}

function barnRow({barn, directory, recordKey, valueHash}: BarnMade): Row {
  return {
    ...barn,
    record_key: recordKey,
    value_hash: valueHash,
    directory_evidence_id: directory.evidence_id,
    directory_record: JSON.stringify(directory),
    barn_record: JSON.stringify(barn),
  };
}

function evidenceRow(evidence: Evidence): Row {
  return {...evidence, evidence: JSON.stringify(evidence)};
}

function contributorRows({county, contributors}: Estimate): Row[] {
  return contributors.map(({venueId, miles, row}, index) => ({
    county_fips: county.fips,
    cell_id: row.cell_id,
    venue_id: venueId,
    rank: index + 1,
    distance_mi: miles,
    price_avg: money(row.price),
    price_avg_unrounded: row.price,
    head_count: row.head,
    report_end_date: row.last_date,
  }));
}

function scheduleRows({venue, barn}: BarnMade): Row[] {
  return (venue.schedule?.rules ?? []).map((rule, index) => ({
    venue_id: venue.venueId,
    rule: index + 1,
    ...rule,
    timezone: barn.timezone,
    season_from: rule.season?.from ?? null,
    season_to: rule.season?.to ?? null,
    verified_at: venue.schedule?.verifiedAt ?? null,
    next_sale_date: barn.next_sale_date,
    next_sale_basis: barn.schedule?.next_sale_basis ?? null,
  }));
}

const pointColumns = (key: string): MarketColumn[] => [
  {name: key, type: "VARCHAR", about: "Key"},
  {name: "lat", type: "DOUBLE", about: "WGS 84 degrees"},
  {name: "lon", type: "DOUBLE", about: "WGS 84 degrees"},
];

async function fillPoints(
  db: Database,
  facts: ReadonlyMap<string, VenueFacts>,
  tempDir: string,
): Promise<void> {
  const countyPoints = counties().map(({fips, point}) => ({county_fips: fips, ...point}));
  const venuePoints = [...facts.values()].flatMap(({venueId, point}) =>
    point === null ? [] : [{venue_id: venueId, ...point}],
  );
  await fillTable(db, "county_points", pointColumns("county_fips"), countyPoints, tempDir);
  await fillTable(db, "venue_points", pointColumns("venue_id"), venuePoints, tempDir);
}
