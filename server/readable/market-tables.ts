import {cattleWords, changeWords, priceWords} from "./cattle-words.ts";
import type {MarketEvidence, MarketRecord, Week} from "./market-shape.ts";
import {type ColumnOf, joined, numberText, type ReadableTable, tableOf} from "./readable.ts";

/** A record with the evidence that it names. */
export type Stated = {readonly record: MarketRecord; readonly evidence: MarketEvidence | undefined};

type Columns = readonly ColumnOf<Stated>[];

const county: ColumnOf<Stated> = {
  name: "county",
  cell: ({record}) => joined([record.county_name, record.state]),
};
const cattle: ColumnOf<Stated> = {name: "cattle", cell: ({record}) => cattleWords(record)};
const weight: ColumnOf<Stated> = {name: "lb", cell: ({record}) => record.weight_bin ?? "", right: true};
const price: ColumnOf<Stated> = {
  name: "USD",
  cell: ({record}) => `${priceWords(record.price_avg, record.price_unit)}${estimateMark(record)}`,
  right: true,
};
const head: ColumnOf<Stated> = {
  name: "head",
  cell: ({record}) => numberText(record.head_count ?? record.contributing_head),
  right: true,
};
const miles: ColumnOf<Stated> = {
  name: "miles",
  cell: ({record}) => numberText(record.distance_mi),
  right: true,
};
const confidence: ColumnOf<Stated> = {
  name: "confidence",
  cell: ({evidence}) => evidence?.confidence.level ?? "",
};
const sources: ColumnOf<Stated> = {
  name: "source",
  cell: ({evidence}) => (evidence?.sources ?? []).filter((id) => id !== "derived-aggregates").join(", "),
  optional: 4,
};
const changes: Columns = [
  {name: "week", cell: ({record}) => changeWords(record.change_week), right: true, optional: 2},
  {name: "year", cell: ({record}) => changeWords(record.change_year), right: true, optional: 3},
];
const lastSale: ColumnOf<Stated> = {name: "last sale", cell: ({record}) => record.last_sale_date ?? ""};
const range: ColumnOf<Stated> = {
  name: "range",
  cell: ({record: {price_low, price_high}}) =>
    price_low == null || price_high == null ? "" : `${price_low.toFixed(2)}-${price_high.toFixed(2)}`,
  right: true,
  optional: 5,
};
const barn: Columns = [
  {name: "barn", cell: ({record}) => record.venue_name ?? ""},
  {
    name: "town",
    cell: ({record}) => joined([record.city, record.state]),
  },
];
const sale: Columns = [
  {name: "sale days", cell: ({record}) => (record.sale_days ?? []).join(", ")},
  {name: "next sale", cell: ({record}) => record.next_sale_date ?? ""},
  {name: "status", cell: ({record}) => record.status ?? ""},
  {name: "phone", cell: ({record}) => record.phone ?? ""},
  {name: "website", cell: ({record}) => record.website ?? "", optional: 4},
];

const columns: Readonly<Record<string, Columns>> = {
  "/price-by-county": [
    county,
    cattle,
    weight,
    price,
    range,
    head,
    ...changes,
    lastSale,
    miles,
    confidence,
    sources,
  ],
  "/price-by-state": [
    {name: "state", cell: ({record}) => record.state ?? ""},
    cattle,
    weight,
    price,
    range,
    head,
    ...changes,
    lastSale,
    confidence,
    sources,
  ],
  "/latest-prices": [
    ...barn,
    cattle,
    weight,
    price,
    head,
    {name: "sale", cell: ({record}) => record.sale_date ?? record.report_end_date ?? ""},
    miles,
    confidence,
    sources,
  ],
  "/cattle-sale-barn-directory": [...barn, ...sale, confidence, sources],
  "/barns": [
    ...barn,
    {name: "county", cell: ({record}) => record.county_name ?? "", optional: 2},
    ...sale,
    {name: "last reported", cell: ({record}) => record.last_reported_sale_date ?? "", optional: 1},
    confidence,
    sources,
  ],
  "/dealers/stats": [
    {name: "state", cell: ({record}) => record.state ?? ""},
    {name: "list of", cell: ({record}) => record.list_authority ?? ""},
    {name: "as of", cell: ({record}) => record.list_as_of ?? ""},
    {name: "dealers", cell: ({record}) => numberText(record.licensed_dealers), right: true},
    {name: "agencies", cell: ({record}) => numberText(record.licensed_market_agencies), right: true},
    {name: "markets", cell: ({record}) => numberText(record.licensed_markets), right: true},
    {name: "in all", cell: ({record}) => numberText(record.total_entities), right: true},
    confidence,
    sources,
  ],
};

/** Gives the table of an endpoint's records. */
export function marketTable(path: string, stated: readonly Stated[]): ReadableTable {
  return tableOf(columns[path] ?? [county, cattle, weight, price], stated);
}

/** Gives a table of the weeks of each record that has a history. */
export function historyTables(stated: readonly Stated[]): ReadableTable[] {
  return stated.flatMap(({record}) => {
    const weeks = record.history ?? [];
    if (weeks.length === 0) return [];
    return [tableOf(weekColumns(record.price_unit), weeks, historyTitle(record))];
  });
}

function historyTitle(record: MarketRecord): string {
  const place = joined([record.county_name, record.state]);
  const bin = record.weight_bin == null ? "" : ` ${record.weight_bin} lb`;
  return `Weeks: ${place}, ${cattleWords(record)}${bin}`;
}

function weekColumns(unit: string | null | undefined): ColumnOf<Week>[] {
  return [
    {name: "week to", cell: (week) => week.week_end_date},
    {name: "USD", cell: (week) => priceWords(week.price_avg, unit), right: true},
    {name: "head", cell: (week) => numberText(week.head_count), right: true},
    {name: "barns", cell: (week) => numberText(week.venues_reporting), right: true, optional: 1},
  ];
}

/** A star marks a price that was estimated from markets elsewhere. */
function estimateMark({price_basis}: MarketRecord): string {
  return price_basis === "nearest_market_estimate" ? "*" : "";
}
