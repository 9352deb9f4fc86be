import type {Point} from "../../lib/geography/distance.ts";
import {PlaceIndex} from "./place-index.ts";
import type {Keyed, LatestKey} from "./record-tables.ts";

type LatestRow = Keyed<LatestKey>;
type LocatedVenue = {readonly point: Point; readonly rows: readonly LatestRow[]};

type Most = {miles: number; venues: number; test: ((row: LatestRow) => boolean) | null};

/** The venues of a build that have a point, each with the rows of its latest sales, what matters first. */
export class VenuesNear {
  readonly #venues: readonly LocatedVenue[];
  readonly #index: PlaceIndex;

  /** Takes the rows in the order of the answer, which venues equally far away keep. */
  constructor(keys: readonly LatestRow[]) {
    const ofVenues = keys.filter(({isTrade}) => !isTrade);
    this.#venues = [...Map.groupBy(ofVenues, ({venueId}) => venueId).values()].flatMap((rows) => {
      const [{point}] = rows as [LatestRow];
      return point === null ? [] : [{point, rows: rows.toSorted((a, b) => a.importance - b.importance)}];
    });
    this.#index = new PlaceIndex(this.#venues.map(({point}) => point));
  }

  /**
   * All rows of the nearest venues with their rounded miles, of at most so many venues and at most so far away. With a test:
   * the rows that pass it, of venues that have any.
   */
  nearest(from: Point, {miles: mostMiles, venues, test}: Most): {key: LatestRow; miles: number}[] {
    const chosen: {rows: readonly LatestRow[]; miles: number}[] = [];
    for (const {miles, places} of this.#index.ringsAround(from)) {
      if (miles > mostMiles || chosen.length >= venues) break;
      for (const place of places.toSorted((a, b) => a - b)) {
        const all = this.#venues[place]!.rows;
        const rows = test === null ? all : all.filter(test);
        if (rows.length > 0) chosen.push({rows, miles});
      }
    }
    return chosen.slice(0, venues).flatMap(({rows, miles}) => rows.map((key) => ({key, miles})));
  }
}
