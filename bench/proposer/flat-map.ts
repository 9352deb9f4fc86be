import type {ParcelSource} from "../../schemas/parcel-source.ts";

/** The source columns of each role of an entry, in the entry's order. */
export type FlatMap = ReadonlyMap<string, readonly string[]>;

/** Flattens an entry's map: roles are columns of the row, or parts of the entry outside its field map. */
export function flatMap(
  entry: Pick<ParcelSource, "ids" | "fields" | "area" | "use" | "vintage"> & {
    coverage?: ParcelSource["coverage"];
  },
): FlatMap {
  const {ids, fields, area, use, vintage} = entry;
  const year = vintage.find((rule) => typeof rule === "object" && "rollYear" in rule);
  const row = vintage.find((rule) => typeof rule === "object" && "row" in rule);
  const roles: [string, unknown][] = [
    ["parcel_id", "none" in ids ? [] : ids.raw],
    ["alt_id", "none" in ids ? [] : ids.alt],
    ["parent_id", "none" in ids ? [] : ids.parent],
    ["area", area?.from],
    ["use_code", use?.codeFrom],
    ["use_description", use?.descriptionFrom],
    ["use_systems", use?.systems],
    ["roll_year", typeof year === "object" && "rollYear" in year ? year.rollYear : []],
    ["row_date", typeof row === "object" && "row" in row ? row.row : []],
    ...Object.entries(fields).map(([column, spec]): [string, unknown] => [column, spec]),
  ];
  const flat = new Map<string, readonly string[]>();
  for (const [role, spec] of roles) {
    const names = [...new Set([...(flat.get(role) ?? []), ...namesIn(spec)])];
    if (names.length > 0) flat.set(role, names);
  }
  return flat;
}

function namesIn(spec: unknown): string[] {
  if (spec === undefined || spec === null) return [];
  if (Array.isArray(spec)) return spec.flatMap(namesIn);
  if (typeof spec === "object") return namesIn((spec as {from?: unknown}).from);
  return [String(spec)];
}
