import type {Box} from "@open-cattle/mapped-index";
import {distanceMiles, nearbyMiles, nearbyMilesError, type Point} from "@open-cattle/parcel-outlines";
import type {ParcelSet} from "../parcel-set.ts";
import {largestRows, type SizeOrder} from "./largest-rows.ts";
import {
  countedRows,
  isHit,
  type OpenRangeCount,
  openRangeCounter,
  type UseQuestion,
  useTest,
} from "./use-filter.ts";

export type LocationQuestion = UseQuestion & {
  readonly point: Point;
  /** Miles; 0 finds only parcels whose outline contains the point. */
  readonly radiusMiles: number;
  /** False excludes parcels without a house number. */
  readonly withUnaddressed: boolean;
  /** By distance by default. */
  readonly sort?: "distance" | SizeOrder | undefined;
  readonly offset: number;
  readonly limit: number;
};

export type LocationHit = {
  readonly set: ParcelSet;
  readonly row: number;
  /** Miles to the parcel's point, 3 decimals. */
  readonly miles: number;
  readonly contains: boolean;
};

export type LocationPage = {
  readonly hits: readonly LocationHit[];
  /** Exact number of hits before paging. */
  readonly total: number;
  /** Rows that match except that their category is unknown. */
  readonly unclassified: number;
  /** Vacant land that may be open range and fits all but the category. */
  readonly openRange: OpenRangeCount;
  /** Hits before the category filter; 0 means that the county service may be queried. */
  readonly beforeUse: number;
  /** True when one of these hits may hold the point: its extent does. */
  readonly mayHold: boolean;
  /** States with hits before the category filter. */
  readonly states: readonly string[];
};

/** Degrees of latitude per mile, rounded up so that the box is never too small. */
const degreesPerMile = 360 / (2 * Math.PI * 3958.7613) + 1e-6;

/**
 * Finds parcels around a point: those that contain it first (smallest first), then by distance as shown, then
 * by `parcelUid`. Distance is great-circle to the parcel's point; the index is only a prefilter.
 */
export function findAround(sets: readonly ParcelSet[], question: LocationQuestion): LocationPage {
  const found: FoundAround = {
    holding: [],
    near: [],
    total: 0,
    unclassified: 0,
    openRange: {parcels: 0, acreUnits: 0},
    beforeUse: 0,
    mayHold: false,
    states: new Set(),
  };
  for (const set of sets) search(set, question, found);
  const {sort = "distance"} = question;
  const pageEnd = question.offset + question.limit;
  const {unclassified, openRange, beforeUse, mayHold, states} = found;
  const counts = {
    total: found.total + found.holding.length,
    unclassified,
    openRange,
    beforeUse,
    mayHold,
    states: [...states].sort(),
  };
  if (sort !== "distance") {
    return {
      hits: largestHits(found, sort, {pageEnd, point: question.point}).slice(question.offset),
      ...counts,
    };
  }
  const holding = found.holding.sort((a, b) => areaOf(a) - areaOf(b) || compareHits(a, b));
  const needed = pageEnd - holding.length;
  const near = needed <= 0 ? [] : nearest(found.near, needed, question.point).sort(compareHits);
  return {hits: [...holding, ...near].slice(question.offset, pageEnd), ...counts};
}

/** The first hits by acres or value, whether or not they contain the point. */
function largestHits(
  {holding, near}: FoundAround,
  order: SizeOrder,
  {pageEnd, point}: {pageEnd: number; point: Point},
): LocationHit[] {
  const lists = [...holding.map(({set, row}) => ({set, rows: [row]})), ...near];
  return largestRows(lists, order, pageEnd).map(([list, at]) => {
    const held = holding[list];
    if (held !== undefined) return held;
    const {set, rows, lats, lons} = near[list - holding.length]!;
    const miles = printedMiles(point, {lat: lats[at]!, lon: lons[at]!});
    return {set, row: rows[at]!, miles, contains: false};
  });
}

/**
 * Rows of a set that do not contain the point, with their points and their miles by `nearbyMiles`. Stored as
 * parallel arrays of numbers, because a mile around a town has thousands of rows.
 */
type NearRows = {
  readonly set: ParcelSet;
  readonly rows: number[];
  readonly lons: number[];
  readonly lats: number[];
  readonly roughMiles: number[];
};

type FoundAround = {
  holding: LocationHit[];
  near: NearRows[];
  /** Hits that do not contain the point. */
  total: number;
  unclassified: number;
  openRange: OpenRangeCount;
  beforeUse: number;
  mayHold: boolean;
  states: Set<string>;
};

function search(set: ParcelSet, question: LocationQuestion, found: FoundAround): void {
  const {points, outlines} = set;
  if (points === null) return;
  const {point, radiusMiles} = question;
  const isCounted = countedRows(set, null);
  const isAddressed = addressTest(set, question);
  const verdictOf = useTest(set, question);
  const countRange = openRangeCounter(set, found.openRange);
  const near: NearRows = {set, rows: [], lons: [], lats: [], roughMiles: []};
  const [lons, lats] = [set.parcels.number("lon"), set.parcels.number("lat")];
  const roughMilesTo = nearbyMiles(point);
  let [beforeUse, unclassified] = [0, 0];
  points.within(boxAround(point, radiusMiles), (row, minX, minY, maxX, maxY) => {
    if (!isCounted(row)) return false;
    // A box without extent is the parcel's point itself, so no column needs to be read.
    const isPoint = minX === maxX && minY === maxY;
    const lon = isPoint ? minX : (lons.at(row) ?? 0);
    const lat = isPoint ? minY : (lats.at(row) ?? 0);
    const roughMiles = roughMilesTo(lat, lon);
    const contains = outlines?.holds(row, point) ?? false;
    if (!contains && !isWithin({lat, lon, roughMiles}, question)) return false;
    if (!isAddressed(row)) return false;
    beforeUse += 1;
    found.mayHold ||=
      contains || (minX <= point.lon && point.lon <= maxX && minY <= point.lat && point.lat <= maxY);
    const verdict = verdictOf(row);
    if (verdict === "unclassified") unclassified += 1;
    if (verdict === "open_range") countRange(row);
    if (!isHit(verdict, question)) return false;
    if (contains) found.holding.push({set, row, miles: printedMiles(point, {lat, lon}), contains});
    else {
      near.rows.push(row);
      near.lons.push(lon);
      near.lats.push(lat);
      near.roughMiles.push(roughMiles);
    }
    // Returning true would make the index collect and sort the rows too.
    return false;
  });
  found.near.push(near);
  found.total += near.rows.length;
  found.beforeUse += beforeUse;
  found.unclassified += unclassified;
  if (beforeUse > 0) found.states.add(set.state);
}

/** True within the radius; rows too close to the edge for the approximate distance are measured exactly. */
function isWithin(
  {lat, lon, roughMiles}: Point & {roughMiles: number},
  {point, radiusMiles}: LocationQuestion,
): boolean {
  const doubt = radiusMiles * nearbyMilesError * 2;
  if (radiusMiles <= 0 || roughMiles > radiusMiles + doubt) return false;
  return roughMiles < radiusMiles - doubt || distanceMiles(point, {lat, lon}) <= radiusMiles;
}

/** Miles to the parcel's point, 3 decimals. */
function printedMiles(point: Point, served: Point): number {
  return Math.round(distanceMiles(point, served) * 1000) / 1000;
}

/** A test for rows with a house number. */
function addressTest({parcels}: ParcelSet, {withUnaddressed}: LocationQuestion): (row: number) => boolean {
  if (withUnaddressed) return () => true;
  const status = parcels.dictionary("situs_status");
  const numbered = status.values.indexOf("numbered");
  return (row) => status.codeAt(row) === numbered;
}

function boxAround({lat, lon}: Point, miles: number): Box {
  const high = miles * degreesPerMile;
  const edge = Math.min(89.9, Math.abs(lat) + high);
  const wide = Math.min(180, high / Math.cos((edge * Math.PI) / 180));
  return {minX: lon - wide, minY: lat - high, maxX: lon + wide, maxY: lat + high};
}

/**
 * The hits at most as far away as the `count`th one, in any order, including all that may tie with it,
 * because ties are broken by parcel number. Hits too close to call by the approximate distance are measured
 * exactly.
 */
function nearest(found: readonly NearRows[], count: number, point: Point): LocationHit[] {
  const last = smallest(
    found.map(({roughMiles}) => roughMiles),
    count,
  );
  const furthest = last * (1 + 3 * nearbyMilesError) + roundingMiles;
  return found.flatMap(({set, rows, lons, lats, roughMiles}) => {
    const hits: LocationHit[] = [];
    for (let i = 0; i < rows.length; i++) {
      if (roughMiles[i]! > furthest) continue;
      const miles = printedMiles(point, {lat: lats[i]!, lon: lons[i]!});
      hits.push({set, row: rows[i]!, miles, contains: false});
    }
    return hits;
  });
}

/** Rows whose distances differ by less than this may be shown with the same miles. */
const roundingMiles = 0.0011;

/** Up to this count an insertion into a sorted buffer is used; above it, sorting all numbers is faster. */
const shortPage = 64;

/** The `count`th smallest of all numbers; infinity when there are not that many. */
function smallest(lists: readonly (readonly number[])[], count: number): number {
  if (lists.reduce((sum, list) => sum + list.length, 0) <= count) return Number.POSITIVE_INFINITY;
  if (count > shortPage) return Float64Array.from(lists.flat()).sort()[count - 1]!;
  const nearest = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  for (const list of lists) {
    for (const value of list) {
      if (value >= nearest[count - 1]!) continue;
      let place = count - 1;
      for (; place > 0 && nearest[place - 1]! > value; place--) nearest[place] = nearest[place - 1]!;
      nearest[place] = value;
    }
  }
  return nearest[count - 1]!;
}

function compareHits(a: LocationHit, b: LocationHit): number {
  return a.miles - b.miles || compareText(uidOf(a), uidOf(b));
}

function areaOf({set, row}: LocationHit): number {
  const {parcels} = set;
  return parcels.number("geom_acres").at(row) ?? parcels.number("acres").at(row) ?? Number.POSITIVE_INFINITY;
}

function uidOf({set, row}: LocationHit): string {
  return set.parcels.text("parcel_uid").at(row) ?? "";
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
