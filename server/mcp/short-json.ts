import {statedRecords} from "../readable/market-readable.ts";
import {MarketShape} from "../readable/market-shape.ts";
import type {Stated} from "../readable/market-tables.ts";
import {type ParcelRecord, ParcelShape} from "../readable/parcel-shape.ts";

/** Members of a market record that an agent gets, where they are known. */
const recordMembers = [
  "county_fips",
  "state",
  "venue_id",
  "cell_id",
  "price_avg",
  "price_unit",
  "price_basis",
  "head_count",
  "last_sale_date",
  "sale_date",
  "change_week",
  "change_year",
  "distance_mi",
  "sale_days",
  "next_sale_date",
  "status",
  "list_as_of",
  "total_entities",
] as const;

/** Members of a property record that only programs with a map or a form need; the rest goes along. */
const partsOfOthers = new Set([
  "_id",
  "state_parcelId",
  "state_parcelIdSTD",
  "altParcelIds",
  "addressFull",
  "addressRaw",
  "streetNumber",
  "streetDirectionPrefix",
  "street",
  "streetType",
  "streetDirectionSuffix",
  "fipsState",
  "fipsCounty",
  "country",
  "landArea",
  "location",
  "transferDateObject",
  "provenance",
]);

/** The structured content of every tool. */
export type ShortAnswer = {
  /** Records, each with the members that are known. */
  readonly rows: readonly Record<string, unknown>[];
  /** Records in all; `offset` turns the page. */
  readonly total: number | null;
  readonly limitations: readonly string[];
};

/** Claims that an answer has in full; the other rows are in the table. */
const MOST_CLAIMS = 3;

/** Gives a market answer as rows with claim, confidence and sources, without the members that are null. */
export function shortMarket(answer: unknown): {short: ShortAnswer; claims: string[]} {
  const shape = MarketShape.parse(answer);
  const stated = statedRecords(shape);
  const short = {
    as_of_date: shape.as_of_date,
    source_date: shape.source_date ?? null,
    rows: stated.map(marketRow),
    total: shape.page.total,
    limitations: shape.limitations,
    ...(shape.nearest_market == null ? {} : {nearest_market: shape.nearest_market}),
    ...(shape.state_summary == null ? {} : {state_summary: shape.state_summary}),
  };
  const claims = new Set(stated.flatMap(({evidence}) => evidence?.claim ?? []));
  return {short, claims: [...claims].slice(0, MOST_CLAIMS)};
}

function marketRow({record, evidence}: Stated): Record<string, unknown> {
  const members = recordMembers.map((name) => [name, record[name]] as const);
  const known = members.filter(([, value]) => value !== null && value !== undefined);
  const weeks = record.history?.map(({week_end_date, price_avg, head_count}) => [
    week_end_date,
    price_avg,
    head_count,
  ]);
  return {
    ...Object.fromEntries(known),
    ...(weeks === undefined ? {} : {history: weeks}),
    ...(evidence === undefined
      ? {}
      : {
          confidence: evidence.confidence.level,
          sources: evidence.sources,
          evidence_id: evidence.evidence_id,
        }),
  };
}

/** Gives a parcel answer as rows with source, vintage and confidence. */
export function shortParcels(answer: unknown): ShortAnswer {
  const {property, properties = [], metadata} = ParcelShape.parse(answer);
  const parcels = property === undefined ? properties : [property];
  return {
    rows: parcels.map(parcelRow),
    total: property === undefined ? (metadata.total ?? null) : 1,
    limitations: metadata.limitations,
  };
}

function parcelRow(record: ParcelRecord): Record<string, unknown> {
  const {source, vintage, confidence} = record.provenance.default;
  const members = Object.entries(record).filter(([name]) => !partsOfOthers.has(name));
  return {...Object.fromEntries(members), source, vintage, confidence};
}
