import {type AreaUnit, squareFeetPerAcre, toAcres} from "./area.ts";

/** Where an area comes from, best first. */
export type AreaBasis = "deeded" | "assessed" | "computed";

/** An area as a source states it; value and unit as published. */
export type StatedArea = {
  readonly basis: AreaBasis;
  readonly value: number | null;
  readonly unit: AreaUnit | null;
};

/** The area served, both figures from one basis, and the cleaning codes (docs/design/parcels.md sections 5 and 5.4). */
export type ChosenArea = {
  /** Acres, four decimals. */
  readonly acres: number | null;
  /** Square feet, integer. */
  readonly landAreaSqft: number | null;
  readonly basis: AreaBasis | null;
  readonly codes: readonly ("area_unit_unknown" | "area_mismatch" | "area_implausible")[];
};

const order: readonly AreaBasis[] = ["deeded", "assessed", "computed"];
const largestAcres = 1_500_000;
const mismatchShare = 0.1;

/**
 * Chooses the deeded, then the assessed, then the computed area. `geodesicAcres` is measured on the outline: where a
 * stated area differs from it by more than 10 %, `area_mismatch` is among the codes. Square feet that the source gives
 * itself for the chosen basis are kept as they are.
 */
export function chooseArea(stated: readonly StatedArea[], geodesicAcres: number | null = null): ChosenArea {
  const unknown = stated.some(({value, unit}) => value !== null && value > 0 && unit === null);
  const codes: ChosenArea["codes"][number][] = unknown ? ["area_unit_unknown"] : [];
  const found = order.flatMap((basis) => readBasis(stated, {basis, geodesicAcres})).at(0);
  if (found === undefined) return {acres: null, landAreaSqft: null, basis: null, codes};
  if (found.acres > largestAcres)
    return {acres: null, landAreaSqft: null, basis: null, codes: [...codes, "area_implausible"]};
  if (found.basis !== "computed" && differs(found.acres, geodesicAcres)) codes.push("area_mismatch");
  const landAreaSqft = Math.round(found.sqft ?? found.acres * squareFeetPerAcre);
  return {acres: rounded(found.acres), landAreaSqft, basis: found.basis, codes};
}

type Found = {basis: AreaBasis; acres: number; sqft: number | null};

function readBasis(
  stated: readonly StatedArea[],
  {basis, geodesicAcres}: {basis: AreaBasis; geodesicAcres: number | null},
): Found[] {
  const read = stated
    .filter((area) => area.basis === basis && area.value !== null && area.unit !== null)
    .map(({value, unit}) => ({unit, value, acres: toAcres(value!, unit!)}))
    .filter((area) => area.acres !== null);
  const acres = read.find((area) => area.unit !== "sqft")?.acres ?? read.at(0)?.acres ?? null;
  const sqft = read.find((area) => area.unit === "sqft")?.value ?? null;
  if (acres !== null) return [{basis, acres, sqft}];
  const computed = basis === "computed" && geodesicAcres !== null && geodesicAcres > 0;
  return computed ? [{basis, acres: geodesicAcres, sqft: null}] : [];
}

function differs(acres: number, geodesicAcres: number | null): boolean {
  if (geodesicAcres === null || geodesicAcres <= 0) return false;
  return Math.abs(acres - geodesicAcres) / Math.max(acres, geodesicAcres) > mismatchShare;
}

function rounded(acres: number): number {
  return Math.round(acres * 10_000) / 10_000;
}
