import {UsageError} from "../../lib/errors.ts";
import {suggestions} from "../../lib/text/suggestions.ts";
import type {AnyModel} from "../market/models/model.ts";
import {inOrder} from "../market/models/model-graph.ts";
import {print, printJson} from "./command-line.ts";

/** A line of the ladder: `level` is 0 for a model that reads no other, else one more than the highest level that it reads. */
export type ExplainedModel = {
  readonly level: number;
  readonly name: string;
  readonly materialise: string;
  readonly reads: readonly string[];
  readonly file: string;
};

/**
 * Returns the models in the order in which a build makes them, or those that one of them needs, itself last. Throws a `UsageError`
 * with the near names for a name that no model has.
 */
export function explainedModels(outputs: readonly AnyModel[], name?: string): ExplainedModel[] {
  const all = inOrder(outputs);
  const target = name === undefined ? undefined : all.find((each) => each.name === name);
  if (name !== undefined && target === undefined) {
    const names = all.map((each) => each.name);
    const [near] = suggestions(name, names);
    throw new UsageError(
      `--explain: no model "${name}".${near === undefined ? "" : ` Did you mean ${near}?`}`,
    );
  }
  const levels = new Map<string, number>();
  return (target === undefined ? all : inOrder([target])).map(
    ({name: model, materialise, reads, file, sql, rows}) => {
      const level = reads.reduce((highest, read) => Math.max(highest, levels.get(read.name)! + 1), 0);
      levels.set(model, level);
      const kind = sql !== undefined ? materialise : rows !== undefined ? "rows" : "input";
      return {level, name: model, materialise: kind, reads: reads.map((read) => read.name), file};
    },
  );
}

/** Prints the ladder of models, one a line, or as JSON. */
export function printModels(models: readonly ExplainedModel[], asJson: boolean): number {
  if (asJson) {
    printJson(models);
    return 0;
  }
  const width = Math.max(...models.map(({name, level}) => name.length + level));
  const lines = models.map(
    ({level, name, materialise, reads, file}) =>
      `${" ".repeat(level)}${name}`.padEnd(width + 2) +
      `${materialise.padEnd(6)} ${file}${reads.length === 0 ? "" : `  <- ${reads.join(" ")}`}\n`,
  );
  print(lines.join(""));
  return 0;
}
