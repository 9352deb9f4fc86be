import {rm} from "node:fs/promises";
import {join} from "node:path";
import {syncFolder} from "@open-cattle/safe-files";
import {isUserError} from "../../lib/errors.ts";
import {lockBuild, readLeases, sweepRun} from "../../lib/process/run-folder.ts";
import {buildFolder, currentBuildId, type DataFolder, retainedBuilds} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import type {Manifest, ManifestInput} from "../../schemas/manifest.ts";
import {metaPath} from "../raw/meta-file.ts";
import {listRawFiles, newestSets} from "../raw/raw-files.ts";
import {modelBuilds, removeModelFiles} from "../results/model-files.ts";
import {oldQuarantine, removeSegments, unneededSegments} from "./segments.ts";

const keptBuilds = 3;
const keptHours = 48;
const quarantineDays = 90;

/** Builds to remove, builds to keep with the reason, and the other files to remove with them. */
type GcPlan = {
  readonly remove: string[];
  readonly keep: {buildId: string; because: string}[];
  /** Retired delta segments that every kept build has merged. */
  readonly segments: string[];
  /** Copies of damaged segments older than 90 days. */
  readonly quarantine: string[];
  /** Fetched parcel files and pulls, below the raw folder, that a newer complete one replaces and no kept build lists. */
  readonly raw: string[];
  /** Builds that are gone, of which models or their costs are kept. */
  readonly models: string[];
  /** Kept builds whose manifest cannot be read: what they need is unknown, so that of raw, models and retired segments nothing goes. */
  readonly unreadable: string[];
  /** Leases and half-made locks of dead processes, by name in `run/`. */
  readonly leases: string[];
  /** Leases whose build cannot be determined, with the reason; they protect no build. */
  readonly unreadableLeases: {name: string; fault: string}[];
};

/**
 * Plans the removal of builds. Kept are the last three, those of the last 48 hours, `current`, and those that a server may have open. A
 * build of unreadable age counts as old.
 */
export async function planGc(data: DataFolder, now: number = Date.now()): Promise<GcPlan> {
  const current = await currentBuildId(data);
  const leases = await readLeases(data, now);
  const plan: Pick<GcPlan, "remove" | "keep"> = {remove: [], keep: []};
  (await retainedBuilds(data)).forEach(({buildId, builtAt}, rank) => {
    const because = [
      buildId === current && "published",
      leases.builds.has(buildId) && "a server has it open",
      rank < keptBuilds && `one of the last ${keptBuilds}`,
      now - builtAt < keptHours * 3_600_000 && `younger than ${keptHours} hours`,
    ].find((reason) => reason !== false);
    if (because === undefined) plan.remove.push(buildId);
    else plan.keep.push({buildId, because});
  });
  const manifests: Manifest[] = [];
  const unreadable: string[] = [];
  for (const {buildId} of plan.keep) {
    const manifest = await readManifest(buildFolder(data, buildId)).catch(() => null);
    if (manifest === null) unreadable.push(buildId);
    else manifests.push(manifest);
  }
  return {
    ...plan,
    ...(unreadable.length > 0 ? nothingUnneeded : await unneededFiles(data, manifests)),
    unreadable,
    quarantine: await oldQuarantine(data, now - quarantineDays * 24 * 3_600_000),
    leases: [...leases.dead],
    unreadableLeases: [...leases.unreadable],
  };
}

type UnneededFiles = Pick<GcPlan, "segments" | "raw" | "models">;
const nothingUnneeded: UnneededFiles = {segments: [], raw: [], models: []};

/** The files that no build of these manifests needs. */
async function unneededFiles(data: DataFolder, manifests: readonly Manifest[]): Promise<UnneededFiles> {
  const makers = new Set(
    manifests.flatMap(({build_id, market, states}) => [
      build_id,
      ...[market, ...Object.values(states)].map((part) => part?.built_in),
    ]),
  );
  return {
    segments: await unneededSegments(data, manifests),
    raw: await unneededRaw(
      data.raw,
      manifests.map(({inputs}) => inputs),
    ),
    models: (await modelBuilds(data)).filter((id) => !makers.has(id)),
  };
}

/**
 * Removes what no kept build needs: old builds with their models, merged delta segments, copies of damaged segments, replaced raw files and
 * leases of dead processes. Returns the plan that it carried out. Throws a `UserError` if another process builds.
 */
export async function collectGarbage(
  data: DataFolder,
  now: number = Date.now(),
  lock: Parameters<typeof lockBuild>[1] = {},
): Promise<GcPlan> {
  await using _lock = await lockBuild(data, lock);
  const plan = await planGc(data, now);
  for (const buildId of plan.remove) await rm(buildFolder(data, buildId), {recursive: true});
  if (plan.remove.length > 0) await syncFolder(data.builds);
  await removeSegments(data, plan);
  await removeRaw(data.raw, plan.raw);
  for (const buildId of plan.models) await removeModelFiles(data, buildId);
  return {...plan, leases: await sweepRun(data, now)};
}

/**
 * Returns the fetched parcel files and pulls, below the raw folder, that a newer complete one replaces and no retained build lists; empty
 * without a raw folder.
 */
async function unneededRaw(rawDir: string, kept: readonly (readonly ManifestInput[])[]): Promise<string[]> {
  const files = await listRawFiles(rawDir, {needsDigest: () => false}).catch((error: unknown) => {
    if (isUserError(error) && error.code === "no_raw_folder") return [];
    throw error;
  });
  const named = kept.flat().map(({path}) => path);
  return newestSets(files)
    .replaced.map(({path}) => path)
    .filter((path) => !named.some((input) => input === path || input.startsWith(`${path}/`)))
    .sort();
}

/** Removes the paths from `unneededRaw`, each with its meta file. */
async function removeRaw(rawDir: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await rm(join(rawDir, path), {recursive: true, force: true});
    await rm(metaPath(join(rawDir, path)), {force: true});
  }
}
