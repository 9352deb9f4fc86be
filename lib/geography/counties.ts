import {readFileSync} from "node:fs";
import {join} from "node:path";
import {
  earthRadiusMiles,
  middleOfWidestSpan,
  type Point,
  polygonHolds,
  type Ring,
  ringMoments,
} from "@open-cattle/parcel-outlines";
import Flatbush from "flatbush";
import {referenceDir} from "../paths.ts";
import {roundHalfAway} from "../rounding.ts";
import {countyFeatures} from "./county-box.ts";
import {stateOf} from "./states.ts";

/** A county or county-equivalent of the Census edition of 2017 (us-atlas, 1:10 M). */
export type County = {
  readonly fips: string;
  readonly state: string;
  /** The published name without suffix: `Pike`. */
  readonly name: string;
  /** The name with suffix: `Pike County`, `Acadia Parish`. */
  readonly fullName: string;
  /**
   * A point inside the county: the centroid of its largest polygon or, when that lies outside, the middle of
   * the widest span at its latitude.
   */
  readonly point: Point;
  /**
   * `2020` for the eight counties of Connecticut, which nine planning regions replaced in 2022; else null.
   */
  readonly vintage: string | null;
};

type Shape = {county: County; polygons: number[][][][]};
type Suffixes = {byState: Record<string, string>; byCounty: Record<string, string>};

let loaded:
  | {byFips: Map<string, County>; shapes: Shape[]; boxes: Flatbush; polygonOf: [number, number][]}
  | undefined;

/** All counties in FIPS order. The first call reads the table, which takes about a fifth of a second. */
export function counties(): County[] {
  return [...load().byFips.values()];
}

/**
 * The county of a 5-digit FIPS code; undefined when the edition of 2017 lacks it (Connecticut's planning
 * regions).
 */
export function countyOf(fips: string): County | undefined {
  return load().byFips.get(fips);
}

/** The area of each county's outline in square miles, inland water included, by FIPS code. */
export function countyAreas(): Map<string, number> {
  const sum = (polygons: number[][][][]) => polygons.reduce((total, rings) => total + squareMiles(rings), 0);
  return new Map(load().shapes.map(({county, polygons}) => [county.fips, sum(polygons)]));
}

/**
 * The county at a point; undefined at sea and abroad. Borders are drawn at 1:10 M, so within about a mile of
 * one the answer may be the neighbouring county.
 */
export function countyAt(point: Point): County | undefined {
  const {boxes, polygonOf, shapes} = load();
  const hits = boxes.search(point.lon, point.lat, point.lon, point.lat).sort((a, b) => a - b);
  for (const hit of hits) {
    const [shape, polygon] = polygonOf[hit]!;
    if (polygonHolds(shapes[shape]!.polygons[polygon]!, point.lon, point.lat)) return shapes[shape]!.county;
  }
  return undefined;
}

/**
 * The counties with a name, in FIPS order; without a state there may be several. Case, spaces, hyphens and
 * suffixes such as "County" or "Parish" do not matter: `de kalb` finds DeKalb.
 */
export function countiesNamed(name: string, state?: string): County[] {
  const wanted = foldedCountyName(name);
  return counties().filter(
    (county) =>
      (state === undefined || county.state === state) &&
      (foldedCountyName(county.name) === wanted || foldedCountyName(county.fullName) === wanted),
  );
}

/** Normalises a county name for comparison: `Ford Co.` as `Ford County`, `City of Richmond` as `Richmond city`. */
export function foldedCountyName(name: string): string {
  return plainCountyName(name, "$1")
    .replace(
      /[\s-]+(county|co|parish|borough|census area|municipality|city and borough|municipio|planning region)$/,
      "",
    )
    .replace(/^saint[\s-]+/, "st ")
    .replace(/[\s-]+/g, "");
}

/** Normalises a full name, with the word that tells a county from the city of its name: `Franklin Co.` as `Franklin County`. */
export function foldedFullName(name: string): string {
  return plainCountyName(name, "$1 county")
    .replace(/[\s-]+co$/, " county")
    .replace(/^saint[\s-]+/, "st ")
    .replace(/[^a-z0-9]+/g, "");
}

/** A name in small letters without accents, `City of Richmond` as `richmond city`, and `County of Ford` as `countyOf` says. */
function plainCountyName(name: string, countyOf: string): string {
  return name
    .normalize("NFKD")
    .replace(/[\u0300-\u036f.'’]/g, "")
    .toLowerCase()
    .trim()
    .replace(/^(?:city and )?county of\s+(.+)$/, countyOf)
    .replace(/^city of\s+(.+?)(?:\s+city)?$/, "$1 city");
}

/**
 * Of counties with one name, those whose full name a text has: `Franklin County` in Virginia is not the city of Franklin. All of them where
 * it has none of the full names.
 */
export function ofFullName<Of>(text: string, named: readonly Of[], fullName: (each: Of) => string): Of[] {
  const wanted = foldedFullName(text);
  const whole = named.filter((each) => foldedFullName(fullName(each)) === wanted);
  return whole.length > 0 ? whole : [...named];
}

function load() {
  loaded ??= readCounties();
  return loaded;
}

function readCounties() {
  const suffixes = JSON.parse(readFileSync(join(referenceDir, "county-suffixes.json"), "utf8")) as Suffixes;
  const shapes = countyFeatures()
    .map(({fips, name, polygons}) => ({county: countyFrom(fips, name, polygons, suffixes), polygons}))
    .sort((a, b) => (a.county.fips < b.county.fips ? -1 : 1));
  const polygonOf = shapes.flatMap(({polygons}, shape) =>
    polygons.map((_, i): [number, number] => [shape, i]),
  );
  return {
    byFips: new Map(shapes.map(({county}) => [county.fips, county])),
    shapes,
    polygonOf,
    boxes: boxesOf(polygonOf.map(([shape, polygon]) => shapes[shape]!.polygons[polygon]![0]!)),
  };
}

function countyFrom(fips: string, name: string, polygons: number[][][][], suffixes: Suffixes): County {
  const state = stateOf(fips.slice(0, 2))?.state ?? "";
  const independentCity = state === "VA" && fips >= "51500" ? "city" : undefined;
  const suffix = suffixes.byCounty[fips] ?? independentCity ?? suffixes.byState[state] ?? "County";
  return {
    fips,
    state,
    name,
    fullName: suffix === "" ? name : `${name} ${suffix}`,
    point: internalPoint(polygons),
    vintage: state === "CT" ? "2020" : null,
  };
}

function boxesOf(rings: number[][][]): Flatbush {
  const index = new Flatbush(rings.length);
  for (const ring of rings) {
    const xs = ring.map((position) => position[0]!);
    const ys = ring.map((position) => position[1]!);
    index.add(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  }
  index.finish();
  return index;
}

/**
 * A point inside a shape, with 5 decimals: the planar centroid of its largest polygon or, when that lies
 * outside (a crescent), the middle of the polygon's widest span at the centroid's latitude.
 */
export function internalPoint(polygons: readonly (readonly Ring[])[]): Point {
  const sized = polygons.map((rings) => ({rings, ...ringMoments(rings[0]!)}));
  const {rings, x, y} = sized.reduce((largest, next) =>
    Math.abs(next.area) > Math.abs(largest.area) ? next : largest,
  );
  const inside = polygonHolds(rings, x, y) ? x : middleOfWidestSpan(rings, y);
  return {lat: roundHalfAway(y, 5), lon: roundHalfAway(inside, 5)};
}

/** The area of a polygon without its holes in square miles, on a sphere of the earth's mean radius. */
function squareMiles(rings: readonly Ring[]): number {
  const [whole = 0, ...holes] = rings.map(ringSquareMiles);
  return holes.reduce((left, hole) => left - hole, whole);
}

function ringSquareMiles(ring: Ring): number {
  const radians = Math.PI / 180;
  let doubled = 0;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i] as [number, number];
    const [xj, yj] = ring[j] as [number, number];
    doubled += (xi - xj) * radians * (2 + Math.sin(yi * radians) + Math.sin(yj * radians));
  }
  return (Math.abs(doubled) * earthRadiusMiles ** 2) / 2;
}
