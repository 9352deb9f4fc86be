import type {AreaBasis} from "../../../schemas/parcel-source.ts";
import {sqlName} from "../../sql/duckdb.ts";
import type {ConformEntry} from "./column-references.ts";

/** The mapped-table column that holds the cell of an area or unit. */
export function areaCell(name: string): string {
  return sqlName(`~area ${name}`);
}

/** SQL for a stated area: its acres, its square feet if stated in them, and whether its unit is unknown. */
type StatedArea = {acres: string; sqft: string; unitUnknown: string; basis: AreaBasis};

/** Larger than any ranch; a bigger area means that the unit was mistaken (`area_implausible`). */
export const largestAcres = 1_500_000;

/** A stated area that differs from the measured one by more than this share of it is a mismatch. */
export const areaTolerance = 0.1;

const preference: readonly AreaBasis[] = ["deeded", "assessed", "computed"];

/** The columns created by `areaColumns`. */
const areaColumnNames = [
  "~acres_stated",
  "~acres_stated_basis",
  "~sqft_stated",
  "~acres_computed",
  "~unit_unknown",
] as const;

/**
 * SQL columns of the stated areas: the best one by basis (deeded, assessed, computed) and then by entry
 * order, its basis, its square feet if that was the unit, the source's own computed area, and whether a unit
 * was not understood.
 */
export function areaColumns(entry: ConformEntry): string[] {
  const rankedAreas = statedAreas(entry).sort(
    (a, b) => preference.indexOf(a.basis) - preference.indexOf(b.basis),
  );
  const computed = rankedAreas.filter(({basis}) => basis === "computed").map(({acres}) => acres);
  const chosen = (part: (area: StatedArea) => string) =>
    rankedAreas.length === 0
      ? "NULL"
      : `CASE ${rankedAreas.map((area) => `WHEN ${area.acres} > 0 THEN ${part(area)}`).join(" ")} END`;
  const values = [
    `${chosen(({acres}) => acres)}::DOUBLE`,
    `${chosen(({basis}) => `'${basis}'`)}::VARCHAR`,
    `${chosen(({sqft}) => sqft)}::DOUBLE`,
    computed.length === 0
      ? "NULL::DOUBLE"
      : `coalesce(${computed.map((acres) => `nullif(${acres}, 0)`).join(", ")})`,
    rankedAreas.length === 0 ? "false" : rankedAreas.map(({unitUnknown}) => unitUnknown).join(" OR "),
  ];
  return values.map((sql, i) => `${sql} AS "${areaColumnNames[i]}"`);
}

function statedAreas({area, fields}: ConformEntry): StatedArea[] {
  const names = area === undefined ? [] : [area.from].flat();
  const units = area?.unitFrom === undefined ? [] : [area.unitFrom].flat();
  const bases = area?.basis === undefined ? [] : [area.basis].flat();
  const entryAreas = names.map((name, i) => {
    const unit = areaCell(units[i] ?? units[0] ?? name);
    return statedArea(areaCell(name), area!.unit, {unit, basis: bases[i] ?? bases[0] ?? basisOfName(name)});
  });
  // Areas in mapped columns rank after those of `area`.
  const mapped = [
    ...(fields.acres === undefined ? [] : [{...constantUnit('"acres"', "1.0"), basis: "assessed" as const}]),
    ...(fields.land_area_sqft === undefined
      ? []
      : [{...constantUnit('"land_area_sqft"', "(1.0 / 43560.0)"), basis: "assessed" as const}]),
  ];
  return [...entryAreas, ...mapped];
}

/**
 * Guesses the basis of an area from its name: a GIS measures, a deed states, any other area is the
 * assessor's.
 */
function basisOfName(name: string): AreaBasis {
  if (/gis|calc|comp|shape|geom|poly/i.test(name)) return "computed";
  return /deed|legal|lgl/i.test(name) ? "deeded" : "assessed";
}

function statedArea(
  cell: string,
  unit: string,
  {unit: unitCell, basis}: {unit: string; basis: AreaBasis},
): StatedArea {
  const number = `try_cast(number_text(null_number(${cell})) AS DOUBLE)`;
  switch (unit) {
    case "acres":
      return {...constantUnit(number, "1.0"), basis};
    case "sqft":
      return {...constantUnit(number, "(1.0 / 43560.0)"), basis};
    case "m2":
      return {...constantUnit(number, "(1.0 / 4046.8564224)"), basis};
    case "ha":
      return {...constantUnit(number, "2.4710538"), basis};
    case "text":
      return {...namedUnit(`area_number(${cell})`, `area_unit(${cell})`), basis};
    default:
      return {...namedUnit(number, `unit_name(${unitCell})`), basis};
  }
}

function constantUnit(number: string, acres: string): Omit<StatedArea, "basis"> {
  const sqft = acres === "(1.0 / 43560.0)" ? number : "NULL";
  return {acres: `(${number} * ${acres})`, sqft, unitUnknown: "false"};
}

const feet = "FEET|FOOT|FT|F|FF|FRONT FEET";
const length = String.raw`(\d+(?:\.\d+)?)`;

/**
 * SQL for the feet along the street or deep that an entry's area cells print instead of an area (`14.44 FEET`, `30X204`); NULL for another
 * column, and where an area is no text.
 */
export function printedLength({area}: ConformEntry, column: string): string {
  if (area?.unit !== "text" || (column !== "frontage_ft" && column !== "depth_ft")) return "NULL::DOUBLE";
  const patterns =
    column === "depth_ft"
      ? [`^[0-9.]+ *X *${length}$`]
      : [`^${length} *X *[0-9.]+$`, `^${length} *(?:${feet})$`];
  const cells = [area.from]
    .flat()
    .flatMap((name) =>
      patterns.map(
        (pattern) => `try_cast(regexp_extract(trim(upper(${areaCell(name)})), '${pattern}', 1) AS DOUBLE)`,
      ),
    );
  return `coalesce(${cells.join(", ")}, NULL)`;
}

/**
 * SQL for an area whose unit is given as text. A unit of length (a frontage in feet) yields no area, but is
 * not an error.
 */
function namedUnit(number: string, unit: string): Omit<StatedArea, "basis"> {
  const factor = `unit_acres(${unit})`;
  const isLength = `regexp_full_match(coalesce(${unit}, ''), '${feet}|X *\\d.*')`;
  return {
    acres: `(${number} * ${factor})`,
    sqft: `CASE WHEN ${factor} = 1.0 / 43560.0 THEN ${number} END`,
    unitUnknown: `coalesce(CASE WHEN ${factor} IS NULL AND ${number} > 0 THEN NOT ${isLength} END, false)`,
  };
}
