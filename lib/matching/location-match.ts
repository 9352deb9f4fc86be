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
  const near = needed <= 0 ? [] : nearest(found.near, needed);
  const {total, unclassified, beforeUse, states} = found;
  return {
    hits: [...holding, ...near].slice(question.offset, question.offset + question.limit),
    total,
    unclassified,
    beforeUse,
    states: [...states].sort(),
  };
}

type Found = {
  holding: LocationHit[];
  near: LocationHit[];
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
      (contains ? found.holding : found.near).push({
        set,
        row,
        miles: Math.round(miles * 1000) / 1000,
        contains,
      });
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

/** The first `count` hits: those beyond the distance of the last one needed are left out before the rest is sorted. */
function nearest(hits: readonly LocationHit[], count: number): LocationHit[] {
  if (hits.length <= count) return [...hits].sort(compareHits);
  const distances = Float64Array.from(hits, ({miles}) => miles).sort();
  const last = distances[count - 1]!;
  return hits.filter(({miles}) => miles <= last).sort(compareHits);
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
