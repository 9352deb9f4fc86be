import {existsSync} from "node:fs";
import {link, mkdir, readFile, rename, rm} from "node:fs/promises";
import {dirname, join} from "node:path";
import {openArrowTable} from "@open-cattle/mapped-index";
import {digestFile, fileDifference} from "@open-cattle/safe-files";
import {readStateKinds, writeProvenanceTexts} from "../../lib/parcels/record/provenance-file.ts";
import {registeredSource, type SourceRegistry} from "../../lib/parcels/record/source-facts.ts";
import {isCarried, MARKET} from "../../lib/storage/build-layout.ts";
import type {BuildReport, FileReport} from "../../schemas/build-report.ts";
import type {GateResult, ManifestFile, MarketPart, StatePart} from "../../schemas/manifest.ts";
import type {MadeModel, ModelReport, StateModel} from "../../schemas/model-report.ts";
import {readBuildReport} from "../results/report-counts.ts";
import type {BuildPlan, PlannedPart} from "./build-plan.ts";
import {syncFile} from "./durable.ts";
import type {BuildOptions} from "./options.ts";
import type {Staging} from "./part-folder.ts";
import type {Published} from "./published-builds.ts";
import {stagePart} from "./stage-part.ts";
import type {SourceEntry} from "./stages.ts";

/** What a build did with one part. */
export type PartOutcome = {
  readonly planned: PlannedPart;
  /** The manifest entry; null if there is nothing to publish. */
  readonly part: MarketPart | StatePart | null;
  readonly reports: FileReport[];
  readonly gates: GateResult[];
  /** Why the part was held back or left out; null if it is in order. */
  readonly heldBack: string | null;
  /** The models of the market; those of a linked one without their costs, and none for a state. */
  readonly models: readonly (MadeModel | ModelReport)[];
  /** The models of a state that was made; empty for one that is linked. */
  readonly stateModels?: readonly StateModel[];
};

/** Executes the plan of one part: builds it, or links it from the base build. A part that fails is linked as well. */
export async function makePart(
  planned: PlannedPart,
  plan: BuildPlan,
  options: BuildOptions,
  staging: Staging,
): Promise<PartOutcome> {
  if (planned.action === "build") return buildPart(planned, plan, options, staging);
  const linked = await linkFromBase(planned, plan, {staging, entries: options.stages.entries});
  if (linked.fault === null) {
    const wasRequested = planned.action === "reuse" || planned.because === "not asked for";
    if (!wasRequested) return heldBack(planned, linked, planned.because, []);
    const part = {
      ...linked.part!,
      status: linked.part!.status === "held_back" ? linked.part!.status : ("reused" as const),
      // Equal inputs, so the state has no record between the old and the new watermark.
      ...(planned.action === "reuse" ? {delta: [...planned.marks]} : {}),
    };
    return {planned, part, reports: linked.reports, gates: [], heldBack: null, models: linked.models};
  }
  // Damage in the base build is never linked; rebuilding from the same inputs gives the same bytes.
  if (planned.action === "reuse") return buildPart(planned, plan, options, staging);
  return heldBack(planned, {...linked, part: null}, linked.fault, []);
}

/** The file in which the market leaves its models until the build is published. */
export function modelsFile({workDir}: Staging): string {
  return join(workDir, MARKET, "models.duckdb");
}

async function buildPart(
  planned: PlannedPart,
  plan: BuildPlan,
  options: BuildOptions,
  staging: Staging,
): Promise<PartOutcome> {
  const work = join(staging.workDir, planned.name);
  const place = {
    ...{outDir: join(work, "files"), tempDir: join(work, "temp")},
    ...(options.keepModels ? {modelsFile: modelsFile(staging)} : {}),
  };
  const {
    part: made,
    facts,
    reports,
    gates,
    models,
    stateModels,
    failure,
    mayPass,
  } = await stagePart(planned, plan, options, place);
  if (facts !== null) {
    await movePart(place.outDir, staging.dir, facts.files);
    const part = {
      status: "built" as const,
      built_in: plan.buildId,
      inputs_sha256: made.inputsSha256,
      attempted_inputs_sha256: null,
      held_back_because: null,
      delta: [...planned.marks],
      ...facts,
    } as MarketPart | StatePart;
    return {planned: made, part, reports, gates, heldBack: null, models, stateModels};
  }
  await rm(work, {recursive: true, force: true});
  if (planned.base === null) return heldBack(made, {part: null, reports, models: []}, failure!, gates);
  const {fault, ...linked} = await linkFromBase(planned, plan, {staging, entries: options.stages.entries});
  const because = fault === null ? failure! : `${failure}; ${fault}`;
  const last = fault === null ? {...linked, reports} : {part: null, reports, models: []};
  const kept = heldBack(made, last, because, gates);
  // A transient failure is not the inputs' fault: without the digest, the next run retries instead of adopting this build.
  return mayPass && kept.part !== null
    ? {...kept, part: {...kept.part, attempted_inputs_sha256: null}}
    : kept;
}

type LinkedPart = Pick<PartOutcome, "part" | "reports" | "models">;

function heldBack(
  planned: PlannedPart,
  {part, reports, models}: LinkedPart,
  because: string,
  gates: GateResult[],
): PartOutcome {
  const keptPart =
    part === null
      ? null
      : {
          ...part,
          status: "held_back" as const,
          attempted_inputs_sha256: planned.action === "build" ? planned.inputsSha256 : null,
          held_back_because: because.split("\n")[0]!,
        };
  return {planned, part: keptPart, reports, gates, heldBack: because, models};
}

async function linkFromBase(
  {base, name}: PlannedPart,
  plan: BuildPlan,
  {staging, entries}: {staging: Staging; entries: readonly SourceEntry[]},
): Promise<LinkedPart & {fault: string | null}> {
  const from = plan.base as Published;
  const fault = await linkPart(from.dir, staging.dir, base!.files);
  const report: BuildReport | null = await readBuildReport(from.dir).catch(() => null);
  const reports = report?.parts[name] ?? [];
  const models = name === MARKET ? (report?.models ?? []) : [];
  if (fault !== null || from.manifest.as_of_date === plan.asOf) return {part: base, reports, models, fault};
  const files = await Promise.all(
    base!.files.map((file) => withRenewedTexts(file, {dir: staging.dir, plan, entries})),
  );
  return {part: {...base!, files} as MarketPart | StatePart, reports, models, fault};
}

/** The manifest entry of a linked file; provenance texts are renewed for the day of this build. */
async function withRenewedTexts(
  file: ManifestFile,
  {dir, plan: {asOf}, entries}: {dir: string; plan: BuildPlan; entries: readonly SourceEntry[]},
): Promise<ManifestFile> {
  if (!file.path.endsWith("/provenance.arrow")) return file;
  const path = join(dir, file.path);
  const own = new Map(entries.map((entry) => [entry.id, entry]));
  const sources = (id: string) => own.get(id) ?? registeredSource(id);
  return (await renewTexts(path, {asOf, sources})) ? {...file, ...(await digestFile(path))} : file;
}

/**
 * Links a part's files from another build into a staging folder. Each SHA-256 is checked first, because a link shares the bytes and damage
 * would spread. Returns null, or the first fault found; nothing was linked then. Carried records are linked as they are, or missing as they
 * are: no answer comes from them, and without them the state would have to go.
 */
async function linkPart(
  fromDir: string,
  toDir: string,
  files: readonly ManifestFile[],
): Promise<string | null> {
  for (const file of files) {
    const fault = await faultOf(join(fromDir, file.path), file);
    if (fault !== null && !isCarried(file.path)) return `${fromDir}/${file.path}: ${fault}`;
  }
  for (const {path} of files) {
    if (isCarried(path) && !existsSync(join(fromDir, path))) continue;
    await mkdir(dirname(join(toDir, path)), {recursive: true});
    await link(join(fromDir, path), join(toDir, path));
  }
  return null;
}

/** Moves the files of a part that passed its gates to those of the other parts. */
async function movePart(fromDir: string, toDir: string, files: readonly ManifestFile[]): Promise<void> {
  for (const {path} of files) {
    await mkdir(dirname(join(toDir, path)), {recursive: true});
    await rename(join(fromDir, path), join(toDir, path));
  }
}

async function faultOf(path: string, file: ManifestFile): Promise<string | null> {
  try {
    return await fileDifference(path, file, "full");
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "is missing";
    if (code === "EIO") return "cannot be read (EIO)";
    throw error;
  }
}

/**
 * Rewrites a state's provenance texts for another as-of day, from what the file itself records, so that a reused state shows the
 * confidences of the build it is in. Returns false if the texts are unchanged; otherwise the file is replaced, and hard links elsewhere
 * keep the old content.
 */
export async function renewTexts(
  path: string,
  context: {asOf: string; sources: SourceRegistry},
): Promise<boolean> {
  const before = await readFile(path);
  const bytes = new Uint8Array(before).buffer;
  const fresh = `${path}.new`;
  await writeProvenanceTexts(fresh, readStateKinds(openArrowTable(bytes, path)), context);
  if (before.equals(await readFile(fresh))) {
    await rm(fresh);
    return false;
  }
  await syncFile(fresh);
  await rename(fresh, path);
  return true;
}
