import {
  orderedParcelLimitations,
  parcelLimitations as P,
  partialLimitation,
} from "../../lib/parcels/limitations.ts";
import type {StoredRecord} from "../../lib/parcels/record/stored-record.ts";
import type {Call} from "../http/endpoint.ts";
import {stateName} from "./coverage-words.ts";
import {countyCounts} from "./metadata.ts";

/** The sentences that the records of an answer ask for (`docs/design/parcels.md` section 11). */
export function recordLimitations(records: readonly StoredRecord[]): Set<string> {
  return new Set(records.flatMap(({provenance}) => provenance.limitations.map((id) => P[id])));
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
