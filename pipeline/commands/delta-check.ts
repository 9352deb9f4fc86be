import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";

/** Damaged lines of all delta segments, live and retired; none where there is no delta. A torn tail is no damage. */
export async function deltaFaults({delta}: DataFolder): Promise<{path: string; fault: string}[]> {
  const reader = new DeltaReader(delta);
  await reader.poll(() => undefined);
  return reader.segments().flatMap(({file, state}) => {
    if (state.header === null && state.records > 0) return [{path: file.name, fault: "has no header"}];
    return state.badLines === 0
      ? []
      : [{path: file.name, fault: `${state.badLines} damaged or missing lines`}];
  });
}

/** Numbers of segments and records of the delta, for `status`. */
export async function deltaSummary({
  delta,
}: DataFolder): Promise<{segments: number; records: number; badLines: number}> {
  const reader = new DeltaReader(delta);
  await reader.poll(() => undefined);
  const live = reader.segments().filter(({file}) => !file.retired);
  return {
    segments: live.length,
    records: live.reduce((sum, {state}) => sum + state.records, 0),
    badLines: live.reduce((sum, {state}) => sum + state.badLines, 0),
  };
}
