import {totalmem} from "node:os";
import {BoundedChild, ProcessEnded} from "../../lib/process/bounded-child.ts";
import {ownProgram} from "../../lib/process/own-child.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {MarketMade, StateMade} from "../../schemas/part-file.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import type {MarketInput} from "../market/build-market.ts";
import type {StateRequest} from "../parcels/build-state.ts";
import type {Stages} from "./stages.ts";

/** What the stages of this project depend on beside their input. */
export type StageFacts = {readonly futuresLicensed: boolean; readonly decisions: TermsDecisions};

/** One part for a process that makes it. */
export type StageTask = {readonly facts: StageFacts} & (
  | {readonly stage: "market"; readonly input: MarketInput}
  | {readonly stage: "parcels"; readonly input: StateRequest}
);

/** A part that takes longer than a day is of no use to the night. */
const bounds = {deadlineMs: 24 * 3_600_000, maxKib: Number.POSITIVE_INFINITY};
/** MB of memory that DuckDB takes for a part alone (`build-market.ts`, `build-state.ts`), and with less of which it only spills. */
const [mostOfMarket, mostOfState, least] = [1_500, 2_500, 500];

/** Gives the stages, with each part made in a process of its own; at most `jobs` parts may be asked for at a time. */
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
  const made = async (task: StageTask): Promise<unknown> => {
    const child = idle.pop()!;
    try {
      return await child.ask(task, bounds);
    } catch (error) {
      // A process that was ended, for want of memory perhaps, says nothing of its part: the next build tries it again.
      throw error instanceof ProcessEnded ? Object.assign(error, {code: "ECHILD"}) : error;
    } finally {
      idle.push(child);
    }
  };
  return {
    ...stages,
    buildMarket: async (input) =>
      (await made({
        facts,
        stage: "market",
        input: {...input, memoryLimit: share(jobs, mostOfMarket)},
      })) as MarketMade,
    buildState: async (input) =>
      (await made({
        facts,
        stage: "parcels",
        input: {...input, memoryLimit: share(jobs, mostOfState)},
      })) as StateMade,
  };
}

/** The memory that DuckDB may take for each of some parts at a time: half of what this process may have, in equal shares. */
function share(jobs: number, most: number): string {
  const own = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2 ** 20;
  return `${Math.min(most, Math.max(least, Math.floor(own / 2 / jobs)))}MB`;
}
