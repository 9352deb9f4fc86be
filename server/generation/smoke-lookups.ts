import {UserError} from "../../lib/errors.ts";
import {goldenMisses} from "../../lib/parcels/golden-lookups.ts";
import type {Generation} from "./generation.ts";

/** Rows of each state that a newly opened build is asked for before it serves (`docs/design/reliability.md` 4.2). */
const smokeRows = 5;

/** Throws a `UserError` for a build that does not find its own rows: it must not be served. */
export function requireAnswers({buildId, states}: Generation): void {
  for (const set of states.values()) {
    const [miss] = goldenMisses(set, smokeRows);
    if (miss !== undefined) throw new UserError(`${buildId}: ${set.state}: does not find ${miss}.`);
  }
}
