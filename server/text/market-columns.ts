import type {z} from "zod";
import {Evidence} from "../../schemas/market-answer.ts";
import {dealerFields} from "../../schemas/market-fields/dealer.ts";
import {priceFields} from "../../schemas/market-fields/price.ts";
import {venueFields} from "../../schemas/market-fields/venue.ts";
import {type ColumnOf, joined, type Table, tableOf} from "./description.ts";
import {cattleWords, changeWords, type MarketRecord, priceWords} from "./market-record.ts";

/** A record with what is said of the evidence that it names. */
export type Stated = {record: MarketRecord; evidence: z.infer<typeof StatedEvidence> | undefined};
export const StatedEvidence = Evidence.pick({
  evidence_id: true,
  claim: true,
  sources: true,
  confidence: true,
});

const fields = {...dealerFields, ...venueFields, ...priceFields};
type Field = keyof typeof fields & keyof MarketRecord;
/** A column of records; `gives` are the members that programs get for it, its own field where it does not say. */
type MarketColumn = ColumnOf<Stated> & {readonly gives?: readonly Field[]};

/** Gives the column of a field: its value under its header in the field table, but for what `traits` say. */
function column(field: Field, traits: Partial<MarketColumn> = {}): MarketColumn {
  return {
    header: fields[field].header ?? field,
    cell: ({record}) => record[field],
    gives: [field],
    ...traits,
  };
}

/** Gives the column of a place: its name with its state. */
function place(field: "county_name" | "city"): MarketColumn {
  const cell = ({record}: Stated) => joined([record[field], record.state]);
  return column(field, {cell, gives: [field, "county_fips", "state"]});
}

/** A star marks a price that was estimated from markets elsewhere. */
function priceCell({record: {price_avg, price_unit, price_basis}}: Stated): string {
  return priceWords(price_avg, price_unit) + (price_basis === "nearest_market_estimate" ? "*" : "");
}

function rangeCell({record: {price_low, price_high}}: Stated): string {
  return price_low == null || price_high == null ? "" : `${price_low.toFixed(2)}-${price_high.toFixed(2)}`;
}

const state = column("state");
const barn = [column("venue_name", {gives: ["venue_name", "venue_id"]}), place("city")];
const price = [
  column("class", {
    header: "cattle",
    cell: ({record}) => cattleWords(record),
    gives: ["class", "frame", "muscle_grade", "dressing", "cell_id"],
  }),
  column("weight_bin", {right: true}),
  column("price_avg", {
    cell: priceCell,
    right: true,
    gives: ["price_avg", "price_unit", "price_basis"],
  }),
];
const head = column("head_count", {
  cell: ({record}) => record.head_count ?? record.contributing_head,
});
const trend = [
  column("price_low", {header: "range", cell: rangeCell, right: true, priority: 8, gives: []}),
  head,
  column("change_week", {cell: ({record}) => changeWords(record.change_week), right: true}),
  column("change_year", {cell: ({record}) => changeWords(record.change_year), right: true, priority: 6}),
  column("last_sale_date", {priority: 3}),
];
const sale = column("sale_date", {
  cell: ({record}) => record.sale_date ?? record.report_end_date,
  gives: ["sale_date", "last_sale_date"],
});
/** Of video and direct trades: their scope, and the region that is their place. */
const trade = [
  column("report_scope", {
    header: "trade",
    cell: ({record: {report_scope}}) =>
      report_scope === "venue" ? "" : report_scope?.replace("_internet", ""),
  }),
  column("region", {gives: ["region", "delivery", "freight", "shrink", "slide"]}),
];
const miles = column("distance_mi", {priority: 4});
const calendar = [
  column("sale_days"),
  column("next_sale_date"),
  column("status"),
  column("phone"),
  column("website", {priority: 4}),
];
const stated: readonly MarketColumn[] = [
  {header: "confidence", cell: ({evidence}) => evidence?.confidence.level, priority: 5},
  {
    header: "source",
    cell: ({evidence}) => joined((evidence?.sources ?? []).filter((id) => id !== "derived-aggregates")),
    priority: 7,
  },
];

/** The columns of each endpoint, in order of reading. */
const columns: Readonly<Record<string, readonly MarketColumn[]>> = {
  "/price-by-county": [place("county_name"), ...price, ...trend, miles, ...stated],
  "/price-by-state": [state, ...price, ...trend, ...stated],
  "/latest-prices": [barn[0]!, {...barn[1]!, priority: 2}, ...trade, ...price, head, sale, miles, ...stated],
  "/cattle-sale-barn-directory": [...barn, miles, ...calendar, ...stated],
  "/barns": [
    ...barn,
    miles,
    column("county_name", {priority: 2}),
    ...calendar,
    column("last_reported_sale_date", {priority: 1}),
    ...stated,
  ],
  "/dealers/stats": [
    state,
    column("list_authority"),
    column("list_as_of"),
    column("licensed_dealers"),
    column("licensed_market_agencies"),
    column("licensed_markets"),
    column("total_entities"),
    ...stated,
  ],
};

/** Gives the table of an endpoint's records. */
export function marketTable(path: string, rows: readonly Stated[]): Table[] {
  return tableOf(columns[path]!, rows);
}

/** Gives the names of the members that programs get of an endpoint's records. */
export function givenNames(path: string): readonly Field[] {
  return [...new Set(columns[path]!.flatMap(({gives = []}) => gives))];
}

/** Gives those members of a record, where they are known. */
export function givenMembers(path: string, record: MarketRecord): Partial<MarketRecord> {
  const known = givenNames(path).filter((name) => record[name] != null);
  return Object.fromEntries(known.map((name) => [name, record[name]]));
}
