import {feature} from "topojson-client";
import type {GeometryCollection, Topology} from "topojson-specification";
import {expect, test} from "vitest";
import {type AtlasShape, polygonsOf, readAtlas} from "../../../lib/geography/atlas.ts";

test.each(["counties-10m", "counties-albers-10m"] as const)(
  "%s: every county and state has the points that topojson-client reads",
  (file) => {
    const atlas = readAtlas(file);
    const topology = atlas as unknown as Topology<Record<string, GeometryCollection>>;
    for (const kind of ["counties", "states"] as const) {
      const ours = atlas.objects[kind].geometries.map((shape: AtlasShape) => polygonsOf(atlas, shape));
      const theirs = feature(topology, topology.objects[kind]!).features.map(({geometry}) =>
        geometry.type === "Polygon"
          ? [geometry.coordinates]
          : "coordinates" in geometry && geometry.coordinates,
      );
      expect(ours.length).toBeGreaterThan(50);
      expect(ours).toEqual(theirs);
    }
  },
);
