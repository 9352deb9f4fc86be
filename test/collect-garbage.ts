import {setFlagsFromString} from "node:v8";
import {runInNewContext} from "node:vm";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Collects all garbage of this process. What was used in this turn of the event loop may still be held. */
export function collectGarbage(): void {
  // An argument would make it a collection of young objects alone.
  gc();
}
