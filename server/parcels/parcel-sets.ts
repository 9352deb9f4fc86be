import type {Point} from "@open-cattle/parcel-outlines";
import {stateBox} from "../../lib/geography/county-box.ts";
import {hasTown} from "../../lib/parcels/matching/known-places.ts";
import type {ParcelSet} from "../../lib/parcels/parcel-set.ts";
import {placeOf} from "../../lib/parcels/place/postal-places.ts";
import type {Generation} from "../generation/generation.ts";
import {Problem} from "../http/problem-document.ts";

/**
 * Returns the parcel sets to search, of one state or all: the build's and the delta's. Throws a 503 if a state of the build is damaged,
 * because its answer would be unknown.
 */
export function setsOf(generation: Generation, state: string | null): ParcelSet[] {
  const wanted = Object.keys(generation.manifest.states).filter((code) => state === null || code === state);
  if (wanted.some((code) => !generation.states.has(code))) throw damaged();
  return openSets(generation, state);
}

/** Returns every readable parcel set, of one state or all; damaged states are left out. */
export function openSets({states, delta}: Generation, state: string | null): ParcelSet[] {
  const built =
    state === null ? [...states.values()] : [states.get(state)].filter((set) => set !== undefined);
  if (delta === undefined) return built;
  return [...built.map((set) => delta.beside(set)), ...delta.sets(state)];
}

/** Returns the sets for a question about a place; a damaged state matters only if it may contain the place. */
export function setsNear(generation: Generation, {lat, lon}: Point, miles: number): ParcelSet[] {
  const margin = 0.1 + miles / 30;
  const concerned = (state: string) => {
    const box = stateBox(state);
    if (box === undefined) return true;
    const inside = lat >= box.south - margin && lat <= box.north + margin;
    return inside && lon >= box.west - margin && lon <= box.east + margin;
  };
  const missing = Object.keys(generation.manifest.states).filter((state) => !generation.states.has(state));
  if (missing.some(concerned)) throw damaged();
  return openSets(generation, null);
}

/** States of the build or the delta that have a town, sorted: a known place, or one that a parcel's address names. */
export function statesWithTown(generation: Generation, town: string): string[] {
  const having = openSets(generation, null).filter(
    (set) => placeOf(set.state, town) !== null || hasTown(set, town),
  );
  return [...new Set(having.map(({state}) => state))].sort();
}

function damaged(): Problem {
  return new Problem(
    "build-unavailable",
    "The data of a state that this question needs is not being served.",
  );
}
