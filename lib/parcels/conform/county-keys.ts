import {countiesNamed, countyAt, countyOf} from "../../geography/counties.ts";
import type {Point} from "../../geography/distance.ts";
import {stateOf} from "../../geography/states.ts";

/** The key and name of a row's county. */
export type RowCounty = {readonly countyKey: string; readonly countyName: string};

/** The area in which the county has to be. */
type CountyScope = {
  readonly country: "US" | "CA";
  readonly state: string;
  /** The keys that the entry covers, or "all" for the whole state. */
  readonly counties: "all" | readonly string[];
};

/**
 * Gives the county of a cell that holds its key, its number within the state, its name, or the place of the row. Null (`unknown_county`) for a
 * county that is not in the county table, not in the state or not covered, and for the name of two counties. In Manitoba
 * the municipality's number is the key (`601 - RM OF ALONSA`, `MB601`, `601`) and the rest of the cell its name.
 */
export function countyOfCell(cell: string, scope: CountyScope): RowCounty | null {
  const county = scope.country === "CA" ? municipality(cell, scope.state) : usCounty(cell, scope.state);
  if (county === null) return null;
  return scope.counties === "all" || scope.counties.includes(county.countyKey) ? county : null;
}

function usCounty(cell: string, state: string): RowCounty | null {
  const place = /^(-?\d+\.\d{3}) (-?\d+\.\d{3})$/.exec(cell);
  if (place !== null) return byPlace({lon: Number(place[1]), lat: Number(place[2])}, state);
  const text = cell.trim().replace(/\.0+$/, "");
  if (/^\d{1,5}$/.test(text)) return byNumber(text, state);
  const named = countiesNamed(text, state);
  const exact = named.filter((county) => plain(county.fullName) === plain(text));
  const [only, second] = exact.length === 1 ? exact : named;
  return only === undefined || second !== undefined
    ? null
    : {countyKey: only.fips, countyName: shortName(only.name)};
}

/** Finds the county that holds a place; none outside the state. */
function byPlace(point: Point, state: string): RowCounty | null {
  const county = countyAt(point);
  return county === undefined || county.state !== state
    ? null
    : {countyKey: county.fips, countyName: shortName(county.name)};
}

/** Finds a county by its digits: three or fewer count within the state, four are five that lost their zero. */
function byNumber(digits: string, state: string): RowCounty | null {
  const prefix = stateOf(state)?.fips ?? "";
  const key = digits.length <= 3 ? prefix + digits.padStart(3, "0") : digits.padStart(5, "0");
  const county = countyOf(key);
  return county === undefined || county.state !== state
    ? null
    : {countyKey: key, countyName: shortName(county.name)};
}

/**
 * Gives the form in which names are compared. An independent city beside a county of its name keeps its word "city" here;
 * the name that is shown has none.
 */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "");
}

function shortName(name: string): string {
  return name.normalize("NFC").toUpperCase();
}

function municipality(cell: string, state: string): RowCounty | null {
  const match = /^(?:[A-Z]{2})?\s*(\d{1,3})(?:\.0+)?(?:\s*[-–]\s*(.+))?$/i.exec(cell.trim());
  if (match === null) return null;
  const number = match[1]!.padStart(3, "0");
  return {
    countyKey: `${state}${number}`,
    countyName: shortName(match[2]?.trim() ?? `MUNICIPALITY ${number}`),
  };
}
