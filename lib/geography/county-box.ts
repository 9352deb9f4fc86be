import {polygonsOf, readAtlas} from "./atlas.ts";
import {landOfNewer} from "./newer-counties.ts";
import {stateOf} from "./states.ts";

/** A bounding box in degrees. */
type DegreeBox = {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};

/**
 * Extent of Manitoba: 49 to 60 degrees north, between Saskatchewan and Ontario (Natural Resources Canada,
 * Atlas of Canada).
 */
const manitoba: DegreeBox = {west: -102.05, south: 48.95, east: -88.9, north: 60.05};

let loaded: {counties: Map<string, DegreeBox>; states: Map<string, DegreeBox>} | undefined;

/**
 * The bounding box of a county (Census edition of 2017, 1:10 M), for a newer county that of the counties in which it has land, and for a
 * municipality of Manitoba that of the province; undefined for an unknown key.
 */
export function countyBox(countyKey: string): DegreeBox | undefined {
  if (countyKey.startsWith("MB")) return manitoba;
  const {counties} = load();
  const ofLand = landOfNewer(countyKey).flatMap((key) => counties.get(key) ?? []);
  return counties.get(countyKey) ?? ofLand.reduce<DegreeBox | undefined>(merged, undefined);
}

const kmPerDegree = 111.2;

/** True for a point within the box of a county and 1 km around it; false for an unknown key. */
export function isNearCounty({lon, lat}: {lon: number; lat: number}, countyKey: string): boolean {
  const box = countyBox(countyKey);
  if (box === undefined) return false;
  const [high, wide] = [1 / kmPerDegree, 1 / (kmPerDegree * Math.cos((lat * Math.PI) / 180))];
  const inside = lat >= box.south - high && lat <= box.north + high;
  return inside && lon >= box.west - wide && lon <= box.east + wide;
}

/** The bounding box of a state or province by its two letters; undefined for an unknown one. */
export function stateBox(state: string): DegreeBox | undefined {
  return state === "MB" ? manitoba : load().states.get(state);
}

function load() {
  loaded ??= readBoxes();
  return loaded;
}

function readBoxes() {
  const counties = new Map<string, DegreeBox>();
  const states = new Map<string, DegreeBox>();
  for (const {fips, polygons} of countyFeatures()) {
    const box = boxOf(polygons);
    const state = stateOf(fips.slice(0, 2))?.state ?? "";
    counties.set(fips, box);
    states.set(state, merged(states.get(state), box));
  }
  return {counties, states};
}

/**
 * The counties of the Census edition of 2017 from us-atlas. Each call reads the file again, so callers keep
 * what they derive.
 */
export function countyFeatures(): {fips: string; name: string; polygons: number[][][][]}[] {
  const atlas = readAtlas("counties-10m");
  return atlas.objects.counties.geometries.map((county) => ({
    fips: county.id,
    name: county.properties.name,
    polygons: polygonsOf(atlas, county),
  }));
}

function boxOf(polygons: readonly number[][][][]): DegreeBox {
  const xs = polygons.flatMap((polygon) => polygon[0]!.map((position) => position[0]!));
  const ys = polygons.flatMap((polygon) => polygon[0]!.map((position) => position[1]!));
  const lowest = (values: number[]) => values.reduce((a, b) => Math.min(a, b));
  const highest = (values: number[]) => values.reduce((a, b) => Math.max(a, b));
  return {west: lowest(xs), south: lowest(ys), east: highest(xs), north: highest(ys)};
}

function merged(a: DegreeBox | undefined, b: DegreeBox): DegreeBox {
  if (a === undefined) return b;
  return {
    west: Math.min(a.west, b.west),
    south: Math.min(a.south, b.south),
    east: Math.max(a.east, b.east),
    north: Math.max(a.north, b.north),
  };
}
