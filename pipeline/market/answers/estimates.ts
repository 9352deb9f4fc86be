import {type County, counties} from "../../../lib/geography/counties.ts";
import {distanceMiles, type Point, roundedMiles} from "../../../lib/geography/distance.ts";
import type {Database} from "../../../lib/sql/duckdb.ts";
import {type Aggregate, aggregateWindows} from "./aggregates.ts";
import {estimate} from "./bounds.ts";

/** A venue's own pooled price of one cell, near a county. */
type Contributor = {venueId: string; miles: number; row: Aggregate; widened: boolean};

/** An estimate for one county and cell, from at most three contributors, nearest first. */
export type Estimate = {
  county: County;
  contributors: Contributor[];
  price: number;
  low: number;
  high: number;
};

/**
 * Inverse-distance estimate: `P = sum(p / d^2) / sum(1 / d^2)` with distances below 10 miles taken as 10.
 * Throws a RangeError without contributors.
 */
export function inverseDistance(contributors: readonly {miles: number; price: number}[]): {
  price: number;
  low: number;
  high: number;
} {
  if (contributors.length === 0) throw new RangeError("An estimate needs at least one contributor.");
  let weights = 0;
  let weighted = 0;
  for (const {miles, price} of contributors) {
    const weight = 1 / Math.max(miles, estimate.floorMiles) ** 2;
    weights += weight;
    weighted += weight * price;
  }
  const prices = contributors.map(({price}) => price);
  return {price: weighted / weights, low: Math.min(...prices), high: Math.max(...prices)};
}

/**
 * Estimates of headline cells for every county without an observation of its own, from the up to three nearest located
 * venues with a non-thin cell within 150 miles. Ordered by cell, then county. `observed` holds `<county>|<cell>`.
 */
export async function makeEstimates(
  db: Database,
  venuePoints: ReadonlyMap<string, Point>,
  observed: ReadonlySet<string>,
): Promise<Estimate[]> {
  const markets = await venueCells(db, venuePoints);
  const near = nearVenues(venuePoints);
  const estimates: Estimate[] = [];
  for (const [cell, byVenue] of [...markets].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const county of counties()) {
      if (observed.has(`${county.fips}|${cell}`)) continue;
      const contributors = near(county)
        .flatMap(({venueId, miles}) => {
          const found = byVenue.get(venueId);
          return found === undefined ? [] : [{venueId, miles, ...found}];
        })
        .slice(0, estimate.venues);
      if (contributors.length === 0) continue;
      const prices = contributors.map(({miles, row}) => ({miles, price: row.price ?? 0}));
      estimates.push({county, contributors, ...inverseDistance(prices)});
    }
  }
  return estimates;
}

type VenueCell = {row: Aggregate; widened: boolean};

/** Non-thin headline cells of located venues, by cell and venue. */
async function venueCells(
  db: Database,
  venuePoints: ReadonlyMap<string, Point>,
): Promise<Map<string, Map<string, VenueCell>>> {
  const where = "report_scope = 'venue' AND report_program = 'voluntary' AND venue_id IS NOT NULL";
  const headlines = {cells: "(SELECT * FROM cells WHERE headline)"};
  const cells = new Map<string, Map<string, VenueCell>>();
  for (const found of await aggregateWindows(db, ["venue_id"], where, headlines)) {
    const {row} = found;
    if (row.thin || row.price === null || !venuePoints.has(row.venue_id)) continue;
    const byVenue = cells.get(row.cell_id) ?? new Map<string, VenueCell>();
    cells.set(row.cell_id, byVenue.set(row.venue_id, found));
  }
  return cells;
}

/**
 * Venues within reach of a county's internal point, nearest first, equal distances by id; a county is measured only once.
 */
function nearVenues(venuePoints: ReadonlyMap<string, Point>) {
  const known = new Map<string, {venueId: string; miles: number}[]>();
  return (county: County) => {
    const before = known.get(county.fips);
    if (before !== undefined) return before;
    const near = [...venuePoints]
      .map(([venueId, point]) => ({venueId, miles: distanceMiles(county.point, point)}))
      .filter(({miles}) => miles <= estimate.maxMiles)
      .map(({venueId, miles}) => ({venueId, miles: roundedMiles(miles)}))
      .sort((a, b) => a.miles - b.miles || (a.venueId < b.venueId ? -1 : 1));
    known.set(county.fips, near);
    return near;
  };
}
