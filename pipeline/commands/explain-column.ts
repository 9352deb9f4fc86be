import {existsSync} from "node:fs";
import {join} from "node:path";
import {type ColumnOrigin, columnOrigins, type ModelColumn} from "../../lib/models/column-lineage.ts";
import {type AnyModel, columnTypes} from "../../lib/models/model.ts";
import {inOrder, readersOf} from "../../lib/models/model-graph.ts";
import {packageRoot} from "../../lib/paths.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {feedsOfKind} from "../market/feeds/feeds.ts";
import type {ModelFigures} from "../results/model-files.ts";
import {print, printJson} from "./command-line.ts";
import {decidingFiles} from "./deciding-files.ts";

/** One model on the way of a column, from the table that was asked for to where its value begins. */
export type ColumnStep = {
  readonly model: string;
  readonly column: string;
  /** `passed` on as another model has it, `computed` by SQL or in TypeScript (`rows`), or `given` by the readers of raw files. */
  readonly how: "passed" | "computed" | "rows" | "given";
  /** The files that decide it; for a column that is passed on, the one that says so. */
  readonly files: readonly string[];
  readonly from: readonly string[];
  readonly formula: string | null;
  /** The formulas of columns in it that the same SQL computes on the way. */
  readonly where: readonly string[];
  readonly read_by: readonly string[];
};

/**
 * The way of a column of a model, by the SQL of the published build: over models that pass it on, and those that make it of one column,
 * or of one of the same name; with `isToSource`, those that make it of several others as well. Rows that are compared with, or carried over from,
 * the build before (`previous_…`) are not followed. Null if the model or the column does not exist.
 */
export async function columnSteps(
  outputs: readonly AnyModel[],
  name: string,
  {models}: Pick<ModelFigures, "models">,
  {isToSource = false}: {isToSource?: boolean} = {},
): Promise<ColumnStep[] | null> {
  const [, table = "", wanted = ""] = /^(.+)\.(\w+)$/.exec(name) ?? [];
  const all = inOrder(outputs);
  const byName = new Map(all.map((model) => [model.name, model]));
  const readers = readersOf(all);
  const hasColumn = (model: string, column: string) =>
    columnTypes(byName.get(model)?.columns ?? {}).some((each) => each.name === column);
  const first = [table, `signal_${table.replace(/^signals\//, "")}`].find((each) => hasColumn(each, wanted));
  if (first === undefined) return null;
  const readsWith = ({reads}: AnyModel, column: string) =>
    reads.flatMap((read) => (hasColumn(read.name, column) ? {model: read.name, column} : []));
  using db = await openDatabase();
  const steps = new Map<string, ColumnStep>();
  const follow = async (model: AnyModel, column: string): Promise<void> => {
    const key = `${model.name}.${column}`;
    if (steps.has(key)) return;
    const sql = models.get(model.name)?.sql ?? null;
    const found = sql === null ? [] : await columnOrigins(db, sql, {column, hasColumn});
    const isConstant = isToSource && sql !== null && found.every(({from}) => from.length === 0);
    const origins = isConstant ? [constantOrigin(found[0], readsWith(model, column))] : found;
    steps.set(key, stepOf(model, column, {origins, readers: readers.get(model.name)!}));
    for (const {kind, from} of origins)
      for (const each of from) {
        const isOwn = (one: ModelColumn) => one.column === column;
        const isFollowed =
          kind === "passed" || from.length === 1 || isOwn(each) || (isToSource && !from.some(isOwn));
        if (isFollowed && !each.model.startsWith("previous_"))
          await follow(byName.get(each.model)!, each.column);
      }
  };
  await follow(byName.get(first)!, wanted);
  return [...steps.values()];
}

/** A constant that stands for a column all of whose values are alike, or absent, in the models that are read. */
function constantOrigin(found: ColumnOrigin | undefined, from: readonly ModelColumn[]): ColumnOrigin {
  const formula = found?.kind === "computed" ? found.formula : "NULL";
  return {kind: "computed", from, formula, where: []};
}

function stepOf(
  model: AnyModel,
  column: string,
  {origins, readers}: {origins: readonly ColumnOrigin[]; readers: readonly AnyModel[]},
): ColumnStep {
  const computed = origins.filter((origin) => origin.kind === "computed");
  const formula = computed.length === 0 ? null : computed.map((origin) => origin.formula).join("\n");
  const how =
    model.rows !== undefined
      ? "rows"
      : model.sql === undefined
        ? "given"
        : computed.length > 0 || origins.length === 0
          ? "computed"
          : "passed";
  return {
    ...{model: model.name, column, how},
    files:
      how === "passed" ? [model.file] : decidingFiles(model, column, {formula, readers: feedFiles(model)}),
    from: [...new Set(origins.flatMap(({from}) => from.map((each) => `${each.model}.${each.column}`)))],
    formula,
    where: [...new Set(computed.flatMap((origin) => origin.where))],
    read_by: readers.map(({name}) => name),
  };
}

/** The readers of feeds that fill a table of signals. */
function feedFiles({name}: AnyModel): string[] {
  const table = /^staged_(\w+)$/.exec(name)?.[1];
  return feedsOfKind("signals")
    .filter(([, {tables}]) => tables.some((each) => each === table))
    .map(([feed]) => `pipeline/market/feeds/${feed}.ts`)
    .filter((file) => existsSync(join(packageRoot, file)));
}

const longestFormula = 600;
const says = {
  passed: "passed on",
  computed: "computed",
  rows: "computed in TypeScript",
  given: "given by the readers of raw files",
} as const;

/** Prints the way of a column, or the way as JSON; the last step is where it begins. `where` says where the SQL stands whole. */
export function printColumn(
  steps: readonly ColumnStep[],
  buildId: string,
  asJson: boolean,
  where = "its report.html",
): number {
  if (asJson) {
    printJson(steps);
    return 0;
  }
  const blocks = steps.map(({model, column, how, files, from, formula, where: inner, read_by}) => {
    const [file, ...others] = files;
    return [
      `${model}.${column}: ${says[how]}, ${file}${others.length === 0 ? "" : `; also named in ${others.join(" ")}`}`,
      ...(from.length === 0 ? [] : [`  from     ${from.join(" ")}`]),
      ...(formula === null ? [] : formula.split("\n").map((sql) => `  formula  ${shortened(sql)}`)),
      ...inner.map((sql) => `  where    ${shortened(sql)}`),
      `  read by  ${read_by.join(" ") || "no other model: it is written to a file"}`,
    ].join("\n");
  });
  print([...blocks, `by the SQL of build ${buildId}, which ${where} shows whole`].join("\n"));
  return 0;
}

function shortened(sql: string): string {
  return sql.length <= longestFormula ? sql : `${sql.slice(0, longestFormula)} …`;
}
