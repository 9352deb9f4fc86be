import {around} from "geokdbush";
import KDBush from "kdbush";
import {foldedCountyName} from "../../lib/geography/counties.ts";
import {distanceMiles, type Point, roundedMiles} from "../../lib/geography/distance.ts";
import type {BarnKey, Keyed, LatestKey} from "./record-tables.ts";

/** A question's venue filters; `codes` are the FIPS codes of its county. */
export type AskedVenues = {
  readonly state?: string | undefined;
  readonly county?: string | undefined;
  readonly venue?: string | undefined;
  readonly codes: readonly string[];
};

type LatestRow = Keyed<LatestKey>;
type LocatedVenue = {readonly point: Point; readonly rows: readonly LatestRow[]};

type Limits = {miles: number; venues: number; test: ((row: LatestRow) => boolean) | null};

/** The located venues of a build, each with the rows of its latest sales, most important first. */
export class VenuesNear {
  readonly #venues: readonly LocatedVenue[];
  readonly #index: PlaceIndex;

  /** `keys` must be in answer order, which breaks ties between equally distant venues. */
  constructor(keys: readonly LatestRow[]) {
    const ofVenues = keys.filter(({isTrade}) => !isTrade);
    this.#venues = [...Map.groupBy(ofVenues, ({venueId}) => venueId).values()].flatMap((rows) => {
      const [{point}] = rows as [LatestRow];
      return point === null ? [] : [{point, rows: rows.toSorted((a, b) => a.importance - b.importance)}];
    });
    this.#index = new PlaceIndex(this.#venues.map(({point}) => point));
  }

  /**
   * Returns all rows of the nearest venues with their rounded miles, limited by venue count and distance. With a test, only matching rows,
   * and only venues that have any.
   */
  nearest(from: Point, {miles: maxMiles, venues, test}: Limits): {key: LatestRow; miles: number}[] {
    const chosen: {rows: readonly LatestRow[]; miles: number}[] = [];
    for (const {miles, places} of this.#index.ringsAround(from)) {
      if (miles > maxMiles || chosen.length >= venues) break;
      for (const place of places.toSorted((a, b) => a - b)) {
        const all = this.#venues[place]!.rows;
        const rows = test === null ? all : all.filter(test);
        if (rows.length > 0) chosen.push({rows, miles});
      }
    }
    return chosen.slice(0, venues).flatMap(({rows, miles}) => rows.map((key) => ({key, miles})));
  }
}

/** Places at the same rounded distance, as indexes into the point list, by exact distance and then by index. */
export type Ring = {readonly miles: number; readonly places: readonly number[]};

/** A place with its exact and its rounded distance. */
type Measured = {readonly place: number; readonly exact: number; readonly miles: number};

const firstCount = 32;
const growth = 4;
/** The k-d tree orders by another earth radius and formula than ours; the two differ by less than a metre. */
const marginMiles = 0.001;

/** A k-d tree of points on the sphere, for nearest-neighbour queries. */
export class PlaceIndex {
  readonly #points: readonly Point[];
  readonly #tree: KDBush;

  constructor(points: readonly Point[]) {
    this.#points = points;
    this.#tree = new KDBush(points.length, 16);
    for (const {lon, lat} of points) this.#tree.add(lon, lat);
    this.#tree.finish();
  }

  /** Yields the accepted places ring by ring, nearest first; stopping early saves searching the rest. */
  *ringsAround(from: Point, accept?: (place: number) => boolean): Generator<Ring> {
    let given = 0;
    for (let count = firstCount; ; count *= growth) {
      const nearest = this.#nearest(from, count, accept);
      const isAll = nearest.length < count;
      // The last ring may be incomplete; leave it to the next, wider search.
      const open = isAll ? Number.POSITIVE_INFINITY : roundedMiles(nearest.at(-1)!.exact - marginMiles);
      const complete = nearest.filter(({miles}) => miles < open);
      yield* ringsOf(complete.slice(given));
      if (isAll) return;
      given = complete.length;
    }
  }

  #nearest(from: Point, count: number, accept?: (place: number) => boolean): Measured[] {
    return around(this.#tree, from.lon, from.lat, count, undefined, accept)
      .map((place) => {
        const exact = distanceMiles(from, this.#points[place]!);
        return {place, exact, miles: roundedMiles(exact)};
      })
      .sort((a, b) => a.exact - b.exact || a.place - b.place);
  }
}

function ringsOf(nearest: readonly Measured[]): Ring[] {
  const rings = Map.groupBy(nearest, ({miles}) => miles);
  return [...rings].map(([miles, ring]) => ({miles, places: ring.map(({place}) => place)}));
}

/**
 * True for a venue that matches the question's state, county and name. A county name also matches the venue's own county name, because its
 * code may be newer than the county table.
 */
export function isAskedVenue(key: BarnKey, {state, county, venue, codes}: AskedVenues): boolean {
  if (venue !== undefined && !isNamed(key, venue)) return false;
  if (state !== undefined && key.state !== state) return false;
  if (county === undefined) return true;
  if (key.countyFips !== null && codes.includes(key.countyFips)) return true;
  return !/^\d/.test(county) && foldedCountyName(key.countyName ?? "") === foldedCountyName(county);
}

/** Newest reported sale date among the venues that match a question, or null. */
export function lastSaleOf(keys: readonly BarnKey[], asked: AskedVenues): string | null {
  const days = keys.flatMap((key) => (isAskedVenue(key, asked) ? (key.lastSaleDate ?? []) : []));
  return days.sort().at(-1) ?? null;
}

/** True if `asked` is the barn's id, or if each of its words starts a word of the barn's name and town. */
function isNamed({venueId, venueName, city}: BarnKey, asked: string): boolean {
  if (venueId === asked.toLowerCase()) return true;
  const words = wordsOf(`${venueName} ${city}`);
  const wanted = wordsOf(asked);
  return wanted.length > 0 && wanted.every((word) => words.some((each) => each.startsWith(word)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
