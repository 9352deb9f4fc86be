import {stateBox} from "../../lib/county-box.ts";
import type {Point} from "../../lib/distance.ts";
import {hasTown} from "../../lib/matching/known-places.ts";
import type {StateArtifacts} from "../../lib/parcel-artifacts.ts";
import type {Generation} from "../generation.ts";
import {Problem} from "../problem.ts";

/**
 * The states of the build that a question is to be answered from: one, or all. Throws the 503 where one of them is in the
 * build but damaged: what it would have answered is not known.
 */
export function setsOf(generation: Generation, state: string | null): StateArtifacts[] {
  const wanted = Object.keys(generation.manifest.states).filter((code) => state === null || code === state);
  if (wanted.some((code) => !generation.states.has(code))) throw damaged();
  const open = state === null ? [...generation.states.values()] : [generation.states.get(state)];
  return open.filter((set) => set !== undefined);
}

/** The states for a question about a place: a damaged one matters only where it may hold the place. */
export function setsNear(generation: Generation, {lat, lon}: Point, miles: number): StateArtifacts[] {
  const margin = 0.1 + miles / 30;
  const concerned = (state: string) => {
    const box = stateBox(state);
    if (box === undefined) return true;
    const inside = lat >= box.south - margin && lat <= box.north + margin;
    return inside && lon >= box.west - margin && lon <= box.east + margin;
  };
  const missing = Object.keys(generation.manifest.states).filter((state) => !generation.states.has(state));
  if (missing.some(concerned)) throw damaged();
  return [...generation.states.values()];
}

/** States of the build that have a postal town, sorted. */
export function statesWithTown(generation: Generation, town: string): string[] {
  return [...generation.states.values()]
    .filter((set) => hasTown(set, town))
    .map(({state}) => state)
    .sort();
}

function damaged(): Problem {
  return new Problem(
    "build-unavailable",
    "The data of a state that this question needs is not being served.",
  );
}
