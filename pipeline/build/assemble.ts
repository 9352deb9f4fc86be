import {cp, mkdir, readdir, readFile, rm} from "node:fs/promises";
import {join} from "node:path";
import {prettifyError} from "zod";
import {fileFault} from "../../lib/build-files.ts";
import {openDatabase} from "../../lib/duckdb.ts";
import {messageOf, UserError} from "../../lib/errors.ts";
import {manifestFormat} from "../../schemas/manifest.ts";
import {PartFile} from "../../schemas/part-file.ts";
import {type BuildResult, build} from "./build.ts";
import {composePartReport} from "./compose.ts";
import {writeDurably} from "./durable.ts";
import {stateDay} from "./inputs.ts";
import type {BuildOptions} from "./options.ts";
import {planBuild} from "./plan.ts";
import {describeFiles} from "./table-facts.ts";

/**
 * Builds one state into `<dir>/parcels/state=XX` with `part.json` beside it, on any machine; nothing is gated or
 * published. Throws a `UserError` for a folder that is not empty and for a state without raw files.
 */
export async function buildStatePart(
  state: string,
  dir: string,
  options: BuildOptions,
): Promise<BuildResult> {
  await mkdir(dir, {recursive: true});
  if ((await readdir(dir)).length > 0)
    throw new UserError(`${dir}: not empty; a part needs a folder of its own.`);
  const plan = await planBuild({...options, only: [state], noReuse: true}, async () => false);
  const planned = plan.parts.find(({name}) => name === state);
  if (planned === undefined || planned.action !== "build") {
    throw new UserError(`${state}: no raw files of this state below ${options.rawDir}.`);
  }
  const folder = join(dir, planned.folder);
  const tempDir = join(dir, ".work");
  await mkdir(folder, {recursive: true});
  await mkdir(tempDir);
  const {country} = planned.entries[0]!.coverage;
  const {entries, files} = planned;
  const made = await options.step(state, () =>
    options.stages.buildState({
      state,
      country,
      entries,
      files,
      outDir: folder,
      asOf: stateDay(files, plan.asOf),
      tempDir,
    }),
  );
  await rm(tempDir, {recursive: true});
  const part: PartFile = {
    format: manifestFormat,
    state,
    as_of_date: plan.asOf,
    inputs_sha256: planned.inputsSha256,
    inputs: files.map(({absolutePath: _place, side: _side, ...file}) => ({...file, side: "parcels"})),
    made,
    files: await describe(folder, planned.folder),
  };
  await writeDurably(join(dir, "part.json"), `${JSON.stringify(PartFile.parse(part), null, 1)}\n`);
  return {
    buildId: plan.buildId,
    outcome: "part",
    heldBack: [],
    gates: [],
    report: composePartReport(plan, state, made),
  };
}

/**
 * Gates and publishes state folders made by `buildStatePart`; the market and the other states are linked from the
 * current build. Throws a `UserError` for a damaged part, for one made by other code or another registry, and for two of one state.
 */
export async function assemble(dirs: readonly string[], options: BuildOptions): Promise<BuildResult> {
  const parts = new Map<string, {dir: string; part: PartFile}>();
  for (const dir of dirs) {
    const part = await readPart(dir);
    if (parts.has(part.state)) throw new UserError(`${dir}: ${part.state} was given already.`);
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
        await cp(join(dir, `parcels/state=${state}`), outDir, {recursive: true});
        return part.made;
      },
    },
    expectedDigests: new Map(all.map(({state, inputs_sha256}) => [state, inputs_sha256])),
  });
}

async function readPart(dir: string): Promise<PartFile> {
  const path = join(dir, "part.json");
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw new UserError(`${path}: cannot be read: ${messageOf(error)}`);
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

async function describe(folder: string, prefix: string) {
  const db = await openDatabase();
  try {
    return await describeFiles(db, folder, `${prefix}/`);
  } finally {
    db.close();
  }
}
