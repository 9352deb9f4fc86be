import {serveTasks} from "../../lib/system/bounded-program.ts";
import {projectStages} from "./project-stages.ts";
import type {StageTask} from "./stage-jobs.ts";

// Entry point of the process that makes the parts of a build, one at a time.

serveTasks<StageTask>(
  (task) => {
    const stages = projectStages(task.facts);
    return task.stage === "market" ? stages.buildMarket(task.input) : stages.buildState(task.input);
  },
  () => Number.POSITIVE_INFINITY,
);
