import {readFileSync} from "node:fs";
import {createRequire} from "node:module";

/** A file of the us-atlas package (TopoJSON, Census edition of 2017): outlines are made of shared arcs, whose points are steps on a grid. */
export type Atlas = {
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly transform: {
    readonly scale: readonly [number, number];
    readonly translate: readonly [number, number];
  };
  readonly objects: Readonly<Record<"counties" | "states", {readonly geometries: readonly AtlasShape[]}>>;
};

/** An outline, as the numbers of its arcs; `~number` is an arc backwards. */
export type AtlasShape = {readonly id: string; readonly properties: {readonly name: string}} & (
  | {readonly type: "Polygon"; readonly arcs: readonly (readonly number[])[]}
  | {readonly type: "MultiPolygon"; readonly arcs: readonly (readonly (readonly number[])[])[]}
);

/** Reads the file with degrees, or the one that is projected to a map of 975 by 610 units. */
export function readAtlas(file: "counties-10m" | "counties-albers-10m"): Atlas {
  const path = createRequire(import.meta.url).resolve(`us-atlas/${file}.json`);
  return JSON.parse(readFileSync(path, "utf8")) as Atlas;
}

/** The polygons of an outline, each as its rings, as GeoJSON has them: a ring ends where it begins, and has four points at least. */
export function polygonsOf(atlas: Atlas, shape: AtlasShape): number[][][][] {
  const polygons = shape.type === "Polygon" ? [shape.arcs] : shape.arcs;
  return polygons.map((rings) => rings.map((ring) => ringOf(atlas, ring)));
}

function ringOf(atlas: Atlas, arcs: readonly number[]): number[][] {
  const points = arcs.flatMap((number, at) => {
    const each = arcPoints(atlas, number < 0 ? ~number : number);
    // An arc begins with the last point of the one before.
    return (number < 0 ? each.reverse() : each).slice(at === 0 ? 0 : 1);
  });
  while (points.length < 4) points.push(points[0]!);
  return points;
}

/** The points of an arc. */
function arcPoints({arcs, transform: {scale, translate}}: Atlas, number: number): number[][] {
  let [x, y] = [0, 0];
  return arcs[number]!.map(([right, down]) => {
    x += right;
    y += down;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}
