import {z} from "zod";
import {dateRange, moneyWords, sentenceStart} from "../../lib/market/cell-words.ts";
import {Evidence} from "../../schemas/market-answer.ts";
import {dealerFields} from "../../schemas/market-fields/dealer.ts";
import {priceFields} from "../../schemas/market-fields/price.ts";
import {venueFields} from "../../schemas/market-fields/venue-fields.ts";
import {type ColumnOf, type Facts, joined} from "./description.ts";
import {cattleWords, changeWords, MarketRecord, priceWords} from "./market-record.ts";

/** A record, with the parts of its evidence that are shown. */
export type Stated = {record: MarketRecord; evidence: z.infer<typeof StatedEvidence> | undefined};
export const StatedEvidence = Evidence.pick({
  evidence_id: true,
  claim: true,
  entity_ids: true,
  sources: true,
  confidence: true,
});

const fields = {...dealerFields, ...venueFields, ...priceFields};
type Field = keyof typeof fields & keyof MarketRecord;

/** County name: alone for a barn, with the state for a price; empty for rows of a sale, which name their town. */
function countyCell({record: {county_name, state, city, report_end_date}}: Stated): string {
  if (county_name == null || report_end_date !== undefined) return "";
  return city == null ? joined([county_name, state]) : county_name;
}

/** The price; a star marks an estimate from markets elsewhere. */
function priceCell({record: {price_avg, price_unit, price_basis}}: Stated): string {
  return priceWords(price_avg, price_unit) + (price_basis === "nearest_market_estimate" ? "*" : "");
}

function rangeCell({record: {price_low, price_high}}: Stated): string {
  return price_low == null || price_high == null ? "" : `${moneyWords(price_low)}-${moneyWords(price_high)}`;
}

/** The day of a sale, the days of all sales behind a figure, or the week of an official summary. */
function soldCell({record}: Stated): unknown {
  const {first_sale_date: first, last_sale_date: last, week_end_date: week, price_basis: basis} = record;
  if (basis === "official_state_summary" && week != null) return `week to ${week}`;
  return (
    record.sale_date ??
    record.report_end_date ??
    (first == null || last == null ? last : dateRange(first, last))
  );
}

/** True where nobody confirmed the sale days: they are those of reported sales, or of a barn of which nothing confirms that it still sells. */
export function isGuessedDay({schedule, status}: MarketRecord): boolean {
  return schedule != null && (schedule.verified_by === "reported_sales" || status === "unverified");
}

/** Regular sale days with their time, such as `Tue, Fri 10:00`; days that nobody confirmed have a question mark. */
function saleDayWords(record: MarketRecord): string {
  const {sale_days: days = [], sale_time_local: time} = record;
  const mark = isGuessedDay(record) ? "?" : "";
  return joined(
    [joined(days.map((day) => sentenceStart(day).slice(0, 3) + mark)), days.length === 0 ? "" : time],
    " ",
  );
}

function nextSaleCell({record}: Stated): unknown {
  const {next_sale_date: day} = record;
  return day != null && isGuessedDay(record) ? `${day}?` : day;
}

/** Fields of market tables in reading order, with what their columns do not take from the field table. */
const columnTraits: Readonly<Partial<Record<Field, Partial<ColumnOf<Stated>>>>> = {
  venue_name: {},
  city: {cell: ({record}) => record.city && joined([record.city, record.state]), priority: 1},
  report_scope: {
    header: "trade",
    cell: ({record: {report_scope: scope = "venue"}}) =>
      scope === "venue" ? "" : scope.replace("_internet", ""),
  },
  region: {},
  county_name: {cell: countyCell},
  state: {cell: ({record}) => ((record.city ?? record.county_name) ? "" : record.state)},
  list_authority: {},
  list_as_of: {},
  class: {header: "cattle", cell: ({record}) => cattleWords(record)},
  weight_bin: {right: true},
  price_avg: {cell: priceCell, right: true},
  price_low: {header: "range", cell: rangeCell, right: true, priority: 8},
  head_count: {cell: ({record}) => record.head_count ?? record.contributing_head},
  change_week: {cell: ({record}) => changeWords(record.change_week), right: true},
  change_year: {cell: ({record}) => changeWords(record.change_year), right: true, priority: 6},
  last_sale_date: {cell: soldCell, priority: 3},
  distance_mi: {priority: 4},
  sale_days: {cell: ({record}) => saleDayWords(record)},
  next_sale_date: {cell: nextSaleCell},
  status: {},
  phone: {},
  website: {priority: 4},
  last_reported_sale_date: {priority: 2},
  licensed_dealers: {},
  licensed_market_agencies: {},
  licensed_markets: {},
  total_entities: {},
};

const names = Object.keys(fields) as Field[];
/** A headed field without traits comes last, and a narrow terminal drops it first. */
const columnFields = [
  ...(Object.keys(columnTraits) as Field[]),
  ...names.filter((name) => fields[name].header !== undefined && !(name in columnTraits)),
];

/** Columns of market tables in reading order; a table shows those with a value in any record. */
export const marketColumns: readonly ColumnOf<Stated>[] = [
  ...columnFields.map((name) => ({
    header: fields[name].header ?? name,
    cell: ({record}: Stated) => record[name],
    ...(columnTraits[name] ?? {priority: 9}),
  })),
  {header: "confidence", cell: ({evidence}) => evidence?.confidence.level, priority: 5},
  {
    header: "source",
    cell: ({evidence}) => joined((evidence?.sources ?? []).filter((id) => id !== "derived-aggregates")),
    priority: 7,
  },
];

/** Fields that people see only as part of another column: ids, the kind of cattle, the terms of a trade. */
const withoutColumn: readonly Field[] = [
  ...(["county_fips", "venue_id", "cell_id", "frame", "muscle_grade", "dressing", "price_high"] as const),
  ...(["price_unit", "price_basis", "sale_date", "sale_time_local"] as const),
  ...(["delivery", "freight", "shrink", "slide"] as const),
];

/** Fields that programs receive. */
const givenFields = names.filter((name) => columnFields.includes(name) || withoutColumn.includes(name));

/** Schemas of what programs receive from a record with these members. */
export function marketRow(members: z.ZodRawShape): z.ZodRawShape {
  const known = givenFields.filter((name) => name in members);
  const week = z.tuple([z.iso.date(), z.number().nullable(), z.int().nullable()]);
  return {
    ...Object.fromEntries(known.map((name) => [name, MarketRecord.shape[name]])),
    ...("history" in members ? {history: z.array(week)} : {}),
    ...{confidence: z.string(), sources: z.array(z.string()), evidence_id: z.string()},
  };
}

/** What programs receive from a record: its known members, its weeks, and facts of its evidence. */
export function marketFacts({record, evidence}: Stated): Facts {
  return {
    ...Object.fromEntries(
      givenFields.flatMap((name) => (record[name] == null ? [] : [[name, record[name]]])),
    ),
    history: record.history?.map((week) => [week.week_end_date, week.price_avg, week.head_count]),
    confidence: evidence?.confidence.level,
    sources: evidence?.sources,
    evidence_id: evidence?.evidence_id,
  };
}
