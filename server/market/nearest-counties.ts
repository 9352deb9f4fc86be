import {distanceMiles, type Point, roundedMiles} from "../../lib/geography/distance.ts";
import {PlaceIndex} from "./place-index.ts";
import type {CountyKey, Keyed} from "./record-tables.ts";

type CountyRow = Keyed<CountyKey>;

/** The price records of one county by cell, and the point from which its distance counts. */
type CountyRows = {
  readonly fips: string;
  readonly state: string;
  readonly point: Point;
  readonly rows: readonly CountyRow[];
};

/** Records around a place, in the order of the answer, with rounded miles; `total` counts those before the limit. */
type NearRows = {page: {key: CountyRow; miles: number}[]; total: number; hasPrimary: boolean};

type NearQuestion = {from: Point; primaryFips: string | null; state: string | undefined; most: number};

/** The counties of a build that have a point, with an index of those that have an observation. */
export class CountiesNear {
  /** All records of each county, with estimates and empty ones. */
  readonly #byFips = new Map<string, CountyRows>();
  /** The observations alone, of the counties that have any. */
  readonly #observed: CountyRows[] = [];
  readonly #observations = new Map<string, number>();
  readonly #index: PlaceIndex;
  #allObservations = 0;

  constructor(keys: readonly CountyRow[]) {
    for (const [fips, rows] of Map.groupBy(keys, ({countyFips}) => countyFips)) {
      const [{state, point}] = rows as [CountyRow];
      if (point !== null) this.#add({fips, state, point, rows: rows.toSorted(byCell)});
    }
    this.#index = new PlaceIndex(this.#observed.map(({point}) => point));
  }

  /**
   * The first `most` records around a point (`docs/design/market.md` section 9): all of the primary county, then the
   * observations of other counties by rounded miles and cell. With a state, those of its counties alone.
   */
  nearest({from, primaryFips, state, most}: NearQuestion): NearRows {
    const isWanted = (county: CountyRows) => state === undefined || county.state === state;
    const own = primaryFips === null ? undefined : this.#byFips.get(primaryFips);
    const primary = own !== undefined && isWanted(own) ? own : undefined;
    const page = primary === undefined ? [] : withMiles(primary, from).slice(0, most);
    const isOther = (place: number) => {
      const county = this.#observed[place]!;
      return county.fips !== primaryFips && isWanted(county);
    };
    if (page.length < most) this.#fill(page, most, this.#index.ringsAround(from, isOther));
    return {page, total: this.#total(primary, state), hasPrimary: primary !== undefined};
  }

  #add(county: CountyRows): void {
    const observations = county.rows.filter((row) => row.observed);
    this.#byFips.set(county.fips, county);
    if (observations.length === 0) return;
    this.#observed.push({...county, rows: observations});
    this.#observations.set(county.state, (this.#observations.get(county.state) ?? 0) + observations.length);
    this.#allObservations += observations.length;
  }

  /** Adds the rows of ring after ring until the page is full; the counties of one ring are ordered as one. */
  #fill(page: NearRows["page"], most: number, rings: ReturnType<PlaceIndex["ringsAround"]>): void {
    for (const {miles, places} of rings) {
      const rows = places.flatMap((place) => this.#observed[place]!.rows);
      if (places.length > 1) rows.sort(byCell);
      for (const key of rows.slice(0, most - page.length)) page.push({key, miles});
      if (page.length === most) return;
    }
  }

  /** The observations of a state or of all, and what the primary county has beside its observations. */
  #total(primary: CountyRows | undefined, state: string | undefined): number {
    const observations = state === undefined ? this.#allObservations : (this.#observations.get(state) ?? 0);
    const others = primary?.rows.filter((row) => !row.observed) ?? [];
    return observations + others.length;
  }
}

function withMiles({rows, point}: CountyRows, from: Point): NearRows["page"] {
  const miles = roundedMiles(distanceMiles(from, point));
  return rows.map((key) => ({key, miles}));
}

function byCell(a: CountyRow, b: CountyRow): number {
  if (a.cellId === b.cellId) return 0;
  return a.cellId < b.cellId ? -1 : 1;
}
