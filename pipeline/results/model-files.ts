import {existsSync} from "node:fs";
import {chmod, readdir, readFile, rename, rm} from "node:fs/promises";
import {join} from "node:path";
import {makeOwnFolder, sharedFolder, writeWhole} from "@open-cattle/safe-files";
import {UserError} from "../../lib/errors.ts";
import {buildFolder, currentBuildId, type DataFolder} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import {BuildId} from "../../schemas/manifest.ts";
import {
  type MadeModel,
  type ModelCost,
  ModelCosts,
  type ModelReport,
  type StateModel,
} from "../../schemas/model-report.ts";
import {readBuildReport} from "./report-counts.ts";

// What a data folder keeps of its models beside the builds, whose bytes must repeat: their costs, and with
// `cattle build --keep-models` the models themselves. Nothing that serves reads it.

/** The file with the costs of the models that a build made. */
function costsPath({models}: DataFolder, buildId: string): string {
  return join(models, `${buildId}.json`);
}

/** The DuckDB file with the models that a build left. */
function keptPath({models}: DataFolder, buildId: string): string {
  return join(models, `${buildId}.duckdb`);
}

/** The page that draws the models that a build made, with what they cost. */
export function modelsPagePath({models}: DataFolder, buildId: string): string {
  return join(models, `${buildId}.html`);
}

type WrittenModels = {
  readonly models: readonly (ModelReport | MadeModel)[];
  /** The models of the states that were made, by state. */
  readonly states: Readonly<Record<string, readonly StateModel[]>>;
  readonly kept: string;
  readonly page: string;
};

/** Writes what the models of a build cost, as data and as a page, and moves the DuckDB file `kept` beside them if there is one. */
export async function writeModelFiles(
  data: DataFolder,
  buildId: string,
  {models, states, kept, page}: WrittenModels,
): Promise<void> {
  const costs = models.flatMap((model) =>
    "seconds" in model ? [[model.name, {seconds: model.seconds, bytes: model.bytes}] as const] : [],
  );
  if (costs.length === 0 && Object.keys(states).length === 0) return;
  makeOwnFolder(data.models, sharedFolder);
  const made = {build_id: buildId, models: Object.fromEntries(costs), states};
  const text = `${JSON.stringify(made, null, 1)}\n`;
  await writeWhole(costsPath(data, buildId), text, {mode: 0o640, replaces: true});
  if (costs.length > 0) await writeWhole(modelsPagePath(data, buildId), page, {mode: 0o640, replaces: true});
  if (!existsSync(kept)) return;
  await chmod(kept, 0o440);
  await rename(kept, keptPath(data, buildId));
}

/** The costs of the models that a build made, by name; empty if nothing kept them. */
async function readModelCosts(data: DataFolder, buildId: string): Promise<Omit<ModelCosts, "build_id">> {
  const path = costsPath(data, buildId);
  if (!existsSync(path)) return {models: {}};
  return ModelCosts.parse(JSON.parse(await readFile(path, "utf8")));
}

/** The DuckDB file with the models of a build. Throws a `UserError` with the cure if that build kept none. */
export function keptModels(data: DataFolder, buildId: string): string {
  const path = keptPath(data, buildId);
  if (existsSync(path)) return path;
  throw new UserError(`${path}: the build kept no models. Run "cattle build --keep-models".`);
}

/** The builds of which models or their costs are kept. */
export async function modelBuilds({models}: DataFolder): Promise<string[]> {
  const names = await readdir(models).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const ids = names.map((name) => name.replace(/\.(json|html|duckdb)$/, ""));
  return [...new Set(ids.filter((id) => BuildId.safeParse(id).success))].sort();
}

/** Removes what is kept of the models of a build. */
export async function removeModelFiles(data: DataFolder, buildId: string): Promise<void> {
  await rm(costsPath(data, buildId), {force: true});
  await rm(modelsPagePath(data, buildId), {force: true});
  await rm(keptPath(data, buildId), {force: true});
}

/** What is known of the models of the market that a data folder has published. */
export type ModelFigures = {
  /** The build that made the market. */
  readonly buildId: string;
  readonly models: ReadonlyMap<string, Pick<ModelReport, "rows" | "sql"> & Partial<ModelCost>>;
};

/** The figures of the published market; null if nothing is published, or nothing that tells of its models. */
export async function readModelFigures(data: DataFolder): Promise<ModelFigures | null> {
  const current = await currentBuildId(data);
  if (current === null) return null;
  const dir = buildFolder(data, current);
  const buildId = await marketBuild(dir);
  const {models = []} = await readBuildReport(dir);
  if (buildId === null || models.length === 0) return null;
  const {models: costs} = await readModelCosts(data, buildId);
  return {buildId, models: new Map(models.map(({name, rows, sql}) => [name, {rows, sql, ...costs[name]}]))};
}

/**
 * The models of a published state, with what they cost when it was made, and the build that made it. Throws a `UserError` with the cure if
 * nothing is published of the state, or its models were not kept.
 */
export async function readStateModels(
  data: DataFolder,
  state: string,
): Promise<{buildId: string; models: readonly StateModel[]}> {
  const current = await currentBuildId(data);
  const states = current === null ? {} : (await readManifest(buildFolder(data, current))).states;
  const part = states[state];
  const cure = `run "cattle build --state ${state} --no-reuse".`;
  if (part === undefined) {
    const others = Object.keys(states).sort();
    const there = others.length === 0 ? "no state" : others.join(", ");
    throw new UserError(`${state}: no published build has it (${data.root} has ${there}): ${cure}`);
  }
  const models = (await readModelCosts(data, part.built_in)).states?.[state];
  if (models === undefined)
    throw new UserError(`${state}: build ${part.built_in} kept no models of it: ${cure}`);
  return {buildId: part.built_in, models};
}

/** The build that made the market of a build; null if it has no market. */
export async function marketBuild(buildDir: string): Promise<string | null> {
  return (await readManifest(buildDir)).market?.built_in ?? null;
}
