import {setFlagsFromString} from "node:v8";
import {runInNewContext} from "node:vm";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Collects all garbage of this process. Objects used in this turn of the event loop may survive. */
export function collectGarbage(): void {
  // With an argument, only the young generation would be collected.
  gc();
}
