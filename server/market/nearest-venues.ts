import type {Point} from "../../lib/geography/distance.ts";
import {PlaceIndex} from "./place-index.ts";
import type {Keyed, LatestKey} from "./record-tables.ts";

type LatestRow = Keyed<LatestKey>;
type LocatedVenue = {readonly point: Point; readonly rows: readonly LatestRow[]};

/** The venues of a build that have a point, each with the rows of its latest sales. */
export class VenuesNear {
  readonly #venues: readonly LocatedVenue[];
  readonly #index: PlaceIndex;

  /** Takes the rows in the order of the answer, which a venue's rows and venues equally far away keep. */
  constructor(keys: readonly LatestRow[]) {
    this.#venues = [...Map.groupBy(keys, ({venueId}) => venueId).values()].flatMap((rows) => {
      const [{point}] = rows as [LatestRow];
      return point === null ? [] : [{point, rows}];
    });
    this.#index = new PlaceIndex(this.#venues.map(({point}) => point));
  }

  /** All rows of the nearest venues with their rounded miles, of at most so many venues and at most so far away. */
  nearest(from: Point, most: {miles: number; venues: number}): {key: LatestRow; miles: number}[] {
    const chosen: {venue: LocatedVenue; miles: number}[] = [];
    for (const {miles, places} of this.#index.ringsAround(from)) {
      if (miles > most.miles || chosen.length >= most.venues) break;
      const inOrder = places.toSorted((a, b) => a - b);
      chosen.push(...inOrder.map((place) => ({venue: this.#venues[place]!, miles})));
    }
    return chosen.slice(0, most.venues).flatMap(({venue, miles}) => venue.rows.map((key) => ({key, miles})));
  }
}
