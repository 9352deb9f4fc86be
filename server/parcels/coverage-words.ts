import {stateOf} from "../../lib/geography/states.ts";
import {
  coveredCounties,
  orderedParcelLimitations,
  parcelLimitations as P,
  partialLimitation,
} from "../../lib/parcels/record/parcel-limitations.ts";
import type {StoredRecord} from "../../lib/parcels/record/stored-record.ts";
import type {StatePart} from "../../schemas/manifest.ts";
import type {CoverageStatus} from "../../schemas/parcel-answer.ts";
import type {Call} from "../http/endpoint.ts";
import {countyCounts} from "./metadata.ts";

/** Name of a state, a territory or Manitoba; the code if it has none. */
export function stateName(state: string): string {
  return state === "MB" ? "Manitoba" : (stateOf(state)?.name ?? state);
}

/** Our key of Winnipeg, which publishes its own parcels and is not in Manitoba's roll. */
const winnipegKey = "MB000";

/** Name of a state with what its rows lack as a whole: `Manitoba without Winnipeg`. */
export function coveredName(state: string, part: Pick<StatePart, "counties"> | undefined): string {
  const lacks =
    state === "MB" && part !== undefined && !part.counties.some((each) => each.county_key === winnipegKey);
  return `${stateName(state)}${lacks ? " without Winnipeg" : ""}`;
}

/** Coverage figures of a state's parcels. */
type StateCounts = {
  readonly name: string;
  readonly status: CoverageStatus;
  readonly parcels: number;
  /** Counties with any parcel, counties that are complete, and all counties. */
  readonly counties: {
    readonly withParcels?: number | undefined;
    readonly live: number;
    readonly total?: number | undefined;
  };
};

/** Words the coverage of a state, such as `Montana: 6,062 parcels in 38 of 56 counties, from extracts; 3 complete`. */
export function stateCoverageWords({name, status, parcels, counties}: StateCounts): string {
  const {withParcels = counties.live, live, total} = counties;
  if (status === "planned") return `${name}: no parcels yet`;
  const extracts = status === "live" ? "" : `, from extracts${live === 0 ? "" : `; ${live} complete`}`;
  return `${name}: ${coveredCounties({parcels, counties: withParcels, total})}${extracts}`;
}

/** The limitation sentences that an answer's records require (`docs/design/parcels.md` section 11). */
export function recordLimitations(records: readonly StoredRecord[]): Set<string> {
  const said = new Set<string>();
  for (const {provenance} of records) for (const id of provenance.limitations) said.add(P[id]);
  return said;
}

/** All limitation sentences of an answer, in order: from its records, the states it touches, and the build. */
export function answerLimitations(
  {generation, oldBuild}: Call<unknown>,
  sentences: Iterable<string>,
  states: Iterable<string>,
): string[] {
  const sentencesSaid = new Set(sentences);
  for (const state of states) {
    const part = generation.manifest.states[state];
    if (part?.coverage !== "partial") continue;
    const {live: whole, total} = countyCounts(part, state);
    const {rows: parcels, counties} = part;
    sentencesSaid.add(
      partialLimitation(coveredName(state, part), {parcels, counties: counties.length, total, whole}),
    );
  }
  if (oldBuild) sentencesSaid.add(P.P20);
  return orderedParcelLimitations(sentencesSaid, generation.sample);
}
