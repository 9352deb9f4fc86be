import {stateOf} from "../../lib/geography/states.ts";
import type {CoverageStatus} from "../../schemas/parcel-answer.ts";

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
