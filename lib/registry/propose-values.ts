import type {FieldSpec} from "../../schemas/field-map.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {ColumnTaker} from "./column-taker.ts";

type Kind = "assessed" | "market";
type Parts = {land: string | null; building: string | null; kind: Kind | null};
type Values = NonNullable<ParcelSource["values"]>;

/** The money of a table: specs by column, and the kind of each. */
export type ProposedValues = {readonly fields: Record<string, FieldSpec>; readonly values?: Values};

const spec = (from: string): FieldSpec => ({from, transform: ["money"]});

/**
 * Proposes the values. A total whose name has no kind is the assessed one, or the market value beside an assessed one that is
 * lower. Parts are those of the assessed value where the table has them; parts whose name has no kind have that of the total
 * that they add up to.
 */
export function proposedValues(taker: ColumnTaker): ProposedValues {
  const totals = {
    assessed_value: taker.take("assessed_value"),
    market_value: taker.take("market_value"),
    taxable_value: taker.take("taxable_value"),
    use_value: taker.take("use_value"),
  };
  const parts = takeParts(taker);
  const plain = taker.take("total_value") ?? (parts.length > 0 ? taker.take("total_bare") : null);
  if (plain !== null) {
    if (totals.assessed_value === null) totals.assessed_value = plain;
    else if (totals.market_value === null && isAtLeast(taker, plain, totals.assessed_value))
      totals.market_value = plain;
  }
  const best = parts.find(({kind}) => kind === "assessed" && totals.assessed_value !== null) ?? parts[0];
  const fields: Record<string, FieldSpec> = {};
  const kinds: Values = {};
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
    const kind = best.kind ?? kindOf(best, totals, taker);
    for (const [column, name] of [
      ["land_value", best.land],
      ["building_value", best.building],
    ] as const) {
      if (name === null) continue;
      fields[column] = spec(name);
      kinds[column] = kind;
    }
  }
  return Object.keys(fields).length === 0 ? {fields} : {fields, values: {...kinds, zeroMeans: "unknown"}};
}

/** The pairs of land and buildings that the table has, those with a kind in their names first. */
function takeParts(taker: ColumnTaker): Parts[] {
  const pairs: Parts[] = [
    {land: taker.take("land_assessed"), building: taker.take("building_assessed"), kind: "assessed"},
    {land: taker.take("land_market"), building: taker.take("building_market"), kind: "market"},
    {land: taker.take("land_value"), building: taker.take("building_value"), kind: null},
  ];
  const found = pairs.filter(({land, building}) => land !== null || building !== null);
  if (found.length > 0)
    return found.map((pair) => ({...pair, building: pair.building ?? bareBuilding(pair, taker)}));
  const [land] = taker.free("land_bare");
  const [building] = taker.free("building_bare");
  if (land === undefined || building === undefined) return [];
  taker.claim(land, building);
  return [{land, building, kind: null}];
}

/** Gives the column of buildings that is called so beside one of land (`LAND_VAL`, `IMPROVEMENTS`). */
function bareBuilding({kind}: Parts, taker: ColumnTaker): string | null {
  return kind === null ? taker.take("building_bare") : null;
}

function isAtLeast(taker: ColumnTaker, more: string, less: string): boolean {
  const lower = taker.values(less).numbers;
  const pairs = taker.values(more).numbers.map((each, i) => [each, lower[i]!] as const);
  const known = pairs.filter(([a, b]) => a >= 0 && b >= 0);
  return known.filter(([a, b]) => a >= b).length >= known.length * 0.9;
}

/** The kind of the total that parts add up to; by the names alone, the market value's when it is the only one. */
function kindOf({land, building}: Parts, totals: Record<string, string | null>, taker: ColumnTaker): Kind {
  for (const kind of ["assessed", "market"] as const) {
    const total = totals[`${kind}_value`];
    if (total === null || total === undefined || land === null || building === null) continue;
    if (addUp(taker, [land, building], total)) return kind;
  }
  return totals.market_value !== null && totals.assessed_value === null ? "market" : "assessed";
}

function addUp(taker: ColumnTaker, parts: readonly string[], total: string): boolean {
  const columns = parts.map((name) => taker.values(name).numbers);
  const sums = taker
    .values(total)
    .numbers.map((sum, i) => [sum, columns.reduce((all, each) => all + (each[i] || 0), 0)]);
  const known = sums.filter(([sum]) => sum! > 0);
  return (
    known.length >= 5 &&
    known.filter(([sum, all]) => Math.abs(sum! - all!) <= sum! * 0.01).length >= known.length * 0.8
  );
}
