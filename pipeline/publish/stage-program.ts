import {serveTasks} from "../../lib/process/bounded-program.ts";
import {projectStages} from "./project-stages.ts";
import type {StageTask} from "./stage-jobs.ts";

// The program of a process that makes one part of a build after another.

serveTasks<StageTask>(
  (task) => {
    const stages = projectStages(task.facts);
    return task.stage === "market" ? stages.buildMarket(task.input) : stages.buildState(task.input);
  },
  () => Number.POSITIVE_INFINITY,
);
