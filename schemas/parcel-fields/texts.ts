import {severalParts, valuedPart} from "@open-cattle/us-address";
import {statedFlags} from "../vocabulary/parcel-provenance.ts";

/**
 * DuckDB SQL for the JSON text of record members, over the columns of a parcel row. Each is NULL if the member is unknown, and the record
 * then leaves it out. Numbers are rounded half away from zero on their shortest decimal form and have no trailing zeros.
 */

/** A text in quotes; NULL for an empty one. */
export function words(sql: string): string {
  return `to_json(nullif(${sql}, ''))`;
}

/** A list of texts; NULL for an empty one. */
export function list(column: string): string {
  return `CASE WHEN len(${column}) > 0 THEN to_json(${column}) END`;
}

/** An integer or a boolean as it is. */
export function wholeText(column: string): string {
  return `${column}::VARCHAR`;
}

/** An amount with at most 2 decimals. */
export function money(column: string): string {
  const amount = `${column}::DECIMAL(14,2)`;
  return `CASE WHEN ${amount} % 1 = 0 THEN ${amount}::BIGINT::VARCHAR ELSE rtrim(${amount}::VARCHAR, '0') END`;
}

/** A number with at most `maxDecimals` decimals. */
export function decimals(sql: string, maxDecimals: number): string {
  const number = `(${sql})::DOUBLE`;
  // DuckDB misreads a text with a negative exponent as a DECIMAL without decimals.
  const plain = `CASE WHEN abs(${number}) < 1e-4 THEN printf('%.20f', ${number}) ELSE ${number}::VARCHAR END`;
  const rounded = `try_cast(${plain} AS DECIMAL(18,${maxDecimals}))::VARCHAR`;
  // Most numbers have few enough decimals and are printed as they are. Beyond these bounds they would be printed with an exponent.
  return `CASE WHEN ${number} % 1 = 0 AND abs(${number}) < 1e15 THEN ${number}::BIGINT::VARCHAR
    WHEN abs(${number}) BETWEEN 1e-4 AND 1e15 AND round(${number}, ${maxDecimals}) = ${number} THEN ${number}::VARCHAR
    ELSE ${maxDecimals === 0 ? rounded : withoutZeros(rounded)} END`;
}

/** A REAL with at most `maxDecimals` decimals. It has about seven digits and is never halfway between two results. */
export function narrow(column: string, maxDecimals: number): string {
  const rounded = `round(${column}::DOUBLE, ${maxDecimals})`;
  return `CASE WHEN ${rounded} % 1 = 0 THEN ${rounded}::BIGINT::VARCHAR ELSE ${rounded}::VARCHAR END`;
}

/** `YYYYMMDD`, in quotes. */
export function day(column: string): string {
  return `'"' || strftime(${column}, '%Y%m%d') || '"'`;
}

/** The start of a day in UTC, in quotes. */
export function midnight(column: string): string {
  return `'"' || strftime(${column}, '%Y-%m-%d') || 'T00:00:00.000Z"'`;
}

/** A coordinate with at most 7 decimals; NULL if the row has no point. */
export function degrees(column: "lon" | "lat"): string {
  return `CASE WHEN lon IS NOT NULL AND lat IS NOT NULL THEN "~${column}" END`;
}

/** Part of a FIPS code; NULL for a county outside the United States. */
export function fips(sql: string): string {
  return `CASE WHEN country = 'US' THEN ${words(sql)} END`;
}

/** A text about the owner; NULL if the source withholds owners. */
export function published(column: string): string {
  return `CASE WHEN owner_withheld IS NOT TRUE THEN ${words(column)} END`;
}

/** A part of a value whose kind is known; NULL for any other. */
export function valuePart(column: "land_value" | "building_value"): string {
  return `CASE WHEN value_kind IS NOT NULL THEN ${money(column)} END`;
}

/** The kind of the parts, which stands beside them always. */
export const valuePartsKind = `CASE WHEN coalesce(land_value, building_value) IS NOT NULL THEN ${words("value_kind")} END`;

/** House number with its fraction: `123 1/2`. */
export const houseNumber = words("situs_number || coalesce(' ' || situs_fraction, '')");

/** True for a unit of several parts, each with its designator: `BLDG 3 UNIT 12`. */
const hasSeveralParts = `(situs_unit_type IS NULL AND regexp_full_match(situs_unit, '${severalParts.source}'))`;

/** Columns that several members use, by name. They are computed once; `~line` uses `~unit`. */
export const sharedTexts: readonly (readonly [name: string, sql: string])[] = [
  [
    '"~unit"',
    `CASE WHEN situs_unit IS NULL THEN situs_unit_type WHEN ${hasSeveralParts} THEN situs_unit
  ELSE coalesce(situs_unit_type, '#') || ' ' || situs_unit END`,
  ],
  [
    '"~line"',
    `CASE WHEN situs_name IS NOT NULL THEN concat_ws(' ', ${printedNumber()}, ${[
      "situs_fraction",
      "situs_pre",
      "situs_name",
      "situs_type",
      "situs_post",
      '"~unit"',
    ]
      .map((part) => `nullif(${part}, '')`)
      .join(", ")}) END`,
  ],
  ['"~lon"', decimals("lon", 7)],
  ['"~lat"', decimals("lat", 7)],
];

/** `APT 1005`; a unit without designator as `# 302`, one of several parts as `BLDG 3 UNIT 12`. */
export const unit = words('"~unit"');

/** `1005`; of several parts `3 12`. */
export const unitStripped = words(
  `CASE WHEN ${hasSeveralParts} THEN regexp_replace(situs_unit, '${valuedPart.source}', '\\1', 'g') ELSE situs_unit END`,
);

/** Number, street and unit in one normalised line (`177 OCEAN LANE DR APT 302`); NULL if there is no street name. */
export const addressLine = words('"~line"');

/** The line with city, state and ZIP (`12500 FM 1826, AUSTIN, TX 78737`); NULL if there is no street name. */
export const addressWithPlace = `CASE WHEN "~line" IS NOT NULL
  THEN to_json(concat_ws(', ', nullif("~line", ''), nullif(city, ''), concat_ws(' ', state, nullif(zip, '')))) END`;

const squareFeetPerAcre = 43_560;

/** Minimum difference between stated and measured acres, as a share of the stated ones, at which answers show both. */
export const shownAreaDifference = 0.05;

/** The outline's acres if they contradict the stated ones. An outline shared by several parcels says nothing about one of them. */
export const otherAcres = `CASE WHEN acres_basis IN ('deeded', 'assessed') AND abs(geom_acres - acres) > ${shownAreaDifference} * acres
  AND NOT coalesce(list_contains(flags, 'shared_outline'), false) THEN ${decimals("geom_acres", 4)} END`;

/** Cleaning codes that answers include. */
export const statedFlagsText = list(
  `list_filter(flags, lambda code: code IN (${statedFlags.map((code) => `'${code}'`).join(", ")}))`,
);

/** Published square feet, or else those computed from the acres. */
export const squareFeet = decimals(`coalesce(land_area_sqft, acres * ${squareFeetPerAcre})`, 0);

export const acresBasis = `CASE WHEN acres IS NOT NULL THEN ${words("acres_basis")} END`;

export const residential =
  "CASE WHEN land_use_category IS NOT NULL THEN (land_use_category = 'residential')::VARCHAR END";

const landUseMembers = {
  codeSystem: words("use_code_system"),
  code: words("use_code"),
  description: words("use_description"),
  method: words("coalesce(land_use_method, 'none')"),
  confidence: `CASE WHEN land_use_category IS NOT NULL THEN ${narrow("land_use_confidence", 4)} END`,
  isVacantLand: wholeText("is_vacant_land"),
};

/** The rule that classified the published use; NULL if nothing is published. */
export const landUse = `CASE WHEN coalesce(use_code, use_description) IS NOT NULL
  THEN '{' || ${membersSql(Object.entries(landUseMembers))} || '}' END`;

const amounts = [
  "transfer_price",
  "assessed_value",
  "CASE WHEN value_kind IS NOT NULL THEN coalesce(land_value, building_value) END",
  "market_land_value",
  "market_building_value",
  "market_value",
  "taxable_value",
  "use_value",
  "tax_amount",
];

/** The currency, if the record has an amount of money. */
export const currency = `CASE WHEN coalesce(${amounts.join(", ")}) IS NOT NULL THEN ${words("currency")} END`;

/** `@`, which stands for the GeoJSON point of the two members before it, longitude and latitude. */
export const pointMark = "CASE WHEN lon IS NOT NULL AND lat IS NOT NULL THEN '@' END";

export const pointMethod = `CASE WHEN lon IS NOT NULL AND lat IS NOT NULL THEN ${words("point_method")} END`;

/** The non-NULL members of a JSON object, comma-separated. */
export function membersSql(members: readonly (readonly [name: string, json: string])[]): string {
  return `concat_ws(',', ${members.map(([name, json]) => `'"${name}":' || ${json}`).join(", ")})`;
}

/** The house number as printed in an address line, with the end of its range if there is one (`120-124`). */
function printedNumber(): string {
  return `nullif(CASE WHEN situs_number_hi IS DISTINCT FROM situs_number_lo
    AND situs_number_hi > try_cast(regexp_extract(situs_number, '^\\s*([-+]?[0-9]+)', 1) AS BIGINT)
    THEN situs_number || '-' || situs_number_hi ELSE situs_number END, '')`;
}

/** Strips trailing zeros, and then a trailing point, from a decimal text. */
function withoutZeros(sql: string): string {
  return `rtrim(rtrim(${sql}, '0'), '.')`;
}
