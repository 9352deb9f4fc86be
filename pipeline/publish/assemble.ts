import {cp, mkdir, readdir, readFile, rm} from "node:fs/promises";
import {join} from "node:path";
import {prettifyError} from "zod";
import {messageOf, UsageError, UserError} from "../../lib/errors.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {fileFault} from "../../lib/storage/build-files.ts";
import {carriedPath} from "../../lib/storage/build-layout.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import {manifestFormat} from "../../schemas/manifest.ts";
import {PartFile} from "../../schemas/part-file.ts";
import {type BuildResult, build} from "./build.ts";
import {composePartReport} from "./compose.ts";
import {type DeltaInputs, marksIn, readCarried, type StateDelta} from "./delta-inputs.ts";
import {writeDurably} from "./durable.ts";
import type {BuildOptions} from "./options.ts";
import {noFilesOf, planBuild} from "./plan.ts";
import {currentBuild} from "./published.ts";
import {makeState} from "./stage-part.ts";
import {describeFiles} from "./table-facts.ts";

/**
 * Builds one state into `dir`, laid out like a build, with `part.json` beside its files, on any machine; nothing is gated or
 * published. Throws a `UserError` for a folder that is not empty and for a state without raw files.
 */
export async function buildStatePart(
  state: string,
  dir: string,
  options: BuildOptions,
): Promise<BuildResult> {
  await mkdir(dir, {recursive: true});
  if ((await readdir(dir)).length > 0)
    throw new UsageError(`${dir}: not empty; a part needs a folder of its own.`);
  const plan = await planBuild({...options, only: [state], noReuse: true}, async () => false);
  const planned = plan.parts.find(({name}) => name === state);
  if (planned === undefined || planned.action !== "build") {
    throw noFilesOf(state, options.rawDir, plan.parts);
  }
  const tempDir = join(dir, ".work");
  await mkdir(tempDir);
  const {files, delta, marks} = planned;
  const made = await options.step(state, () =>
    makeState(planned, options, {asOf: plan.asOf, sample: plan.sample, outDir: dir, tempDir}),
  );
  await rm(tempDir, {recursive: true});
  const part: PartFile = {
    format: manifestFormat,
    state,
    as_of_date: plan.asOf,
    inputs_sha256: planned.inputsSha256,
    inputs: files.map(({absolutePath: _place, side: _side, ...file}) => ({...file, side: "parcels"})),
    delta: [...marks],
    delta_sha256: delta?.sha256 ?? null,
    made,
    files: await describe(dir),
  };
  await writeDurably(join(dir, "part.json"), `${JSON.stringify(PartFile.parse(part), null, 1)}\n`);
  return {
    buildId: plan.buildId,
    outcome: "part",
    heldBack: [],
    gates: [],
    report: composePartReport(plan, state, made),
    delta: plan.delta,
  };
}

/**
 * Gates and publishes state folders made by `buildStatePart`; the market and the other states are linked from the
 * current build. Throws a `UserError` for a damaged part, for a part made by other code or another registry, and for two parts
 * of one state.
 */
export async function assemble(dirs: readonly string[], options: BuildOptions): Promise<BuildResult> {
  const parts = new Map<string, {dir: string; part: PartFile}>();
  for (const dir of dirs) {
    const part = await readPart(dir);
    if (parts.has(part.state)) throw new UsageError(`${dir}: ${part.state} was given already.`);
    parts.set(part.state, {dir, part});
  }
  const all = [...parts.values()].map(({part}) => part);
  return build({
    ...options,
    rawDir: dirs.join(", "),
    asOf: sameDay(all),
    only: [...parts.keys()],
    listFiles: async () =>
      all.flatMap(({inputs}) => inputs.map((input) => ({...input, absolutePath: input.path}))),
    stages: {
      ...options.stages,
      async buildState({state, outDir}) {
        const {dir, part} = parts.get(state)!;
        for (const {path} of part.files) await cp(join(dir, path), join(outDir, path));
        return part.made;
      },
    },
    delta: await deltaOfParts([...parts.values()], options.data),
    expectedDigests: new Map(all.map(({state, inputs_sha256}) => [state, inputs_sha256])),
  });
}

/**
 * Gives the delta that the parts hold. Throws a `UserError` for a part that knows less of it than the published build, because
 * found parcels would be lost.
 */
async function deltaOfParts(
  parts: readonly {dir: string; part: PartFile}[],
  data: DataFolder,
): Promise<DeltaInputs> {
  const current = await currentBuild(data);
  const states = new Map<string, StateDelta>();
  for (const {dir, part} of parts) {
    const {state, delta_sha256: sha256} = part;
    const known = new Map(part.delta.map(({segment, bytes}) => [segment, bytes]));
    const behind = [...marksIn(current, state).values()].find(
      ({segment, bytes}) => (known.get(segment) ?? 0) < bytes,
    );
    if (behind !== undefined) {
      throw new UserError(
        `${dir}: made without parcels that ${current!.manifest.build_id} holds (${behind.segment}). Build it again beside this data folder.`,
      );
    }
    if (sha256 === null) continue;
    const path = join(dir, carriedPath(state));
    const text = await readFile(path, "utf8").catch(() => "");
    states.set(state, {records: readCarried(text), damage: [], sha256});
  }
  const marks = new Map(parts.map(({part}) => [part.state, part.delta]));
  return {states, marksOf: (state) => marks.get(state) ?? [], counts: []};
}

async function readPart(dir: string): Promise<PartFile> {
  const path = join(dir, "part.json");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UsageError(
      `${path}: cannot be read (${messageOf(error)}). A part is a folder that "cattle build --part" made.`,
    );
  });
  const parsed = PartFile.safeParse(JSON.parse(text));
  if (!parsed.success) throw new UserError(`${path}: not a part:\n${prettifyError(parsed.error)}`);
  for (const file of parsed.data.files) {
    const fault = await fileFault(join(dir, file.path), file, "full").catch(messageOf);
    if (fault !== null) throw new UserError(`${join(dir, file.path)}: ${fault}.`);
  }
  return parsed.data;
}

function sameDay(parts: readonly PartFile[]): string {
  const days = [...new Set(parts.map(({as_of_date}) => as_of_date))];
  if (days.length !== 1)
    throw new UserError(`The parts were built as of different days: ${days.join(", ")}.`);
  return days[0]!;
}

async function describe(folder: string) {
  const db = await openDatabase();
  try {
    return await describeFiles(db, folder);
  } finally {
    db.close();
  }
}
