import type {AreaBasis, ParcelSource} from "../../schemas/parcel-source.ts";
import type {ColumnTaker} from "./column-taker.ts";

type Area = ParcelSource["area"];
type Unit = "acres" | "sqft";
type Candidate = {readonly name: string; readonly basis: AreaBasis; readonly unit: Unit};

const sqftPerAcre = 43_560;
/** Acres that no county's middle parcel has, and square feet that no county's middle lot stays below. */
const mostAcres = 1500;

/** The roles of areas in order of preference, with the unit that the name says. */
const roles: readonly (readonly [string, AreaBasis, Unit | null])[] = [
  ["area_deeded_acres", "deeded", "acres"],
  ["area_acres", "assessed", "acres"],
  ["area_sqft", "assessed", "sqft"],
  ["area_any", "assessed", null],
  ["area_computed_acres", "computed", "acres"],
  ["area_any_computed", "computed", null],
];

/**
 * Proposes the area: declared before computed, in the unit that the name says unless the values say another. A name without
 * a unit takes that of its values or of a column beside it, and is left out when neither tells.
 */
export function proposedArea(taker: ColumnTaker, outlineAcres: readonly (number | null)[] = []): Area {
  const found = roles.flatMap(([role, basis, unit]) =>
    taker
      .free(role)
      .slice(0, 1)
      .map((name) => ({name, basis, said: unit})),
  );
  const unitColumns = taker.free("area_unit");
  const perRow = found.filter(({said}) => said === null);
  if (unitColumns.length > 0 && perRow.length > 0 && found[0]?.said === null) {
    const names = perRow.slice(0, unitColumns.length);
    taker.claim(...names.map(({name}) => name), ...unitColumns.slice(0, names.length));
    return {
      from: single(names.map(({name}) => name)),
      unit: "perRow",
      unitFrom: single(unitColumns.slice(0, names.length)),
      basis: single(names.map(({basis}) => basis)),
    };
  }
  const known = found.flatMap(({name, basis, said}): Candidate[] => {
    const unit = unitOf(name, said, {taker, outlineAcres});
    return unit === null ? [] : [{name, basis, unit}];
  });
  const [best] = known;
  if (best === undefined) return undefined;
  const all = known.filter(({unit}) => unit === best.unit);
  taker.claim(...all.map(({name}) => name));
  return {
    from: single(all.map(({name}) => name)),
    unit: best.unit,
    basis: single(all.map(({basis}) => basis)),
  };
}

type Evidence = {readonly taker: ColumnTaker; readonly outlineAcres: readonly (number | null)[]};

/** The unit of a column: what its values say, else its name; null when neither does, and for texts. */
function unitOf(name: string, said: Unit | null, {taker, outlineAcres}: Evidence): Unit | null {
  const values = taker.values(name);
  if (values.filled.length < 5) return said;
  const {numbers, median} = values;
  if (values.share((cell) => Number.isNaN(Number(cell.replaceAll(",", "")))) > 0.1) return null;
  if (median === null) return said;
  const ratios = outlineAcres
    .flatMap((acres, i) => (acres !== null && acres > 0 && numbers[i]! > 0 ? [numbers[i]! / acres] : []))
    .sort((a, b) => a - b);
  const ratio = ratios[Math.floor(ratios.length / 2)];
  if (ratio !== undefined && ratios.length >= 5) {
    if (ratio > 0.5 && ratio < 2) return "acres";
    if (ratio > 0.5 * sqftPerAcre && ratio < 2 * sqftPerAcre) return "sqft";
    return null;
  }
  if (median > mostAcres) return said === "acres" && median < 2 * mostAcres ? said : "sqft";
  if (said !== null) return said === "sqft" && median < 20 ? null : said;
  return median < 100 && values.share((cell) => /\.\d/.test(cell)) > 0.3 ? "acres" : null;
}

function single<T>(items: readonly T[]): T | T[] {
  return items.length === 1 ? items[0]! : [...items];
}
