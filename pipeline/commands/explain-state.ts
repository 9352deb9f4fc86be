import {UsageError} from "../../lib/errors.ts";
import {type AnyModel, model} from "../../lib/models/model.ts";
import {suggestions} from "../../lib/text/suggestions.ts";
import type {StateModel} from "../../schemas/model-report.ts";
import {column} from "../../schemas/vocabulary/described-file.ts";
import {type ColumnStep, columnSteps, printColumn} from "./explain-column.ts";
import {type Explained, explainedModels, printModels} from "./explain-models.ts";

/** What is known of the models of a published state. */
type MadeState = {readonly buildId: string; readonly models: readonly StateModel[]};

/** The table of a state's parcels, whose columns need not be named with their model. */
const answered = "parcels";

/**
 * Prints the models of a state's parcels as a build made them, in that order; with the name of a model those that it needs, itself last; with a
 * column of the parcels, or of a model (`MODEL.COLUMN`), its way from the source's own columns. Throws a `UsageError` with the names
 * that there are for any other name.
 */
export async function explainState(
  made: MadeState,
  name: string | undefined,
  asJson: boolean,
): Promise<number> {
  const explained = await explainedState(made, name);
  if ("models" in explained) return printModels(explained, made, asJson);
  return printColumn(explained.steps, made.buildId, asJson, "--json");
}

export async function explainedState(
  {models}: Pick<MadeState, "models">,
  name?: string,
): Promise<Explained | {readonly steps: readonly ColumnStep[]}> {
  const declared = asDeclared(models);
  const figures = new Map(models.map((each) => [each.name, each]));
  if (name === undefined || declared.has(name)) return explainedModels([...declared.values()], name, figures);
  const qualified = name.includes(".") ? name : `${answered}.${name}`;
  const steps = await columnSteps([...declared.values()], qualified, {models: figures}, {isToSource: true});
  if (steps !== null) return {steps};
  const [table = "", wanted = ""] = qualified.split(".");
  const columns = figures.get(table)?.columns ?? [];
  const isModel = columns.length > 0;
  const names = [...(isModel ? columns : []), ...(isModel && name.includes(".") ? [] : figures.keys())];
  const [near] = suggestions(isModel ? wanted : table, names);
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  const there = isModel ? ` ${table} has ${columns.join(", ")}.` : "";
  throw new UsageError(
    `--explain: no model or column "${name}".${meant}${there} Its state alone prints the models.`,
  );
}

/** The models of a state as if they were declared, by name. */
function asDeclared(models: readonly StateModel[]): Map<string, AnyModel> {
  const declared = new Map<string, AnyModel>();
  for (const {name, file, kind, reads, columns, sql} of models)
    declared.set(name, {
      ...model({
        name,
        reads: reads.flatMap((read) => declared.get(read) ?? []),
        columns: columns.map((each) => column(each, "VARCHAR", "")),
        ...(sql === null ? {} : {sql: () => sql}),
        ...(kind === "rows" ? {rows: () => []} : {}),
        ...(kind === "files" ? {writes: async () => undefined} : {}),
        ...(kind === "view" || kind === "table" || kind === "file" ? {materialise: kind} : {}),
      }),
      file,
    });
  return declared;
}
