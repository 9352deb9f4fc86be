import {distanceMiles, type Point} from "../distance.ts";
import type {ParcelSet} from "../parcel-artifacts.ts";
import type {Box} from "../spatial-index.ts";
import {type UseQuestion, useTest} from "./use-filter.ts";

export type LocationQuestion = UseQuestion & {
  readonly point: Point;
  /** Miles; with 0 only parcels whose outline holds the point. */
  readonly radiusMiles: number;
  /** False leaves out parcels without a house number. */
  readonly withUnaddressed: boolean;
  readonly offset: number;
  readonly limit: number;
};

export type LocationHit = {
  readonly set: ParcelSet;
  readonly row: number;
  /** Miles to the served point, 3 decimals. */
  readonly miles: number;
  readonly contains: boolean;
};

export type LocationPage = {
  readonly hits: readonly LocationHit[];
  /** Exact number of hits before paging. */
  readonly total: number;
  /** Rows that fit but for having no category. */
  readonly unclassified: number;
  /** Hits before the category filter: none means that the county may be asked. */
  readonly beforeUse: number;
  /** States with such hits. */
  readonly states: readonly string[];
};

/** Degrees of latitude per mile, a hair more than on the sphere of the distances: the box may be too large, never too small. */
const degreesPerMile = 360 / (2 * Math.PI * 3958.7613) + 1e-6;

/**
 * Parcels around a point: those that hold it first (smallest first), then by distance as printed, then by `parcelUid`. Distance is
 * great-circle to the served point; the index is a prefilter only.
 */
export function findAround(sets: readonly ParcelSet[], question: LocationQuestion): LocationPage {
  const found: Found = {holding: [], near: [], total: 0, unclassified: 0, beforeUse: 0, states: new Set()};
  for (const set of sets) search(set, question, found);
  const holding = found.holding.sort((a, b) => areaOf(a) - areaOf(b) || compareHits(a, b));
  const needed = question.offset + question.limit - holding.length;
  const near = needed <= 0 ? [] : nearest(found.near, needed).sort(compareHits);
  const {total, unclassified, beforeUse, states} = found;
  return {
    hits: [...holding, ...near].slice(question.offset, question.offset + question.limit),
    total,
    unclassified,
    beforeUse,
    states: [...states].sort(),
  };
}

/** Rows of a set that do not hold the point, with their miles: plain numbers, because a mile of a town has thousands of them. */
type NearRows = {readonly set: ParcelSet; readonly rows: number[]; readonly miles: number[]};

type Found = {
  holding: LocationHit[];
  near: NearRows[];
  total: number;
  unclassified: number;
  beforeUse: number;
  states: Set<string>;
};

function search(set: ParcelSet, question: LocationQuestion, found: Found): void {
  const {points, outlines, parcels} = set;
  if (points === null) return;
  const {point, radiusMiles} = question;
  const [lon, lat] = [parcels.number("lon"), parcels.number("lat")];
  const isAddressed = addressTest(set, question);
  const verdictOf = useTest(set, question);
  const near: NearRows = {set, rows: [], miles: []};
  found.near.push(near);
  points.within(boxAround(point, radiusMiles), (row) => {
    const miles = distanceMiles(point, {lat: lat.at(row) ?? 0, lon: lon.at(row) ?? 0});
    const contains = outlines?.holds(row, point) ?? false;
    const inside = contains || (radiusMiles > 0 && miles <= radiusMiles);
    if (!inside || !isAddressed(row)) return false;
    found.beforeUse += 1;
    found.states.add(set.state);
    const verdict = verdictOf(row);
    if (verdict === "unclassified") found.unclassified += 1;
    if (verdict === "kept") {
      found.total += 1;
      const printed = Math.round(miles * 1000) / 1000;
      if (contains) found.holding.push({set, row, miles: printed, contains});
      else {
        near.rows.push(row);
        near.miles.push(printed);
      }
    }
    // Nothing is collected by the index itself: it would be sorted there once more.
    return false;
  });
}

/** A row is addressed when it has a house number. */
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

/** Hits as near as the `count`th or nearer, in any order: equal distances are for the order of the numbers to decide. */
function nearest(found: readonly NearRows[], count: number): LocationHit[] {
  const last = smallest(
    found.map(({miles}) => miles),
    count,
  );
  return found.flatMap(({set, rows, miles}) => {
    const hits: LocationHit[] = [];
    for (let i = 0; i < rows.length; i++) {
      if (miles[i]! <= last) hits.push({set, row: rows[i]!, miles: miles[i]!, contains: false});
    }
    return hits;
  });
}

/** Pages up to this are kept in order while reading; a sort of all pays only for longer ones. */
const shortPage = 64;

/** The `count`th smallest of all numbers; infinity where there are not so many. */
function smallest(lists: readonly (readonly number[])[], count: number): number {
  if (lists.reduce((sum, list) => sum + list.length, 0) <= count) return Number.POSITIVE_INFINITY;
  if (count > shortPage) return Float64Array.from(lists.flat()).sort()[count - 1]!;
  const kept = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  for (const list of lists) {
    for (const value of list) {
      if (value >= kept[count - 1]!) continue;
      let place = count - 1;
      for (; place > 0 && kept[place - 1]! > value; place--) kept[place] = kept[place - 1]!;
      kept[place] = value;
    }
  }
  return kept[count - 1]!;
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
