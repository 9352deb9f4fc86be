import {describe, expect, it} from "vitest";
import type {Ring} from "../src/outline.ts";
import {repairOutline} from "../src/repair-outline.ts";
import {summarizeGeometry} from "../src/summarize.ts";
import {geometryFromWkt} from "../src/text-geometry.ts";
import {box} from "./box.ts";

// Outlines that once took minutes; now they would exceed the test's time limit.

it("ignores a number of a million digits in place of an outline's positions", () => {
  expect(summarizeGeometry(geometryFromWkt(`POLYGON ((${"1".repeat(1_000_000)}))`))).toBeNull();
});

describe("an outline that crosses itself", () => {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const closed = (ring: [number, number][]): Ring => [...ring, ring[0]!];

  it("everywhere is not repaired", () => {
    const ring = Array.from({length: 20_000}, (): [number, number] => [random(), random()]);
    expect(repairOutline([[closed(ring)]])).toBeNull();
  });

  it("here and there, in a thousand places, is repaired", () => {
    const teeth = Array.from({length: 2_000}, (_, i): [number, number] => [i + (i % 2) * 3, i % 2]);
    expect(repairOutline([[closed([...teeth, [2_000, -5], [0, -5]])]])).not.toBeNull();
  });

  it("or shares all its edges with its neighbours is repaired", () => {
    const grid = Array.from({length: 900}, (_, i) => [box(i % 30, Math.floor(i / 30), 1)]);
    expect(repairOutline(grid)).toHaveLength(1);
  });
});
