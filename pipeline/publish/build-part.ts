import {randomBytes} from "node:crypto";
import {mkdir, readdir, rename} from "node:fs/promises";
import {basename, dirname, join, resolve} from "node:path";
import {syncFolder, writeNew, writeWhole} from "@open-cattle/safe-files";
import {UsageError} from "../../lib/errors.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {MARKET} from "../../lib/storage/build-layout.ts";
import type {ManifestFile} from "../../schemas/manifest.ts";
import {PartFile, type PartInput, partFormat} from "../../schemas/part-file.ts";
import {type BuildPlan, type PlannedPart, planBuild} from "../parts/build-plan.ts";
import {codeVersion} from "../parts/code-version.ts";
import {syncFilesBelow, syncFoldersBelow} from "../parts/durable.ts";
import {noFilesOf} from "../parts/no-files.ts";
import {type BuildOptions, stageAcceptances} from "../parts/options.ts";
import {
  makeStaging,
  partFileName,
  partName,
  partText,
  readPart,
  requireSoundPart,
  type Staging,
  sweepStaging,
} from "../parts/part-folder.ts";
import {makeMarket, makeState} from "../parts/stage-part.ts";
import {describeFiles} from "../parts/table-files.ts";
import type {RawFile} from "../raw/raw-files.ts";
import type {BuildResult} from "./build.ts";

/**
 * Builds one part, `MARKET` or a state, into `dir` on any machine; nothing is gated or published. The folder is laid out like a build, plus
 * `part.json`. It appears by a single rename, so a killed run leaves nothing; an existing part with the same inputs is kept. Throws a
 * `UserError` if the folder holds anything else, or if there are no raw files for the part.
 */
export async function buildPart(name: string, dir: string, options: BuildOptions): Promise<BuildResult> {
  const plan = await options.step("plan", (say) =>
    planBuild({...options, only: [name], noReuse: true}, async () => false, say),
  );
  const planned = plan.parts.find((part) => part.name === name);
  if (planned === undefined || planned.action !== "build") {
    throw noFilesOf(name, options, plan);
  }
  const there = await partThere(dir, planned, plan);
  if (there !== null) return resultOf(plan, there);
  const [parent, leaf] = [dirname(resolve(dir)), basename(resolve(dir))];
  await mkdir(parent, {recursive: true});
  await sweepStaging(parent, `.tmp-${leaf}-`);
  await using staging = await makeStaging(join(parent, `.tmp-${leaf}-${randomBytes(4).toString("hex")}`));
  const part = await options.step(name, () => makeInto(staging, planned, plan, options));
  return resultOf(plan, await putInPlace(staging, dir, part, {planned, plan}));
}

async function makeInto(
  {dir: outDir, workDir: tempDir}: Staging,
  planned: PlannedPart,
  plan: BuildPlan,
  options: BuildOptions,
): Promise<PartFile> {
  const {asOf, sample} = plan;
  const {stages} = options;
  const common = (part: PlannedPart) => ({
    format: partFormat,
    as_of_date: asOf,
    sample,
    code_version: codeVersion(),
    inputs_sha256: part.inputsSha256,
    inputs: part.files.map(inputOf),
    left_out: plan.leftOut,
    acceptances: stageAcceptances(planned.name, options),
  });
  if (planned.name === MARKET) {
    const {part, made} = await makeMarket(planned, plan, options, {outDir, tempDir});
    return PartFile.parse({
      kind: "market",
      ...common(part),
      code_sha256: stages.codeDigest("market"),
      earlier_build_id: plan.earlier?.manifest.build_id ?? null,
      made,
      files: await describe(outDir),
    });
  }
  const {part, made} = await makeState(planned, options, {asOf, sample, base: plan.base, outDir, tempDir});
  return PartFile.parse({
    kind: "state",
    state: planned.name,
    ...common(part),
    code_sha256: stages.codeDigest("parcels"),
    base_build_id: plan.base?.manifest.build_id ?? null,
    delta: planned.marks,
    delta_sha256: planned.delta?.sha256 ?? null,
    made,
    files: await describe(outDir),
  });
}

function inputOf({absolutePath: _place, identity: _there, ...file}: RawFile): PartInput {
  return file;
}

/**
 * Returns the part in a folder if it is complete and has these inputs; null if the folder is absent or empty. The watermarks may have
 * advanced since: with equal inputs there is no record in between, so the part takes the new ones.
 */
async function partThere(
  dir: string,
  planned: PlannedPart,
  {asOf, base}: BuildPlan,
): Promise<PartFile | null> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (names.length === 0) return null;
  if (!names.includes(partFileName)) {
    throw new UsageError(`${dir}: not empty; a part needs a folder of its own.`);
  }
  const found = await readPart(dir);
  const {part} = found;
  if (part.inputs_sha256 !== planned.inputsSha256 || part.as_of_date !== asOf) {
    throw new UsageError(
      `${dir}: not empty; it holds a part of other inputs (${partText(part)}). Remove it, or name another folder.`,
    );
  }
  await requireSoundPart(found);
  if (part.kind === "market") return part;
  const known = {...part, base_build_id: base?.manifest.build_id ?? null, delta: [...planned.marks]};
  const [before, now] = [partFileText(part), partFileText(known)];
  if (before !== now) {
    await writeWhole(join(dir, partFileName), now, {replaces: true});
  }
  return known;
}

function partFileText(part: PartFile): string {
  return `${JSON.stringify(part, null, 1)}\n`;
}

/** Renames a part to its folder. If a concurrent run with the same inputs was faster, its part is used. */
async function putInPlace(
  {dir: made}: Staging,
  dir: string,
  part: PartFile,
  {planned, plan}: {planned: PlannedPart; plan: BuildPlan},
): Promise<PartFile> {
  await syncFilesBelow(made);
  await writeNew(join(made, partFileName), partFileText(part));
  await syncFoldersBelow(made);
  try {
    await rename(made, dir);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    const first = await partThere(dir, planned, plan);
    if (first === null) throw error;
    return first;
  }
  await syncFolder(dirname(resolve(dir)));
  return part;
}

function resultOf(plan: BuildPlan, part: PartFile): BuildResult {
  const report = {
    as_of_date: plan.asOf,
    sample: plan.sample,
    parts: {[partName(part)]: part.made.files},
    left_out: part.left_out,
  };
  return {buildId: plan.buildId, outcome: "part", heldBack: [], gates: [], report, delta: plan.delta};
}

async function describe(folder: string): Promise<ManifestFile[]> {
  using db = await openDatabase();
  return await describeFiles(db, folder);
}
