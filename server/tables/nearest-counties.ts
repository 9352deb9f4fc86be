import {distanceMiles, type Point} from "@open-cattle/parcel-outlines";
import {roundedMiles} from "../../lib/geography/distance-band.ts";
import {type Located, type NearRows, PlaceIndex} from "./place-index.ts";
import type {CountyKey, Keyed, KindTest} from "./record-tables.ts";

type CountyRow = Keyed<CountyKey>;

/** A county's price records, most important first, at the point that its distance is measured to. */
type CountyRows = Located<CountyRow> & {readonly fips: string; readonly state: string};

/** A page of the records around a place; `total` and `counties` cover all pages. */
type NearCounties = {
  page: {key: CountyRow; miles: number}[];
  total: number;
  counties: readonly NearRows<CountyRow>[];
  hasPrimary: boolean;
};

type NearQuestion = {
  from: Point;
  primaryFips: string | null;
  state: string | undefined;
  test: KindTest | null;
  maxMiles: number;
  page: {readonly limit: number; readonly offset: number};
};

/** The counties of a build that have a point, with a spatial index of those that have an observation. */
export class CountiesNear {
  /** All records of each county, estimates included. */
  readonly #byFips = new Map<string, CountyRows>();
  /** Observations only, for the counties that have any. */
  readonly #observed: PlaceIndex<CountyRows, CountyRow>;

  /** `keys` must be in answer order: by state and county, most important first. */
  constructor(keys: readonly CountyRow[]) {
    for (const [fips, rows] of Map.groupBy(keys, ({countyFips}) => countyFips)) {
      const [{state, point}] = rows as [CountyRow];
      if (point !== null) this.#byFips.set(fips, {fips, state, point, rows});
    }
    const observed = [...this.#byFips.values()].map((county) => ({
      ...county,
      rows: county.rows.filter((row) => row.observed),
    }));
    this.#observed = new PlaceIndex(observed.filter(({rows}) => rows.length > 0));
  }

  /**
   * Returns the records around a point (`docs/design/market.md` section 9): all of the primary county, then the observations of other
   * counties whose rounded miles are within reach, by distance, state and code. A state or a kind test filters them.
   */
  nearest({from, primaryFips, state, test, maxMiles, page}: NearQuestion): NearCounties {
    const isAsked = (county: CountyRows) => state === undefined || county.state === state;
    const county = this.#byFips.get(primaryFips ?? "");
    const rows = county !== undefined && isAsked(county) ? county.rows.filter(test ?? (() => true)) : [];
    const primary =
      rows.length === 0 ? [] : [{rows, miles: roundedMiles(distanceMiles(from, county!.point))}];
    const accept = (other: CountyRows) => other.fips !== primaryFips && isAsked(other);
    const counties = [...primary, ...this.#observed.within(from, {miles: maxMiles, test, accept})];
    return {...pageOfCounties(counties, page), counties, hasPrimary: primary.length > 0};
  }
}

function pageOfCounties(
  counties: readonly NearRows<CountyRow>[],
  {offset, limit}: NearQuestion["page"],
): Pick<NearCounties, "page" | "total"> {
  const page: NearCounties["page"] = [];
  let total = 0;
  for (const {rows, miles} of counties) {
    const first = Math.max(0, offset - total);
    const rest = limit - page.length;
    if (rest > 0) page.push(...rows.slice(first, first + rest).map((key) => ({key, miles})));
    total += rows.length;
  }
  return {page, total};
}
