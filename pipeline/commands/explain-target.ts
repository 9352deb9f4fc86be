import {UserError} from "../../lib/errors.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import {readModelFigures, readStateModels} from "../results/model-files.ts";
import {columnSteps, printColumn} from "./explain-column.ts";
import {explainedModels, printModels} from "./explain-models.ts";
import {explainState} from "./explain-state.ts";

/**
 * Prints what `--explain` was asked for: the models of the market or of a state, those that one model needs, or the way of a column. A state and
 * a column are read in the published build; throws a `UserError` that names the cure if it lacks them.
 */
export async function explainTarget(
  data: DataFolder,
  target: string | undefined,
  asJson: boolean,
): Promise<number> {
  const [, state, name] = /^(?:(?:US|CA)-)?([A-Z]{2})(?:\.(.+))?$/.exec(target ?? "") ?? [];
  if (state !== undefined) return explainState(await readStateModels(data, state), name, asJson);
  const {marketModels} = await import("../market/build-market.ts");
  const figures = await readModelFigures(data);
  const explained = explainedModels(marketModels, target, figures?.models);
  if (target?.includes(".")) {
    if (figures === null)
      throw new UserError(
        `${target}: where it comes from is read in a published build, and ${data.root} has none with its market. Run "cattle build --market", or "make run" and ask with --out data/demo.`,
      );
    const steps = await columnSteps(marketModels, target, figures);
    if (steps !== null) return printColumn(steps, figures.buildId, asJson);
  }
  return printModels(explained, figures, asJson);
}
