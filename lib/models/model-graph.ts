import type {ModelReport} from "../../schemas/model-report.ts";
import type {AnyModel} from "./model.ts";

/** How a model comes to be: how its SQL is stored, `rows` of TypeScript, `files` that it writes, or an `input` that is given to the run. */
export function kindOf({sql, rows, writes, materialise}: AnyModel): ModelReport["kind"] {
  if (sql !== undefined) return materialise;
  if (writes !== undefined) return "files";
  return rows === undefined ? "input" : "rows";
}

/** All models that the targets need and the targets, each after those that it reads. Throws for a circle and for a name that two have. */
export function inOrder(targets: readonly AnyModel[]): AnyModel[] {
  const ordered: AnyModel[] = [];
  const byName = new Map<string, AnyModel>();
  const visit = (model: AnyModel, path: readonly AnyModel[]) => {
    if (path.includes(model)) {
      const circle = [...path.slice(path.indexOf(model)), model].map(({name}) => name);
      throw new Error(`models read each other in a circle: ${circle.join(" -> ")}.`);
    }
    const same = byName.get(model.name);
    if (same === model) return;
    if (same !== undefined)
      throw new Error(`two models are named ${model.name}: in ${same.file} and in ${model.file}.`);
    for (const read of model.reads) visit(read, [...path, model]);
    byName.set(model.name, model);
    ordered.push(model);
  };
  for (const target of targets) visit(target, []);
  return ordered;
}

/** The models that read each model of a plan, by its name. */
export function readersOf(plan: readonly AnyModel[]): Map<string, AnyModel[]> {
  const readers = new Map<string, AnyModel[]>(plan.map(({name}) => [name, []]));
  for (const model of plan) for (const read of model.reads) readers.get(read.name)?.push(model);
  return readers;
}
