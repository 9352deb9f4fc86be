import {relative} from "node:path";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";

/**
 * Gives the damaged lines of all delta segments, live and retired, and what is no segment but has the name of one; empty without a
 * delta. A torn tail does not count as damage.
 */
export async function deltaFaults({delta}: DataFolder): Promise<{path: string; fault: string}[]> {
  const reader = new DeltaReader(delta);
  await reader.poll(() => undefined);
  const damaged = reader.segments().flatMap(({file, state}) => {
    if (state.header === null && state.records > 0) return [{path: file.name, fault: "has no header"}];
    return state.badLines === 0
      ? []
      : [{path: file.name, fault: `${state.badLines} damaged or missing lines`}];
  });
  return [...damaged, ...reader.strange().map(({path, fault}) => ({path: relative(delta, path), fault}))];
}

/** Gives the numbers of live segments, of their records and of their damaged lines, and what is no segment, for `status`. */
export async function deltaSummary({
  delta,
}: DataFolder): Promise<{segments: number; records: number; badLines: number; strange: string[]}> {
  const reader = new DeltaReader(delta);
  await reader.poll(() => undefined);
  const live = reader.segments().filter(({file}) => !file.retired);
  return {
    segments: live.length,
    records: live.reduce((sum, {state}) => sum + state.records, 0),
    badLines: live.reduce((sum, {state}) => sum + state.badLines, 0),
    strange: reader.strange().map(({path, fault}) => `${path}: ${fault}`),
  };
}
