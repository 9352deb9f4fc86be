import type {ColumnClaims} from "./column-claims.ts";
import type {
  AreaBasis,
  AreaProposal,
  DateForm,
  FieldSpec,
  SourceColumn,
  ValueKinds,
} from "./field-proposal.ts";

type Unit = "acres" | "sqft" | "ha" | "text";
type Candidate = {readonly name: string; readonly basis: AreaBasis; readonly unit: Unit};

const sqftPerAcre = 43_560;
const acresInHectares = 0.4046856;
/** No county's median parcel has more acres than this, or fewer square feet. */
const maxMedianAcres = 1500;

/** Area roles in order of preference, with the unit that the name implies. */
const roles: readonly (readonly [string, AreaBasis, Unit | null])[] = [
  ["area_deeded_acres", "deeded", "acres"],
  ["area_acres", "assessed", "acres"],
  ["area_sqft", "assessed", "sqft"],
  ["area_any", "assessed", null],
  ["area_computed_acres", "computed", "acres"],
  ["area_ha", "computed", "ha"],
  ["area_any_computed", "computed", null],
];

type Evidence = {readonly claims: ColumnClaims; readonly outlineAcres: readonly (number | null)[]};

const dateFormats: readonly (readonly [DateForm, RegExp])[] = [
  ["ymd", /^(?:(?:19|20)\d{6}|\d{4}[-/]\d{1,2}[-/]\d{1,2})(?:\.0+|(?:,? |T).*)?$/],
  ["mdy", /^\d{1,2}[-/]\d{1,2}[-/]\d{4}(?:(?:,? |T).*)?$/],
  ["longDate", /^(?:[A-Za-z]+\.? +\d{1,2},? +\d{4}|\d{1,2}[- ]+[A-Za-z]{3,}[- ]+\d{4})(?:(?:,? |T).*)?$/],
  ["epochMs", /^-?\d{9,14}(?:\.0+)?$/],
];

type Kind = "assessed" | "market";
type Parts = {land: string | null; building: string | null; kind: Kind | null};

/** The money columns of a table: specs by column, and the kind of each value. */
export type ProposedValues = {readonly fields: Record<string, FieldSpec>; readonly values?: ValueKinds};

const spec = (from: string): FieldSpec => ({from, transform: ["money"]});

/**
 * Proposes the values. A total of unnamed kind is the assessed value, or the market value next to a lower
 * assessed one. Land and building values are those of the assessed value where the table has them; if their
 * kind is unnamed, they take that of the total to which they add up.
 */
export function proposedValues(claims: ColumnClaims): ProposedValues {
  const totals = {
    assessed_value: claims.take("assessed_value"),
    market_value: claims.take("market_value"),
    taxable_value: claims.take("taxable_value"),
    use_value: claims.take("use_value"),
  };
  const parts = takeParts(claims);
  const plain = claims.take("total_value") ?? (parts.length > 0 ? claims.take("total_bare") : null);
  if (plain !== null) {
    if (totals.assessed_value === null) totals.assessed_value = plain;
    else if (totals.market_value === null && isAtLeast(claims, plain, totals.assessed_value))
      totals.market_value = plain;
  }
  const best = parts.find(({kind}) => kind === "assessed" && totals.assessed_value !== null) ?? parts[0];
  const fields: Record<string, FieldSpec> = {};
  const kinds: ValueKinds = {};
  for (const [column, name] of Object.entries(totals)) {
    if (name === null) continue;
    fields[column] = spec(name);
    kinds[column as keyof typeof totals] = column.replace("_value", "") as
      | "assessed"
      | "market"
      | "taxable"
      | "use";
  }
  if (best !== undefined) {
    const kind = best.kind ?? kindOf(best, totals, claims);
    for (const [column, name] of [
      ["land_value", best.land],
      ["building_value", best.building],
    ] as const) {
      if (name === null) continue;
      fields[column] = spec(name);
      kinds[column] = kind;
    }
  }
  const market = best?.kind === "assessed" ? parts.find(({kind}) => kind === "market") : undefined;
  if (market !== undefined && market.land !== null) fields["market_land_value"] = spec(market.land);
  if (market !== undefined && market.building !== null)
    fields["market_building_value"] = spec(market.building);
  return Object.keys(fields).length === 0 ? {fields} : {fields, values: {...kinds, zeroMeans: "unknown"}};
}

/** The land and building value pairs in the table, those with a named kind first. */
function takeParts(claims: ColumnClaims): Parts[] {
  const pairs: Parts[] = [
    {land: claims.take("land_assessed"), building: claims.take("building_assessed"), kind: "assessed"},
    {land: claims.take("land_market"), building: claims.take("building_market"), kind: "market"},
    {land: claims.take("land_value"), building: claims.take("building_value"), kind: null},
  ];
  const filledPairs = pairs.filter(({land, building}) => land !== null || building !== null);
  const [plain] = filledPairs.filter(({kind}) => kind === null);
  const [open] = filledPairs.filter(
    ({kind, land, building}) => kind !== null && (land === null) !== (building === null),
  );
  // One of two parts is printed with its kind and the other without (`LANDMKTVAL`, `IMPVAL`).
  if (open !== undefined && plain !== undefined && (open.land === null) !== (plain.land === null))
    return [{land: open.land ?? plain.land, building: open.building ?? plain.building, kind: open.kind}];
  if (filledPairs.length > 0)
    return filledPairs.map((pair) => ({...pair, building: pair.building ?? bareBuilding(pair, claims)}));
  const [land] = claims.unclaimed("land_bare");
  const [building] = claims.unclaimed("building_bare");
  if (land === undefined || building === undefined) return [];
  claims.claim(land, building);
  return [{land, building, kind: null}];
}

/** A vaguely named building column that accompanies a land value (`LAND_VAL`, `IMPROVEMENTS`). */
function bareBuilding({kind}: Parts, claims: ColumnClaims): string | null {
  return kind === null ? claims.take("building_bare") : null;
}

function isAtLeast(claims: ColumnClaims, more: string, less: string): boolean {
  const lower = claims.values(less).numbers;
  const pairs = claims.values(more).numbers.map((each, i) => [each, lower[i]!] as const);
  const known = pairs.filter(([a, b]) => a >= 0 && b >= 0);
  return known.filter(([a, b]) => a >= b).length >= known.length * 0.9;
}

/**
 * The kind of the total to which the parts add up; if neither matches, market when that is the only total,
 * else assessed.
 */
function kindOf({land, building}: Parts, totals: Record<string, string | null>, claims: ColumnClaims): Kind {
  for (const kind of ["assessed", "market"] as const) {
    const total = totals[`${kind}_value`];
    if (total === null || total === undefined || land === null || building === null) continue;
    if (addUp(claims, [land, building], total)) return kind;
  }
  return totals.market_value !== null && totals.assessed_value === null ? "market" : "assessed";
}

function addUp(claims: ColumnClaims, parts: readonly string[], total: string): boolean {
  const columns = parts.map((name) => claims.values(name).numbers);
  const sums = claims
    .values(total)
    .numbers.map((sum, i) => [sum, columns.reduce((all, each) => all + (each[i] || 0), 0)]);
  const known = sums.filter(([sum]) => sum! > 0);
  return (
    known.length >= 5 &&
    known.filter(([sum, all]) => Math.abs(sum! - all!) <= sum! * 0.01).length >= known.length * 0.8
  );
}

/**
 * The transform for a column's dates: by its type, or else by the format of most of its cells; null when
 * neither decides.
 */
export function proposedDate({type, samples = []}: SourceColumn): DateForm | null {
  if (type === "esriFieldTypeDate") return "epochMs";
  if (type === "esriFieldTypeDateOnly") return "ymd";
  const cells = samples.map((cell) => cell.trim()).filter((cell) => cell !== "");
  const counted = dateFormats.map(([name, pattern]) => ({
    name,
    fits: cells.filter((cell) => pattern.test(cell)).length,
  }));
  const best = counted.reduce((most, next) => (next.fits > most.fits ? next : most));
  return best.fits * 2 > cells.length ? best.name : null;
}

/**
 * Proposes the area: declared before computed, in the unit that the name implies unless the values contradict
 * it. A name without a unit takes the unit of its values or of a unit column; if neither decides, the column
 * is left out.
 */
export function proposedArea(
  claims: ColumnClaims,
  outlineAcres: readonly (number | null)[] = [],
): AreaProposal | undefined {
  const areas = roles.flatMap(([role, basis, unit]) =>
    claims
      .unclaimed(role)
      .slice(0, 1)
      .map((name) => ({name, basis, said: unit})),
  );
  const unitColumns = claims.unclaimed("area_unit");
  const perRow = areas.filter(({said}) => said === null);
  if (unitColumns.length > 0 && areas[0]?.said === null) {
    const names = perRow.slice(0, unitColumns.length);
    claims.claim(...names.map(({name}) => name), ...unitColumns.slice(0, names.length));
    return {
      from: single(names.map(({name}) => name)),
      unit: "perRow",
      unitFrom: single(unitColumns.slice(0, names.length)),
      basis: single(names.map(({basis}) => basis)),
    };
  }
  const candidates = areas.flatMap(({name, basis, said}): Candidate[] => {
    const unit = unitOf(name, said, {claims, outlineAcres});
    return unit === null ? [] : [{name, basis, unit}];
  });
  const [best] = candidates;
  if (best === undefined) return undefined;
  const all = candidates.filter(({unit}) => unit === best.unit);
  claims.claim(...all.map(({name}) => name));
  return {
    from: single(all.map(({name}) => name)),
    unit: best.unit,
    basis: single(all.map(({basis}) => basis)),
  };
}

/**
 * The unit of a column, from its values or else its name; `text` for numbers printed with a unit, null when
 * undecided.
 */
function unitOf(name: string, statedUnit: Unit | null, {claims, outlineAcres}: Evidence): Unit | null {
  const values = claims.values(name);
  if (values.filled.length < 5) return statedUnit;
  const {numbers, median} = values;
  if (values.share((cell) => Number.isNaN(Number(cell.replaceAll(",", "")))) > 0.1)
    return values.share((cell) => /^[\d,]*\.?\d+ ?[A-Za-z]/.test(cell)) >= 0.9 ? "text" : null;
  if (median === null) return statedUnit;
  const ratios = outlineAcres
    .flatMap((acres, i) => (acres !== null && acres > 0 && numbers[i]! > 0 ? [numbers[i]! / acres] : []))
    .sort((a, b) => a - b);
  const ratio = ratios[Math.floor(ratios.length / 2)];
  if (ratio !== undefined && ratios.length >= 5) {
    if (statedUnit === "ha")
      return ratio > 0.5 * acresInHectares && ratio < 2 * acresInHectares ? statedUnit : null;
    if (ratio > 0.5 && ratio < 2) return "acres";
    if (ratio > 0.5 * sqftPerAcre && ratio < 2 * sqftPerAcre) return "sqft";
    return null;
  }
  if (statedUnit === "ha") return statedUnit;
  if (median > maxMedianAcres)
    return statedUnit === "acres" && median < 2 * maxMedianAcres ? statedUnit : "sqft";
  if (statedUnit !== null) return statedUnit === "sqft" && median < 20 ? null : statedUnit;
  return median < 100 && values.share((cell) => /\.\d/.test(cell)) > 0.3 ? "acres" : null;
}

function single<T>(items: readonly T[]): T | T[] {
  return items.length === 1 ? items[0]! : [...items];
}
