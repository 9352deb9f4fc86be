import {distanceMiles, type Point, roundedMiles} from "../../lib/geography/distance.ts";
import type {CountyKey} from "./artifacts.ts";

type Row = CountyKey & {readonly row: number};

/** The price records of one county by cell, and the point from which its distance counts. */
export type CountyRows = {
  readonly fips: string;
  readonly state: string;
  readonly point: Point;
  readonly rows: readonly Row[];
};

/**
 * The counties that have a point, made once for a build so that a question measures counties and not records: `observed` with
 * their observations alone, `byFips` with estimates and empty records too.
 */
export type CountiesNear = {
  readonly observed: readonly CountyRows[];
  readonly byFips: ReadonlyMap<string, CountyRows>;
};

/** Records around a place, in the order of the answer, with rounded miles; `total` counts those before the limit. */
export type NearRows = {page: {key: Row; miles: number}[]; total: number; hasPrimary: boolean};

/** A county with its unrounded distance. */
type Near = {county: CountyRows; miles: number};
type Question = {from: Point; primaryFips: string | null; state: string | undefined; most: number};

/** Groups the records of a build by county. */
export function countiesNear(keys: readonly Row[]): CountiesNear {
  const byFips = new Map<string, CountyRows>();
  const observed: CountyRows[] = [];
  for (const [fips, rows] of Map.groupBy(keys, ({countyFips}) => countyFips)) {
    const [{state, point}] = rows as [Row];
    if (point === null) continue;
    const county = {fips, state, point, rows: rows.toSorted(byCell)};
    byFips.set(fips, county);
    const seen = county.rows.filter((row) => row.observed);
    if (seen.length > 0) observed.push({...county, rows: seen});
  }
  return {observed, byFips};
}

/**
 * The first `most` records around a point (`docs/design/market.md` section 9): the primary county's, whatever they are, then those with an
 * observation by rounded great-circle miles and cell. Counties equally far away are merged by cell. A state keeps those of its own.
 */
export function nearestRows(
  {observed, byFips}: CountiesNear,
  {from, primaryFips, state, most}: Question,
): NearRows {
  const own = primaryFips === null ? undefined : byFips.get(primaryFips);
  const primary = own !== undefined && (state === undefined || own.state === state) ? own : undefined;
  const others: Near[] = [];
  let total = primary?.rows.length ?? 0;
  for (const county of observed) {
    if (county.fips === primaryFips || (state !== undefined && county.state !== state)) continue;
    others.push({county, miles: distanceMiles(from, county.point)});
    total += county.rows.length;
  }
  others.sort((a, b) => a.miles - b.miles);
  const page = primary === undefined ? [] : withMiles(primary, from).slice(0, most);
  addNearest(page, others, most);
  return {page, total, hasPrimary: primary !== undefined};
}

function withMiles({rows, point}: CountyRows, from: Point): NearRows["page"] {
  const miles = roundedMiles(distanceMiles(from, point));
  return rows.map((key) => ({key, miles}));
}

/** Adds rows of counties that come nearest first, until the page is full; counties that share their rounded miles are ordered as one. */
function addNearest(page: NearRows["page"], counties: readonly Near[], most: number): void {
  let first = 0;
  while (first < counties.length && page.length < most) {
    const miles = roundedMiles(counties[first]!.miles);
    let end = first + 1;
    while (end < counties.length && roundedMiles(counties[end]!.miles) === miles) end++;
    const tied = counties.slice(first, end).flatMap(({county}) => county.rows);
    if (end - first > 1) tied.sort(byCell);
    for (const key of tied.slice(0, most - page.length)) page.push({key, miles});
    first = end;
  }
}

function byCell(a: Row, b: Row): number {
  if (a.cellId === b.cellId) return 0;
  return a.cellId < b.cellId ? -1 : 1;
}
