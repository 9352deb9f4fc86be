import {mkdir, rm} from "node:fs/promises";
import {dirname, join} from "node:path";
import {writeScratch} from "@open-cattle/safe-files";
import {textOfFault, UserError} from "../../lib/errors.ts";
import {carriedPath, MARKET} from "../../lib/storage/build-layout.ts";
import {addsUp, type FileReport} from "../../schemas/build-report.ts";
import type {GateResult, StatePart} from "../../schemas/manifest.ts";
import type {MadeModel, StateModel} from "../../schemas/model-report.ts";
import type {MarketStageResult, StateStageResult} from "../../schemas/part-file.ts";
import type {BaseBuild} from "../parcels/kept-rows.ts";
import {isSystemFault} from "../raw/document-reader.ts";
import {isSameFile} from "../raw/file-digest.ts";
import type {RawFile} from "../raw/raw-files.ts";
import {type BuildPlan, countryOf, type PlannedPart} from "./build-plan.ts";
import {carriedText, type StateDelta} from "./delta-inputs.ts";
import {syncFilesBelow} from "./durable.ts";
import {type Examined, examineMarket, examineState} from "./examine.ts";
import {applyAcceptances, gateText} from "./gate.ts";
import {stateDay} from "./inputs.ts";
import {acceptedByStage, acceptsShrunk, type BuildOptions} from "./options.ts";
import type {Published} from "./published-builds.ts";

/**
 * The output folder of a part, laid out like a build, a temporary folder for its stage, and the file in which the market leaves its models,
 * if they are kept.
 */
type StagePlace = {readonly outDir: string; readonly tempDir: string; readonly modelsFile?: string};

/** What a stage made, and the part as actually made. */
type MadeOf<Made> = {readonly part: PlannedPart; readonly made: Made};

/** Retries before giving up on a folder that keeps changing. */
const maxRounds = 4;

/** A part after its stage and gates. `failure` says why it cannot be published; `facts` is null then. */
type StagedPart = {
  /** The part as actually made, without files that changed meanwhile. */
  readonly part: PlannedPart;
  readonly facts: Examined["facts"] | null;
  readonly reports: FileReport[];
  readonly gates: GateResult[];
  /** The models of the market; empty for a state, and for a market that could not be made. */
  readonly models: readonly MadeModel[];
  /** The models of a state; empty for the market, and for a state that could not be made. */
  readonly stateModels: readonly StateModel[];
  readonly failure: string | null;
  /** True for a failure of the machine, such as a full disk: the same inputs may succeed next time. */
  readonly mayPass: boolean;
};

/**
 * Runs the stage of one part, syncs and opens the files that it wrote, and applies the gates. A throwing stage or a failing gate becomes a
 * `failure`, not an exception, so that the other parts continue. Where a source of a state lost too many rows of a county, the state is made
 * again without its files: the rows of the base build stay, and the other sources go on.
 */
export async function stagePart(
  part: PlannedPart,
  plan: BuildPlan,
  options: BuildOptions,
  place: StagePlace,
): Promise<StagedPart> {
  try {
    const first = await judged(part, plan, options, place);
    const without = first.failure === null ? null : withoutSources(part, first.shrunk, first.failure);
    if (without === null) return first;
    await clear(place);
    const second = await judged(without, plan, options, place);
    if (second.failure !== null) return first;
    const warned = first.gates.flatMap((gate) =>
      gate.status === "fail" ? {...gate, status: "warn" as const} : [],
    );
    return {...second, gates: [...second.gates, ...warned]};
  } finally {
    await rm(place.tempDir, {recursive: true, force: true});
  }
}

/** The part without the files of these sources, which say why; null if no other source has files, or none of these has any. */
function withoutSources(part: PlannedPart, sources: readonly string[], because: string): PlannedPart | null {
  const isOut = ({feedOrEntryId}: RawFile) => sources.includes(feedOrEntryId);
  if (part.files.every(isOut) || !part.files.some(isOut)) return null;
  const files = part.files.map((file) =>
    isOut(file) ? withFault(file, `${file.path}: left out: ${because}`) : file,
  );
  // With a digest of its own, the part is made again by the next run, and when a person accepts the gate.
  return {...part, files, inputsSha256: part.digestOf(files)};
}

type JudgedPart = StagedPart & Pick<Examined, "shrunk">;

async function judged(
  part: PlannedPart,
  plan: BuildPlan,
  options: BuildOptions,
  place: StagePlace,
): Promise<JudgedPart> {
  await mkdir(place.outDir, {recursive: true});
  await mkdir(place.tempDir, {recursive: true});
  const reports: FileReport[] = [];
  try {
    const {
      part: made,
      facts,
      gates: results,
      shrunk,
      models,
      stateModels,
    } = await run(part, plan, options, place, reports);
    const gates = applyAcceptances(results, options.acceptances);
    const failed = gates.filter(({status}) => status === "fail");
    const failure = failed.length === 0 ? null : failed.map(gateText).join("; ");
    return {
      part: made,
      facts: failure === null ? facts : null,
      ...{reports, gates, models, stateModels, failure, shrunk},
      mayPass: false,
    };
  } catch (error) {
    const mayPass = isSystemFault(error);
    return {
      part,
      facts: null,
      reports,
      gates: [],
      models: [],
      stateModels: [],
      failure: textOfFault(error),
      mayPass,
      shrunk: [],
    };
  }
}

async function run(
  planned: PlannedPart,
  plan: BuildPlan,
  options: BuildOptions,
  {outDir, tempDir, ...kept}: StagePlace,
  reports: FileReport[],
): Promise<Examined & Pick<StagedPart, "part" | "models" | "stateModels">> {
  const {stages} = options;
  const {asOf, sample} = plan;
  if (planned.name === MARKET) {
    const {part, made} = await makeMarket(planned, plan, options, {outDir, tempDir, ...kept});
    await finishStage(outDir, made.files, reports);
    const examined = await examineMarket({part, plan, stages, outDir, made});
    return {part, models: made.models ?? [], stateModels: [], ...examined};
  }
  const {part, made} = await makeState(planned, options, {asOf, sample, base: plan.base, outDir, tempDir});
  await finishStage(outDir, made.files, reports);
  const examined = await examineState({part, plan, stages, outDir, made});
  return {part, models: [], stateModels: made.models ?? [], ...examined};
}

/** Runs the market stage and returns its result, with the part as actually made. */
export async function makeMarket(
  planned: PlannedPart,
  plan: BuildPlan,
  options: Pick<BuildOptions, "stages" | "acceptances">,
  place: StagePlace,
): Promise<MadeOf<MarketStageResult>> {
  return madeOfUnchanged(planned, place, (part) => runMarket(part, plan, options, place));
}

async function runMarket(
  {files, inputsSha256}: PlannedPart,
  {asOf, sample, earlier}: BuildPlan,
  options: Pick<BuildOptions, "stages" | "acceptances">,
  {outDir, tempDir, modelsFile}: StagePlace,
): Promise<MarketStageResult> {
  return options.stages.buildMarket({
    files,
    outDir,
    asOf,
    inputsSha256,
    previousDir: earlier?.manifest.market ? earlier.dir : null,
    sample,
    acceptShrunk: acceptsShrunk(options),
    tempDir,
    ...(modelsFile === undefined ? {} : {modelsFile}),
  });
}

/**
 * Runs the stage of a state and returns its result, with the part as actually made. Found parcels are written beside its files for the next
 * build.
 */
export async function makeState(
  planned: PlannedPart,
  options: Pick<BuildOptions, "stages" | "acceptances">,
  place: StatePlace,
): Promise<MadeOf<StateStageResult>> {
  return madeOfUnchanged(planned, place, (part) => runState(part, options, place));
}

type StatePlace = StagePlace & Pick<BuildPlan, "asOf" | "sample" | "base">;

async function runState(
  part: PlannedPart,
  options: Pick<BuildOptions, "stages" | "acceptances">,
  {asOf, sample, base, outDir, tempDir}: StatePlace,
): Promise<StateStageResult> {
  const {name: state, entries, files} = part;
  const records = part.delta?.records ?? [];
  const made = await options.stages.buildState({
    state,
    country: countryOf(part),
    entries,
    files,
    found: records.map(({record}) => record),
    base: part.base === null || base === null ? null : baseOf(base, part.base as StatePart),
    outDir,
    asOf: stateDay(files, asOf),
    agesFrom: asOf,
    inputsSha256: part.inputsSha256,
    sample,
    accepted: acceptedByStage(state, options),
    tempDir,
  });
  if (records.length > 0) await writeCarried(join(outDir, carriedPath(state)), records);
  return made;
}

function baseOf({dir, manifest}: Published, {sources}: StatePart): BaseBuild {
  const complete = sources.flatMap((source) => (source.complete ? [source.id] : []));
  return {buildId: manifest.build_id, dir, complete};
}

async function writeCarried(path: string, records: StateDelta["records"]): Promise<void> {
  await mkdir(dirname(path), {recursive: true});
  await writeScratch(path, [carriedText(records)]);
}

async function finishStage(outDir: string, made: FileReport[], reports: FileReport[]): Promise<void> {
  reports.push(...made);
  const unaccounted = made.find((report) => !addsUp(report));
  if (unaccounted) throw new UserError(`${unaccounted.path}: rows in and rows out do not add up.`);
  await syncFilesBelow(outDir);
}

/**
 * Runs a stage on files that stay untouched from digest to end of reading, so that the manifest lists what was really read
 * (`docs/design/reliability.md` section 2.1). A file that changed is left out by name, and the stage runs again without it. Throws a
 * `UserError` if files change in each of four rounds.
 */
async function madeOfUnchanged<Made>(
  planned: PlannedPart,
  {outDir, tempDir}: StagePlace,
  make: (part: PlannedPart) => Promise<Made>,
): Promise<MadeOf<Made>> {
  let part = await withoutChanged(planned);
  for (let round = 0; round < maxRounds; round++) {
    // A file truncated while being read may make the stage fail.
    const made = await make(part).then(
      (value) => ({value}),
      (thrown: unknown) => ({thrown}),
    );
    const next = await withoutChanged(part);
    if (next === part) {
      if ("thrown" in made) throw made.thrown;
      return {part, made: made.value};
    }
    part = next;
    await clear({outDir, tempDir});
  }
  throw new UserError(
    `${planned.name}: raw files go on changing while they are read. Build again when they rest.`,
  );
}

async function clear({outDir, tempDir}: StagePlace): Promise<void> {
  for (const folder of [outDir, tempDir]) {
    await rm(folder, {recursive: true, force: true});
    await mkdir(folder, {recursive: true});
  }
}

/** Puts a fault in place of each file that changed since its digest was taken; returns the same part if none did. */
async function withoutChanged(part: PlannedPart): Promise<PlannedPart> {
  const files: RawFile[] = [];
  let changed = false;
  for (const file of part.files) {
    const {identity, absolutePath, sha256, path} = file;
    const isSame = identity === undefined || (await isSameFile(absolutePath, identity, sha256));
    changed ||= !isSame;
    files.push(
      isSame ? file : withFault(file, `${path}: changed after its digest was taken, and was not read.`),
    );
  }
  return changed ? {...part, files, inputsSha256: part.digestOf(files)} : part;
}

function withFault({identity: _gone, ...file}: RawFile, fault: string): RawFile {
  return {...file, sha256: "", fault};
}
