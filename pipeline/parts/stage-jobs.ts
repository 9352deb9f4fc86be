import {totalmem} from "node:os";
import {BoundedChild, ProcessEnded} from "../../lib/system/bounded-child.ts";
import {ownProgram} from "../../lib/system/own-child.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {MarketStageResult, StateStageResult} from "../../schemas/part-file.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import type {MarketInput} from "../market/build-market.ts";
import type {StateRequest} from "../parcels/build-state.ts";
import type {Stages} from "./stages.ts";

/** What the project's stages depend on besides their input. */
export type StageFacts = {readonly futuresLicensed: boolean; readonly decisions: TermsDecisions};

/** A part to be made by a child process. */
export type StageTask = {readonly facts: StageFacts} & (
  | {readonly stage: "market"; readonly input: MarketInput}
  | {readonly stage: "parcels"; readonly input: StateRequest}
);

/** A part that takes longer than a day is useless to the nightly build. */
const bounds = {deadlineMs: 24 * 3_600_000, maxKib: Number.POSITIVE_INFINITY};
/** DuckDB memory (MB) for a part made alone (`build-market.ts`, `build-state.ts`), and the minimum below which it only spills. */
const [mostOfMarket, mostOfState, least] = [1_500, 2_500, 500];

/** Returns the stages with each part made in a child process; at most `jobs` parts may run concurrently. */
export function inProcesses(
  stages: Stages<ParcelSource>,
  {jobs, ...facts}: StageFacts & {jobs: number},
): Stages<ParcelSource> {
  const idle = Array.from(
    {length: jobs},
    () =>
      new BoundedChild(ownProgram("./stage-program", import.meta.url), {
        work: "making it",
        heapMb: 4_096,
        environment: process.env as Record<string, string>,
        stderr: "inherit",
      }),
  );
  const runTask = async (task: StageTask): Promise<unknown> => {
    const child = idle.pop()!;
    try {
      return await child.ask(task, bounds);
    } catch (error) {
      // An ended process (out of memory, perhaps) says nothing about its part: mark it transient, so that the next build retries.
      throw error instanceof ProcessEnded ? Object.assign(error, {code: "ECHILD"}) : error;
    } finally {
      idle.push(child);
    }
  };
  return {
    ...stages,
    buildMarket: async (input) =>
      (await runTask({
        facts,
        stage: "market",
        input: {...input, memoryLimit: share(jobs, mostOfMarket)},
      })) as MarketStageResult,
    buildState: async (input) =>
      (await runTask({
        facts,
        stage: "parcels",
        input: {...input, memoryLimit: share(jobs, mostOfState)},
      })) as StateStageResult,
  };
}

/** DuckDB memory per concurrent part: an equal share of half of what this process may use. */
function share(jobs: number, most: number): string {
  const own = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20;
  return `${Math.min(most, Math.max(least, Math.floor(own / 2 / jobs)))}MB`;
}
