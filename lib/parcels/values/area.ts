/** Square feet of an acre, square metres of an acre, acres of a hectare (docs/design/parcels.md section 5.4). */
export const squareFeetPerAcre = 43_560;
export const squareMetresPerAcre = 4046.8564224;
export const acresPerHectare = 2.4710538;

/** A unit that areas are published in. */
export type AreaUnit = "acres" | "sqft" | "m2" | "ha";

const unitWords: ReadonlyMap<string, AreaUnit> = new Map(
  Object.entries({
    acres: "A AC ACS ACRE ACRES",
    sqft: "S SF SQFT SQFEET SQUAREFEET SQUAREFOOT FT2 FTSQ SQFT2 SQ",
    m2: "M2 SQM SQMETERS SQMETRES SQUAREMETERS SQUAREMETRES SQMT",
    ha: "H HA HECTARE HECTARES",
  }).flatMap(([unit, words]) => words.split(" ").map((word) => [word, unit as AreaUnit] as const)),
);

/** The unit that a cell or a word names (`Acres`, `SQ FT`, `A`); null when it names none, such as FEET of frontage. */
export function areaUnit(text: string): AreaUnit | null {
  return unitWords.get(text.toUpperCase().replace(/[^A-Z0-9]/g, "")) ?? null;
}

/** An area in acres, not rounded; null for 0, negative or endless numbers, which say that it is not known. */
export function toAcres(value: number, unit: AreaUnit): number | null {
  if (!Number.isFinite(value) || value <= 0) return null;
  if (unit === "sqft") return value / squareFeetPerAcre;
  if (unit === "m2") return value / squareMetresPerAcre;
  return unit === "ha" ? value * acresPerHectare : value;
}

const areaText = /^([0-9][0-9,]{0,15}(?:\.[0-9]{1,12})?|\.[0-9]{1,12})\s{0,8}([A-Za-z][A-Za-z0-9. ]{0,20})$/;

/**
 * Reads an area with its unit from one text (`160 ACRES`, `1,234.50 ACRES`); null where there is no number, no unit, or a
 * unit of length: frontage is not an area.
 */
export function readAreaText(text: string): {value: number; unit: AreaUnit} | null {
  const parts = areaText.exec(text.trim().slice(0, 60));
  if (parts === null) return null;
  const unit = areaUnit(parts[2]!);
  const value = Number(parts[1]!.replaceAll(",", ""));
  return unit === null || !(value > 0) ? null : {value, unit};
}
