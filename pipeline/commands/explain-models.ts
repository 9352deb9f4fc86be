import {countWithNoun, countWords} from "../../lib/counts.ts";
import {UsageError} from "../../lib/errors.ts";
import {type AnyModel, columnTypes} from "../../lib/models/model.ts";
import {inOrder, kindOf} from "../../lib/models/model-graph.ts";
import {suggestions} from "../../lib/text/suggestions.ts";
import type {ModelReport} from "../../schemas/model-report.ts";
import type {ModelFigures} from "../results/model-files.ts";
import {print, printJson} from "./command-line.ts";

/** A step of the ladder, with the figures of the published build where it has them. */
export type ExplainedModel = {
  /** 0 for a model that reads no other, else one more than the highest level that it reads. */
  readonly level: number;
  readonly name: string;
  readonly kind: ModelReport["kind"];
  readonly file: string;
  readonly reads: readonly string[];
  readonly read_by: readonly string[];
  /** Null for a view. */
  readonly rows: number | null;
  readonly seconds: number | null;
  readonly bytes: number | null;
};

/** What `--explain` was asked for: all models, those that one needs, or those that have a column. */
export type Explained = {
  readonly models: readonly ExplainedModel[];
  /** The names whose readers are shown to people. */
  readonly subjects: ReadonlySet<string>;
};

/**
 * Returns the models in the order in which a build makes them. With the name of a model: those that it needs, itself last. With a column:
 * those that have it; `model.column` only those over which it comes to this model, so that the first one is where it begins. Throws a
 * `UsageError` with the near names for any other name.
 */
export function explainedModels(
  outputs: readonly AnyModel[],
  name?: string,
  figures: ModelFigures["models"] = new Map(),
): Explained {
  const all = inOrder(outputs);
  const ladder = new Map(ladderOf(all.map(stepOf), figures).map((step) => [step.name, step]));
  const steps = (models: readonly AnyModel[]) => models.map((model) => ladder.get(model.name)!);
  if (name === undefined) return {models: steps(all), subjects: new Set()};
  // A table of signals is named by its file, too.
  const plain = name.replace(/^signals\//, "signal_");
  const target = all.find((each) => each.name === plain);
  if (target !== undefined) return {models: steps(inOrder([target])), subjects: new Set([plain])};
  const [, of, column] = /^(?:(\w+)\.)?(\w+)$/.exec(plain) ?? [];
  const having = all.filter((model) => columnNames(model).includes(column!));
  const passed = of === undefined ? having : passing(having, of);
  if (passed.length > 0) return {models: steps(passed), subjects: new Set(passed.map((each) => each.name))};
  const names =
    of === undefined
      ? all.flatMap((each) => [each.name, ...columnNames(each)])
      : all.map((each) => each.name);
  const [near] = suggestions(of ?? name, [...new Set(names)]);
  throw new UsageError(
    `--explain: no model or column "${name}".${near === undefined || near === of ? "" : ` Did you mean ${near}?`}`,
  );
}

/** Of models that have a column, those over which it comes to one of them. */
function passing(having: readonly AnyModel[], name: string): AnyModel[] {
  const reached = new Set(having.filter((model) => model.name === name));
  for (const model of reached) for (const read of model.reads) if (having.includes(read)) reached.add(read);
  return having.filter((model) => reached.has(model));
}

function columnNames({columns}: AnyModel): string[] {
  return columnTypes(columns).map((column) => column.name);
}

function stepOf(model: AnyModel): Step {
  const {name, file, reads} = model;
  return {name, kind: kindOf(model), file, reads: reads.map((read) => read.name)};
}

type Step = Pick<ExplainedModel, "name" | "kind" | "file" | "reads">;

function ladderOf(all: readonly Step[], figures: ModelFigures["models"]): ExplainedModel[] {
  const levels = new Map<string, number>();
  return all.map(({name, kind, file, reads}) => {
    const level = reads.reduce((highest, read) => Math.max(highest, levels.get(read)! + 1), 0);
    levels.set(name, level);
    const {rows = null, seconds = null, bytes = null} = figures.get(name) ?? {};
    const readBy = all.filter((reader) => reader.reads.includes(name)).map((reader) => reader.name);
    return {level, name, kind, file, reads, read_by: readBy, rows, seconds, bytes};
  });
}

/** Width of a line for people. */
const width = 118;

/** Prints the ladder of models, or the ladder as JSON. */
export function printModels(
  {models, subjects}: Explained,
  figures: Pick<ModelFigures, "buildId"> | null,
  asJson: boolean,
): number {
  if (asJson) {
    printJson(models);
    return 0;
  }
  const hasFigures = figures !== null;
  const nameWidth = Math.max(5, ...models.map(({name}) => name.length));
  const head = lineOf(["lvl", "model", "kind", "rows", "seconds", "MB", "file"], nameWidth, hasFigures);
  const lines = models.flatMap((model) => [
    lineOf(cellsOf(model), nameWidth, hasFigures),
    ...wrapped("reads", model.reads),
    ...(subjects.has(model.name) ? wrapped("read by", model.read_by) : []),
  ]);
  const last = hasFigures ? `figures of build ${figures.buildId}` : "no published build has figures of them";
  print([head, ...lines, `${countWithNoun(models.length, "model")}; ${last}`].join("\n"));
  return 0;
}

function cellsOf({level, name, kind, rows, seconds, bytes, file}: ExplainedModel): string[] {
  return [
    String(level),
    name,
    kind,
    rows === null ? "-" : countWords(rows),
    seconds === null ? "-" : seconds.toFixed(2),
    bytes === null ? "-" : (bytes / 2 ** 20).toFixed(1),
    file,
  ];
}

function lineOf(cells: readonly string[], nameWidth: number, hasFigures: boolean): string {
  const [level, name, kind, rows, seconds, bytes, file] = cells as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const figures = hasFigures ? [rows.padStart(9), seconds.padStart(7), bytes.padStart(7)] : [];
  return [level.padStart(3), name.padEnd(nameWidth), kind.padEnd(5), ...figures, file].join("  ");
}

/** Names after a word, in lines below a model's own; none for no name. */
function wrapped(word: string, names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(`     ${word} ${name}`);
    else if (last.length + 1 + name.length <= width) lines[lines.length - 1] = `${last} ${name}`;
    else lines.push(`       ${name}`);
  }
  return lines;
}
