import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {FetchState} from "../../schemas/fetch-state.ts";
import {nextDue} from "../fetch/cadence.ts";
import {FetchStates} from "../fetch/fetch-states.ts";
import {registeredSources} from "../fetch/known-sources.ts";
import {wantedLayers} from "../fetch/wanted-layers.ts";
import {print, textTable} from "./output.ts";

/** A source as it was last asked, with the moment from which it is due again; null where it is due now, or registered no more. */
type FetchedSource = FetchState & {readonly next_due: string | null};

/** Gives every source that was asked, sorted by id. */
export async function fetchStatus({raw}: DataFolder): Promise<FetchedSource[]> {
  const states = await new FetchStates(raw).all();
  const registered = registeredSources();
  const layers = wantedLayers({states: new Map()}, states, registered).sources;
  const cadences = new Map([...registered, ...layers].map(({id, cadence}) => [id, cadence]));
  return [...states.values()]
    .sort((a, b) => (a.source < b.source ? -1 : 1))
    .map((state) => {
      const cadence = cadences.get(state.source);
      const isWhole = state.status === "new" || state.status === "unchanged";
      const due = cadence === undefined || !isWhole ? null : nextDue(cadence, new Date(state.last_asked));
      return {...state, next_due: due === null ? null : due.toISOString()};
    });
}

/** Prints the sources with their last and next times, and why the last run of one failed. */
export function printFetchStatus(sources: readonly FetchedSource[]): void {
  const minute = (instant: string | null) => (instant === null ? "-" : `${instant.slice(0, 16)}Z`);
  print(
    textTable(
      ["fetched", "outcome", "last asked", "last new", "next due", "reason"],
      sources.map(({source, status, last_asked, last_new, next_due, reason}) => [
        source,
        status,
        minute(last_asked),
        minute(last_new),
        next_due === null ? "now" : minute(next_due),
        reason ?? "",
      ]),
    ),
  );
}
