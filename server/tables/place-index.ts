import {distanceMiles, type Point} from "@open-cattle/parcel-outlines";
import {around} from "geokdbush";
import KDBush from "kdbush";
import {roundedMiles} from "../../lib/geography/distance-band.ts";
import type {Keyed, LatestKey} from "./record-tables.ts";

/** Rows at one place, such as those of a county or of a venue. */
export type Located<Row> = {readonly point: Point; readonly rows: readonly Row[]};
/** Chosen rows of a place, with its rounded miles. */
export type NearRows<Row> = {readonly rows: readonly Row[]; readonly miles: number};

type Wanted<Group, Row> = {
  miles: number;
  test: ((row: Row) => boolean) | null;
  accept?: (group: Group) => boolean;
};

const firstCount = 32;
const growth = 4;
/** The k-d tree orders by another earth radius and formula than ours; the two differ by less than a metre. */
const marginMiles = 0.001;

/** A k-d tree of places on the sphere with their rows, for nearest-neighbour queries. */
export class PlaceIndex<Group extends Located<Row>, Row> {
  readonly #groups: readonly Group[];
  readonly #tree: KDBush;

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
    this.#tree = new KDBush(groups.length, 16);
    for (const {point} of groups) this.#tree.add(point.lon, point.lat);
    this.#tree.finish();
  }

  /**
   * Yields the accepted places within a distance, nearest first; those at the same rounded distance come in the order given. With a test,
   * only matching rows, and only places that have any. Stopping early saves searching the rest.
   */
  *within(from: Point, {miles: maxMiles, test, accept}: Wanted<Group, Row>): Generator<NearRows<Row>> {
    for (const {group, miles} of this.#byDistance(from, accept)) {
      if (miles > maxMiles) return;
      const rows = test === null ? group.rows : group.rows.filter(test);
      if (rows.length > 0) yield {rows, miles};
    }
  }

  *#byDistance(from: Point, accept?: (group: Group) => boolean) {
    let placeCount = 0;
    for (let count = firstCount; ; count *= growth) {
      const nearest = this.#nearest(from, count, accept);
      const isAll = nearest.length < count;
      const farthest = Math.max(...nearest.map(({exact}) => exact));
      // There may be more places at the greatest distance; leave it to the next, wider search.
      const open = isAll ? Number.POSITIVE_INFINITY : roundedMiles(farthest - marginMiles);
      const complete = nearest.filter(({miles}) => miles < open);
      yield* complete.slice(placeCount);
      if (isAll) return;
      placeCount = complete.length;
    }
  }

  #nearest(from: Point, count: number, accept: (group: Group) => boolean = () => true) {
    const found = around(this.#tree, from.lon, from.lat, count, undefined, (at) => accept(this.#groups[at]!));
    return found
      .map((at) => {
        const group = this.#groups[at]!;
        const exact = distanceMiles(from, group.point);
        return {at, group, exact, miles: roundedMiles(exact)};
      })
      .sort((a, b) => a.miles - b.miles || a.at - b.at);
  }
}

type LatestRow = Keyed<LatestKey>;
type Limits = {miles: number; venues: number; test: ((row: LatestRow) => boolean) | null};

/** The located venues of a build, each with the rows of its latest sales, most important first. */
export class VenuesNear {
  readonly #index: PlaceIndex<Located<LatestRow>, LatestRow>;

  /** `keys` must be in answer order, which breaks ties between equally distant venues. */
  constructor(keys: readonly LatestRow[]) {
    const ofVenues = keys.filter(({isTrade}) => !isTrade);
    const venues = [...Map.groupBy(ofVenues, ({venueId}) => venueId).values()].flatMap((rows) => {
      const [{point}] = rows as [LatestRow];
      return point === null ? [] : [{point, rows: rows.toSorted((a, b) => a.importance - b.importance)}];
    });
    this.#index = new PlaceIndex(venues);
  }

  /** Returns all rows of the nearest venues with their rounded miles, limited by venue count and distance; with a test, only matching rows. */
  nearest(from: Point, {venues, ...wanted}: Limits): {key: LatestRow; miles: number}[] {
    const chosen = [...this.#index.within(from, wanted).take(venues)];
    return chosen.flatMap(({rows, miles}) => rows.map((key) => ({key, miles})));
  }
}
