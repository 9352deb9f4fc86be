import {sqlName, sqlText} from "../../sql/duckdb.ts";
import {printedLength} from "./area-sql.ts";
import type {ConformEntry} from "./column-references.ts";
import {provenanceGroups} from "./file-cells.ts";

const totals = ["assessed_value", "market_value", "taxable_value", "use_value"] as const;
/** Counts and measures of which a published 0 means unknown. */
const measures = [...provenanceGroups.building, "frontage_ft", "depth_ft"];
const dates = ["transfer_date", "recording_date"] as const;
/** A lower price is a token amount, for a gift or a formality (`docs/design/parcels.md` section 5.4). */
const nominalPrice = 100;
const partsTolerance = "0.01";
/** Dates that systems write for a missing date (`docs/design/parcels.md` section 5.4). */
export const placeholders = "('1899-12-30', '1900-01-01', '1901-01-01', '1970-01-01')";
/** The oldest buildings in the country; an earlier year is a typing error. */
const oldestYear = 1600;

/** Land and building columns, the total of which they are parts, and the kind of value; null where the entry does not name it. */
type Parts = {
  readonly land: string;
  readonly building: string;
  readonly total: string;
  readonly kind: "assessed" | "market" | "use" | null;
};

/** The parts in the columns of the row, and the market's where a source splits both totals. */
function partsOf({values}: ConformEntry): Parts {
  const statedPart = values?.land_value ?? values?.building_value;
  const kind =
    statedPart === "assessed" || statedPart === "market" || statedPart === "use" ? statedPart : null;
  return {land: "land_value", building: "building_value", total: `${kind ?? "assessed"}_value`, kind};
}
const marketParts: Parts = {
  land: "market_land_value",
  building: "market_building_value",
  total: "market_value",
  kind: "market",
};

/**
 * SQL columns `~<column>` of cleaned values, years, dates and building facts (`docs/design/parcels.md`
 * section 5.4). Null replaces a 0 that means unknown, zero parts that contradict the total, token prices, and
 * impossible dates.
 */
export function valueColumns(entry: ConformEntry, asOf: string): string[] {
  const mapped = (column: string, type: string) =>
    column in entry.fields ? sqlName(column) : `NULL::${type}`;
  const money = (column: string) => mapped(column, "DECIMAL(14,2)");
  const unknownZero = entry.values?.zeroMeans !== "zero";
  const unlessZero = (column: string) => (unknownZero ? `nullif(${money(column)}, 0)` : money(column));
  const parts = partsOf(entry);
  const {kind} = parts;
  const part = (column: string, of = parts) =>
    unknownZero
      ? `CASE WHEN ${money(column)} <> 0 OR NOT ${partsContradict(entry, of)} THEN ${money(column)} END`
      : money(column);
  const year = (column: string, value: string) =>
    `coalesce(${mapped(column, "SMALLINT")}, CASE WHEN ${value} IS NOT NULL THEN "~roll_year" END)`;
  const amounts: [string, string][] = [
    ...totals.map((column): [string, string] => [column, unlessZero(column)]),
    ["tax_amount", money("tax_amount")],
    ["land_value", part("land_value")],
    ["building_value", part("building_value")],
    ["market_land_value", part("market_land_value", marketParts)],
    ["market_building_value", part("market_building_value", marketParts)],
    [
      "value_kind",
      kind === null
        ? "NULL::VARCHAR"
        : `CASE WHEN coalesce(${part("land_value")}, ${part("building_value")}) IS NOT NULL THEN '${kind}' END`,
    ],
    [
      "assessed_year",
      year(
        "assessed_year",
        kind === "assessed"
          ? `coalesce(${unlessZero("assessed_value")}, ${part("land_value")})`
          : unlessZero("assessed_value"),
      ),
    ],
    [
      "market_year",
      year(
        "market_year",
        kind === "market"
          ? `coalesce(${unlessZero("market_value")}, ${part("land_value")})`
          : unlessZero("market_value"),
      ),
    ],
    ["tax_year", year("tax_year", money("tax_amount"))],
    [
      "transfer_price",
      `CASE WHEN ${money("transfer_price")} >= ${nominalPrice} THEN ${money("transfer_price")} END`,
    ],
    ...dates.map((column): [string, string] => [column, dateSql(mapped(column, "DATE"), asOf)]),
    ...measures.map((column): [string, string] => {
      const measure = `coalesce(${mapped(column, "DOUBLE")}, ${printedLength(entry, column)})`;
      return [column, `CASE WHEN ${canBe(column, measure, asOf)} THEN ${measure} END`];
    }),
  ];
  return amounts.map(([column, sql]) => `${sql} AS ${sqlName(`~${column}`)}`);
}

/** SQL: true for a plausible building fact: above 0, or for a year, not later than next year. */
function canBe(column: string, value: string, asOf: string): string {
  return column === "year_built"
    ? `${value} BETWEEN ${oldestYear} AND ${Number(asOf.slice(0, 4)) + 1}`
    : `${value} > 0`;
}

/** The columns of `valueColumns` that an entry can fill; the others are null in every row. */
export function filledValues(entry: ConformEntry): string[] {
  const has = (column: string) => column in entry.fields;
  const {kind} = partsOf(entry);
  const parts = kind !== null && (has("land_value") || has("building_value"));
  const made: Readonly<Record<string, boolean>> = {
    value_kind: parts,
    assessed_year: has("assessed_value") || (parts && kind === "assessed"),
    market_year: has("market_value") || (parts && kind === "market"),
    tax_year: has("tax_amount"),
    frontage_ft: entry.area?.unit === "text",
    depth_ft: entry.area?.unit === "text",
  };
  return [...valueNames].filter((column) => has(column) || made[column] === true);
}

/** The columns created by `valueColumns`. */
export const valueNames: readonly string[] = [
  ...totals,
  "land_value",
  "building_value",
  "market_land_value",
  "market_building_value",
  "value_kind",
  "tax_amount",
  "assessed_year",
  "market_year",
  "tax_year",
  ...dates,
  "transfer_price",
  ...measures,
];

function dateSql(date: string, asOf: string): string {
  return `CASE WHEN ${date} <= DATE ${sqlText(asOf)} AND ${date} NOT IN ${placeholders} THEN ${date} END`;
}

/** SQL: true when a part is 0 and the parts do not add up to the total, or have no value at all. */
export function partsContradict(entry: ConformEntry, parts = partsOf(entry)): string {
  const has = (column: string) => column in entry.fields;
  if (!has(parts.land) && !has(parts.building)) return "false";
  const land = has(parts.land) ? sqlName(parts.land) : "NULL";
  const building = has(parts.building) ? sqlName(parts.building) : "NULL";
  const sum = `(coalesce(${land}, 0) + coalesce(${building}, 0))`;
  const total = has(parts.total) ? sqlName(parts.total) : null;
  const zero = `(coalesce(${land} = 0, false) OR coalesce(${building} = 0, false))`;
  if (total === null) return `(${zero} AND ${sum} = 0)`;
  return `(${zero} AND (${sum} = 0 OR coalesce(abs(${sum} - ${total}) > ${partsTolerance} * ${total}, false)))`;
}

/** SQL conditions for the cleaning codes of values and dates. */
export function valueFlags(entry: ConformEntry, asOf: string): [code: string, condition: string][] {
  const has = (column: string) => column in entry.fields;
  const unknownZero = entry.values?.zeroMeans !== "zero";
  const zero = totals.filter(has).map((column) => `${sqlName(column)} = 0`);
  const future = dates.filter(has).map((column) => `${sqlName(column)} > DATE ${sqlText(asOf)}`);
  const flags: [string, string][] = [];
  if (unknownZero && zero.length > 0) flags.push(["zero_value", zero.join(" OR ")]);
  if (unknownZero) flags.push(["value_parts_contradict", partsContradict(entry)]);
  if (has("transfer_price"))
    flags.push(["nominal_price", `"transfer_price" > 0 AND "transfer_price" < ${nominalPrice}`]);
  if (future.length > 0) flags.push(["future_date", future.join(" OR ")]);
  return flags;
}
