import {messageOf, UserError} from "../../lib/errors.ts";
import {goldenMisses} from "../../lib/parcels/golden-lookups.ts";
import {isPassing} from "../../lib/storage/passing-fault.ts";
import type {Generation} from "./generation.ts";
import {verifyBuild} from "./verify-build.ts";

/** Rows of each state that a newly opened build has to find (`docs/design/reliability.md` section 4.2). */
const SMOKE_ROWS = 5;

/** The first fault of a full check of a build in words; null for a sound one. A damaged manifest is a fault. Rejects for a failure that may pass. */
export async function firstFault(folder: string): Promise<string | null> {
  const faults = await verifyBuild(folder, {depth: "full", background: true}).catch((error: unknown) => {
    if (isPassing(error)) throw error;
    return [{path: "manifest.json", fault: messageOf(error)}];
  });
  const [first] = faults;
  return first === undefined ? null : `${first.path}: ${first.fault}`;
}

/** Gives the parts of a build that are not served because they are damaged. */
export function damagedParts({manifest, states, market}: Generation): string[] {
  const absent = Object.keys(manifest.states).filter((state) => !states.has(state));
  const parts = absent.map((state) => `state_damaged:${state}`);
  return manifest.market !== null && market === null ? ["market_damaged", ...parts] : parts;
}

/** Throws a `UserError` for a generation that does not find rows of its own. */
export function requireAnswers({buildId, states}: Generation): void {
  for (const set of states.values()) {
    const [miss] = goldenMisses(set, SMOKE_ROWS);
    if (miss !== undefined) throw new UserError(`${buildId}: ${set.state}: does not find ${miss}.`);
  }
}
