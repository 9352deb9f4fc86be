import {stateBox} from "../../lib/geography/county-box.ts";
import type {Point} from "../../lib/geography/distance.ts";
import type {ParcelSet} from "../../lib/parcels/artifacts.ts";
import {hasTown} from "../../lib/parcels/matching/known-places.ts";
import {placeOf} from "../../lib/parcels/place/places.ts";
import type {Generation} from "../generation/generation.ts";
import {Problem} from "../http/problem.ts";

/**
 * The parcels that a question is to be answered from, of one state or all: those of the build, and beside them those found since.
 * Throws the 503 where a state is in the build but damaged: what it would have answered is not known.
 */
export function setsOf(generation: Generation, state: string | null): ParcelSet[] {
  const wanted = Object.keys(generation.manifest.states).filter((code) => state === null || code === state);
  if (wanted.some((code) => !generation.states.has(code))) throw damaged();
  return openSets(generation, state);
}

/** Every parcel set that can be read, of one state or all; a damaged state is left out. */
export function openSets({states, delta}: Generation, state: string | null): ParcelSet[] {
  const built =
    state === null ? [...states.values()] : [states.get(state)].filter((set) => set !== undefined);
  if (delta === undefined) return built;
  return [...built.map((set) => delta.beside(set)), ...delta.sets(state)];
}

/** The states for a question about a place: a damaged one matters only where it may hold the place. */
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

/** States of the build or the delta that have a town: one of their parcels bears it, or it is a known place; sorted. */
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
