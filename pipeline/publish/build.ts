import {rename} from "node:fs/promises";
import {join} from "node:path";
import {digestFile, makeOwnFolder, sharedFolder, syncFolder, writeNew} from "@open-cattle/safe-files";
import {messageOf, UserError} from "../../lib/errors.ts";
import {lockBuild, sweepRun} from "../../lib/process/run-folder.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {buildDocuments, MARKET} from "../../lib/storage/build-layout.ts";
import {buildFolder, type DataFolder} from "../../lib/storage/data-folder.ts";
import {manifestText, readManifest, servedFaults} from "../../lib/storage/manifest-file.ts";
import {writeNote} from "../../lib/text/terminal-output.ts";
import type {BuildReport, FileReport} from "../../schemas/build-report.ts";
import type {GateResult, Manifest, ManifestFile} from "../../schemas/manifest.ts";
import {type BuildPlan, type PlannedPart, planBuild} from "../parts/build-plan.ts";
import type {DeltaCounts} from "../parts/delta-inputs.ts";
import {closeForWriting, passFailpoint, syncFile, syncFoldersBelow} from "../parts/durable.ts";
import {heldBackByBuild} from "../parts/gate.ts";
import type {BuildOptions, Extent} from "../parts/options.ts";
import {makeStaging, type Staging, sweepStaging} from "../parts/part-folder.ts";
import {makePart, modelsFile, type PartOutcome} from "../parts/part-outcome.ts";
import {bytesNeeded, checkFileSystem, checkFreeSpace, sweepProbes} from "../parts/preflight.ts";
import {heldBackParts} from "../parts/published-builds.ts";
import type {Stages} from "../parts/stages.ts";
import {describeFile, tableFiles} from "../parts/table-files.ts";
import {modelsPage} from "../report/models-section.ts";
import {reportHtml} from "../report/report-html.ts";
import {writeModelFiles} from "../results/model-files.ts";
import {allReports, isUnread, readBuildReport, rejectedRows, sumText} from "../results/report-counts.ts";
import {composeManifest, composeReport} from "./compose.ts";
import {croissantText} from "./dataset/croissant.ts";
import {dataPackageText} from "./dataset/datapackage.ts";
import {parcelSourcesPath, writeParcelSources} from "./parcel-sources-table.ts";
import {pointCurrentTo, sweepLinks} from "./publish.ts";
import {repairSegments, retireSegments} from "./segments.ts";

/** The result of a build. */
export type BuildResult = {
  readonly buildId: string;
  /**
   * `published`: a new build was made. `adopted`: the same inputs had already been built. `nothing`: no part could be built, and `current`
   * stays. `part`: a part was written and not published.
   */
  readonly outcome: "published" | "adopted" | "nothing" | "part";
  readonly heldBack: {part: string; because: string}[];
  readonly gates: GateResult[];
  readonly report: BuildReport;
  /** Record counts per delta folder: accepted, rejected and merged. */
  readonly delta: readonly DeltaCounts[];
};

/** Plans a build without executing it; at most it creates folders in the data folder. */
export async function dryRun(options: BuildOptions): Promise<BuildPlan> {
  return plannedBuild(options);
}

function plannedBuild(options: BuildOptions, say?: (text: string) => void): Promise<BuildPlan> {
  return planBuild(options, (buildId, parts) => isSound(options.data, buildId, parts), say);
}

/**
 * Builds the parts that are due and publishes them: plan, stages, gates, manifest, rename, `current`. Then retires the delta segments that
 * it has merged (`docs/design/reliability.md` section 2.2). Throws a `UserError` for a fault that the user can fix; nothing was published
 * then and the staging folder is gone.
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const {data} = options;
  await checkFileSystem(data, options.allowNetworkFs);
  await using _lock = await lockBuild(data);
  passFailpoint("locked");
  await sweepRun(data);
  await sweepStaging(data.builds, ".tmp-");
  await sweepLinks(data);
  await sweepProbes(data);
  await repairSegments(data.delta);
  const plan = await options.step("plan", (say) => plannedBuild(options, say));
  passFailpoint("planned");
  return plan.adopts ? await adopt(data, plan) : await buildPlanned(plan, options);
}

/** Returns the exit code of a build (`docs/design/architecture.md` section 7). */
export function exitCode({outcome, heldBack, report}: BuildResult): 0 | 3 | 4 {
  if (outcome === "nothing") return 4;
  return heldBack.length > 0 || allReports(report).some(isUnread) ? 3 : 0;
}

async function buildPlanned(plan: BuildPlan, options: BuildOptions): Promise<BuildResult> {
  const {data} = options;
  const due = plan.parts.filter(({action}) => action === "build");
  await checkFreeSpace(data, bytesNeeded(due.flatMap(({files}) => files)));
  await using staging = await makeStaging(join(data.builds, `.tmp-${plan.buildId}-${process.pid}`));
  passFailpoint("staging");
  const outcomes = await makeParts(plan, options, staging);
  passFailpoint("parts-staged");
  const report = composeReport(plan, outcomes);
  if (!outcomes.some(({heldBack}) => heldBack === null)) return result("nothing", plan, outcomes, report);
  await finish(plan, options, outcomes, report, staging);
  await putInPlace(data, plan.buildId, staging);
  await keepModelFiles(data, plan.buildId, outcomes, staging);
  await pointCurrentTo(data, plan.buildId);
  await retireSegments(data);
  return result("published", plan, outcomes, report);
}

async function makeParts(plan: BuildPlan, options: BuildOptions, staging: Staging): Promise<PartOutcome[]> {
  const {jobs = 1} = options;
  const extents = extentsOf(plan);
  const ordered = [...plan.parts];
  // Largest part first, so that no large part is left running alone at the end.
  if (jobs > 1) ordered.sort((a, b) => extents.get(b)!.bytes - extents.get(a)!.bytes);
  // All workers share one generator. A worker that throws closes it, so that the others start no further part.
  const queue = (function* () {
    yield* ordered;
  })();
  const outcomes = new Map<PlannedPart, PartOutcome>();
  const work = async () => {
    for (const planned of queue) {
      const make = async (say: (text: string) => void) => {
        say(`${planned.action}: ${planned.because}`);
        const made = await makePart(planned, plan, options, staging);
        say(summary(made));
        return made;
      };
      outcomes.set(planned, await options.step(planned.name, make, extents.get(planned)));
      passFailpoint("part-staged");
    }
  };
  // Wait for every worker, so that nothing writes into the staging folder while it is removed.
  const ends = await Promise.allSettled(Array.from({length: jobs}, work));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  return plan.parts.map((planned) => outcomes.get(planned)!);
}

/** Returns each part's position and bytes; a part linked from another build reads nothing. */
function extentsOf({parts}: BuildPlan): Map<PlannedPart, Extent> {
  const sizes = parts.map(({action, files}) =>
    action === "build" ? files.reduce((sum, {sizeBytes}) => sum + sizeBytes, 0) : 0,
  );
  const before = (i: number) => sizes.slice(0, i).reduce((sum, bytes) => sum + bytes, 0);
  const extentAt = (i: number): Extent => ({
    number: i + 1,
    of: sizes.length,
    bytes: sizes[i]!,
    bytesBefore: before(i),
    bytesInAll: before(sizes.length),
  });
  return new Map(parts.map((planned, i) => [planned, extentAt(i)]));
}

function summary({reports, heldBack, part}: PartOutcome): string {
  const state = heldBack === null ? (part?.status ?? "left out") : `HELD BACK: ${heldBack.split("\n")[0]}`;
  const counts = [
    `${sumText(reports, ({accepted}) => accepted)} rows`,
    `${sumText(reports, seenTwice)} seen twice`,
    `${sumText(reports, (report) => rejectedRows(report) - copies(report))} rejected`,
  ];
  return [...counts, state].join("  ");
}

/** Rows of a file that duplicate another row; nothing of them is lost. */
function seenTwice(report: FileReport): number {
  return report.merged + copies(report);
}

function copies({rejected}: FileReport): number {
  return rejected["duplicate_id"] ?? 0;
}

/** Writes the build-level files, then the manifest, and syncs everything, deepest folders first. */
async function finish(
  plan: BuildPlan,
  options: BuildOptions,
  outcomes: PartOutcome[],
  report: BuildReport,
  {dir}: Staging,
): Promise<void> {
  const parts = composeManifest(plan, options, outcomes, []);
  const ofBuild = await writeTablesOfBuild(dir, parts, options.stages);
  const described = {...parts, files: ofBuild};
  const tables = await tableFiles(dir, described);
  await writeNew(join(dir, "datapackage.json"), dataPackageText(tables, described, options.stages));
  await writeNew(join(dir, "croissant.json"), croissantText(tables, described));
  await writeNew(join(dir, "report.json"), `${JSON.stringify(report, null, 1)}\n`);
  await writeNew(join(dir, "report.html"), await reportHtml(dir, plan, outcomes, report));
  const files = [...ofBuild];
  for (const path of buildDocuments) {
    files.push({path, ...(await digestFile(join(dir, path))), rows: null, schema_sha256: null});
  }
  passFailpoint("before-manifest");
  const manifest = composeManifest(
    plan,
    options,
    outcomes,
    files.sort((a, b) => (a.path < b.path ? -1 : 1)),
  );
  await writeNew(join(dir, "manifest.json"), manifestText(manifest));
  passFailpoint("after-manifest");
  await requireFileSet(dir, manifest);
  await closeForWriting(dir);
  await syncFoldersBelow(dir);
}

/** Keeps what the models cost, and those of the market if asked. They are no part of the build: a failure is said and stops nothing. */
async function keepModelFiles(
  data: DataFolder,
  buildId: string,
  outcomes: readonly PartOutcome[],
  staging: Staging,
): Promise<void> {
  const models = outcomes.flatMap((outcome) => outcome.models);
  const page = modelsPage(buildId, models);
  const states = Object.fromEntries(
    outcomes.flatMap(({planned, stateModels = []}) =>
      stateModels.length === 0 ? [] : [[planned.name, stateModels]],
    ),
  );
  const written = {models, states, page, kept: modelsFile(staging)};
  await writeModelFiles(data, buildId, written).catch((error: unknown) => {
    writeNote(`models: not kept: ${messageOf(error)}\n`);
  });
}

/** Writes the build-level tables and returns their manifest entries; empty for a build without parcels. */
async function writeTablesOfBuild(dir: string, parts: Manifest, stages: Stages): Promise<ManifestFile[]> {
  if (Object.keys(parts.states).length === 0) return [];
  await writeParcelSources(dir, parts, stages);
  await syncFile(join(dir, parcelSourcesPath));
  using db = await openDatabase();
  return [await describeFile(db, dir, parcelSourcesPath)];
}

/** Throws, before the rename, unless the folder contains exactly the files that the manifest lists, in those sizes. */
async function requireFileSet(dir: string, manifest: Manifest): Promise<void> {
  const [first] = await servedFaults(dir, manifest, {depth: "sizes"});
  if (first !== undefined)
    throw new UserError(`${dir}/${first.path}: ${first.fault}; nothing was published.`);
}

async function putInPlace(data: DataFolder, buildId: string, {dir}: Staging): Promise<void> {
  passFailpoint("before-rename");
  makeOwnFolder(data.builds, sharedFolder);
  await rename(dir, buildFolder(data, buildId));
  await syncFolder(data.builds);
  passFailpoint("after-rename");
}

async function adopt(data: DataFolder, plan: BuildPlan): Promise<BuildResult> {
  const dir = buildFolder(data, plan.buildId);
  const manifest = await readManifest(dir);
  const report = await readBuildReport(dir);
  await pointCurrentTo(data, plan.buildId);
  await retireSegments(data);
  const heldBack = heldBackParts(manifest);
  return {
    buildId: plan.buildId,
    outcome: "adopted",
    heldBack,
    gates: manifest.gates,
    report,
    delta: plan.delta,
  };
}

function result(
  outcome: BuildResult["outcome"],
  plan: BuildPlan,
  outcomes: PartOutcome[],
  report: BuildReport,
): BuildResult {
  const heldBack = outcomes.flatMap(({planned, heldBack: because}) =>
    because === null ? [] : [{part: planned.name, because}],
  );
  const gates = [...plan.gates, ...outcomes.flatMap((made) => made.gates)];
  return {
    buildId: plan.buildId,
    outcome,
    heldBack: [...heldBackByBuild(plan.gates), ...heldBack],
    gates,
    report,
    delta: plan.delta,
  };
}

async function isSound(data: DataFolder, buildId: string, parts: readonly PlannedPart[]): Promise<boolean> {
  const dir = buildFolder(data, buildId);
  const manifest = await readManifest(dir).catch(() => null);
  if (manifest === null || !parts.every((part) => isMadeOf(manifest, part))) return false;
  return (await servedFaults(dir, manifest, {depth: "full"})).length === 0;
}

/** False for a part whose files changed while that build read them, because it was made without them. */
function isMadeOf({market, states}: Manifest, {name, action, inputsSha256}: PlannedPart): boolean {
  const made = name === MARKET ? market : states[name];
  if (action !== "build" || made === null || made === undefined) return true;
  return made.inputs_sha256 === inputsSha256 || made.attempted_inputs_sha256 === inputsSha256;
}
