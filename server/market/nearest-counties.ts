import {distanceMiles, type Point, roundedMiles} from "../../lib/geography/distance.ts";
import type {KindTest, Page} from "./parameters.ts";
import {PlaceIndex} from "./place-index.ts";
import type {CountyKey, Keyed} from "./record-tables.ts";

type CountyRow = Keyed<CountyKey>;

/** A county's price records, most important first, and the point that its distance is measured to. */
type CountyRows = {
  readonly fips: string;
  readonly state: string;
  readonly point: Point;
  readonly rows: readonly CountyRow[];
};

/** A county's matching records, with its rounded miles. */
type FittingRows = {readonly rows: readonly CountyRow[]; readonly miles: number};

/** A page of the records around a place; `total` and `counties` cover all pages. */
type NearRows = {
  page: {key: CountyRow; miles: number}[];
  total: number;
  counties: readonly FittingRows[];
  hasPrimary: boolean;
};

type NearQuestion = {
  from: Point;
  primaryFips: string | null;
  state: string | undefined;
  test: KindTest | null;
  maxMiles: number;
  page: Pick<Page, "limit" | "offset">;
};

/** The counties of a build that have a point, with a spatial index of those that have an observation. */
export class CountiesNear {
  /** All records of each county, estimates included. */
  readonly #byFips = new Map<string, CountyRows>();
  /** Observations only, for the counties that have any. */
  readonly #observed: CountyRows[] = [];
  readonly #index: PlaceIndex;

  /** `keys` must be in answer order: by state and county, most important first. */
  constructor(keys: readonly CountyRow[]) {
    for (const [fips, rows] of Map.groupBy(keys, ({countyFips}) => countyFips)) {
      const [{state, point}] = rows as [CountyRow];
      if (point !== null) this.#add({fips, state, point, rows});
    }
    this.#index = new PlaceIndex(this.#observed.map(({point}) => point));
  }

  /**
   * Returns the records around a point (`docs/design/market.md` section 9): all of the primary county, then the observations of other
   * counties whose rounded miles are within reach. A state or a kind test filters them.
   */
  nearest(question: NearQuestion): NearRows {
    const primary = this.#primaryRows(question);
    const counties = [...primary, ...this.#otherRows(question)];
    return {...pageOfCounties(counties, question.page), counties, hasPrimary: primary.length > 0};
  }

  #add(county: CountyRows): void {
    const observations = county.rows.filter((row) => row.observed);
    this.#byFips.set(county.fips, county);
    if (observations.length > 0) this.#observed.push({...county, rows: observations});
  }

  #primaryRows({from, primaryFips, state, test}: NearQuestion): FittingRows[] {
    const county = primaryFips === null ? undefined : this.#byFips.get(primaryFips);
    if (county === undefined || (state !== undefined && county.state !== state)) return [];
    return fitting([county], test, roundedMiles(distanceMiles(from, county.point)));
  }

  /** Counties by distance; those at the same rounded distance are ordered by state and code. */
  #otherRows({from, primaryFips, state, test, maxMiles}: NearQuestion): FittingRows[] {
    const isOther = (place: number) => {
      const county = this.#observed[place]!;
      return county.fips !== primaryFips && (state === undefined || county.state === state);
    };
    const found: FittingRows[] = [];
    for (const {miles, places} of this.#index.ringsAround(from, isOther)) {
      if (miles > maxMiles) break;
      const counties = places.toSorted((a, b) => a - b).map((place) => this.#observed[place]!);
      found.push(...fitting(counties, test, miles));
    }
    return found;
  }
}

function fitting(counties: readonly CountyRows[], test: KindTest | null, miles: number): FittingRows[] {
  return counties
    .map(({rows}) => ({rows: test === null ? rows : rows.filter(test), miles}))
    .filter(({rows}) => rows.length > 0);
}

function pageOfCounties(
  counties: readonly FittingRows[],
  {offset, limit}: NearQuestion["page"],
): Pick<NearRows, "page" | "total"> {
  const page: NearRows["page"] = [];
  let total = 0;
  for (const {rows, miles} of counties) {
    const first = Math.max(0, offset - total);
    const rest = limit - page.length;
    if (rest > 0) page.push(...rows.slice(first, first + rest).map((key) => ({key, miles})));
    total += rows.length;
  }
  return {page, total};
}
