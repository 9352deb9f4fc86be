import {stateOf} from "../../lib/geography/states.ts";
import {
  orderedParcelLimitations,
  parcelLimitations as P,
  partialLimitation,
} from "../../lib/parcels/limitations.ts";
import type {StoredRecord} from "../../lib/parcels/record/stored-record.ts";
import type {CoverageStatus} from "../../schemas/parcel-answer.ts";
import type {Call} from "../http/endpoint.ts";
import {countyCounts} from "./metadata.ts";

/** Gives the name of a state, a territory or Manitoba; its code where it has none. */
export function stateName(state: string): string {
  return state === "MB" ? "Manitoba" : (stateOf(state)?.name ?? state);
}

/** What is there of a state's parcels. */
type StateCounts = {
  readonly state: string;
  readonly status: CoverageStatus;
  readonly parcels: number;
  /** Counties with a parcel, those of which all are there, and all counties. */
  readonly counties: {
    readonly withParcels?: number | undefined;
    readonly live: number;
    readonly total: number;
  };
};

/** Says what is there, such as `Montana: 6,062 parcels in 38 of 56 counties, from extracts; 3 whole`. */
export function stateCoverageWords({state, status, parcels, counties}: StateCounts): string {
  const {withParcels = counties.live, live, total} = counties;
  if (status === "planned") return `${stateName(state)}: no parcels yet`;
  const extracts = status === "live" ? "" : `, from extracts${live === 0 ? "" : `; ${live} whole`}`;
  return `${stateName(state)}: ${parcels.toLocaleString("en-US")} parcels in ${withParcels} of ${total} counties${extracts}`;
}

/** The sentences that the records of an answer ask for (`docs/design/parcels.md` section 11). */
export function recordLimitations(records: readonly StoredRecord[]): Set<string> {
  const said = new Set<string>();
  for (const {provenance} of records) for (const id of provenance.limitations) said.add(P[id]);
  return said;
}

/** All sentences of an answer in order: of its records, of the states it touches, of the build. */
export function answerLimitations(
  {generation, oldBuild}: Call<unknown>,
  sentences: Iterable<string>,
  states: Iterable<string>,
): string[] {
  const said = new Set(sentences);
  for (const state of states) {
    const part = generation.manifest.states[state];
    if (part?.coverage !== "partial") continue;
    const {live: whole, total} = countyCounts(part, state);
    const {rows: parcels, counties} = part;
    said.add(partialLimitation(stateName(state), {parcels, counties: counties.length, total, whole}));
  }
  if (oldBuild) said.add(P.P20);
  return orderedParcelLimitations(said, generation.sample);
}
