import {setTimeout as sleep} from "node:timers/promises";
import {DeltaReader} from "../../lib/delta/delta-folder.ts";
import type {PlacedRecord} from "../../lib/delta/overlay.ts";
import {privateKib} from "../../lib/system/process-figures.ts";
import {childProcesses} from "../child-processes.ts";
import {ask, type DeltaWorkshop} from "../delta/delta-workshop.ts";
import type {Child} from "./children.ts";

/** A server and a key for it. */
export type Asking = {port: number; key: string};

/** Path of the lookup of a number in a county of Texas. */
export const byNumber = (county: string, id: string) =>
  `/public/land-agent/property/parcel-id-lookup?state=TX&county=${county}&parcelId=${id}`;

/** The 99th percentile of response times. */
export const p99 = (ms: readonly number[]) =>
  [...ms].sort((a, b) => a - b)[Math.floor(ms.length * 0.99)] ?? 0;

/** Sends a request; returns status and time. */
export async function askTimed(place: Asking, path: string) {
  const started = performance.now();
  const {status} = await ask(place, place, path);
  return {status, ms: performance.now() - started};
}

/** Requests one path after another with a pause of 20 ms while something else runs; other statuses are wrong. */
export async function askBeside(
  place: Asking,
  meanwhile: Promise<unknown>,
  {nextPath, status: wanted}: {nextPath: () => string; status: number},
) {
  const [ms, wrong]: [number[], number[]] = [[], []];
  let over = false;
  const ended = meanwhile.finally(() => {
    over = true;
  });
  while (!over) {
    const told = await askTimed(place, nextPath());
    ms.push(told.ms);
    if (told.status !== wanted) wrong.push(told.status);
    await sleep(20);
  }
  await ended;
  return {ms, wrong};
}

/**
 * Private memory of a server and its children, after a garbage collection and after the end of the process that reads large
 * answers; 0 if the system does not report it.
 */
export async function heldKib({process: child}: Child): Promise<number> {
  if (process.platform !== "linux") return 0;
  const {pid} = child;
  const children = () => childProcesses(pid!);
  for (let tries = 0; children().length > 1 && tries < 200; tries++) await sleep(100);
  child.kill("SIGUSR2");
  await sleep(200);
  return [pid!, ...children()].reduce((sum, each) => sum + privateKib(each), 0);
}

/** Keys of the parcels in the delta, kinds of its other records, and the number of bad lines. */
export async function recordsOf({data}: DeltaWorkshop) {
  const records: PlacedRecord["record"][] = [];
  const reader = new DeltaReader(data.delta);
  await reader.poll(({record}) => records.push(record));
  const found = records.flatMap((record) => (record.kind === "upsert" ? record.parcelUid : [])).sort();
  const others = records.flatMap(({kind}) => (kind === "upsert" ? [] : kind));
  return {found, others, badLines: reader.segments().reduce((sum, {state}) => sum + state.badLines, 0)};
}
