import {readdir, readlink, realpath, statfs} from "node:fs/promises";
import {basename, dirname, join} from "node:path";
import {BuildId} from "../../schemas/manifest.ts";
import {ConfigError, UsageError, UserError} from "../errors.ts";
import {readManifest} from "./manifest-file.ts";

/** The paths of a data folder. */
export type DataFolder = {
  readonly root: string;
  readonly raw: string;
  readonly builds: string;
  /** Symbolic link to the published build. */
  readonly current: string;
  readonly delta: string;
  readonly run: string;
  /** When raw files without a meta file were first seen. */
  readonly firstSeen: string;
  /** The operator's decisions on the terms of sources. */
  readonly terms: string;
  /** Figures of the last build in Prometheus text format. */
  readonly metrics: string;
  /** What the models of the market cost to make, and models that a build left, by build id. */
  readonly models: string;
};

/** The paths of a data folder, which need not exist. */
export function dataFolder(root: string): DataFolder {
  return {
    root,
    raw: join(root, "raw"),
    builds: join(root, "builds"),
    current: join(root, "current"),
    delta: join(root, "delta"),
    run: join(root, "run"),
    firstSeen: join(root, "first-seen.json"),
    terms: join(root, "terms.json"),
    metrics: join(root, "metrics"),
    models: join(root, "models"),
  };
}

/**
 * The folder of a build. Throws a `UsageError` for text that is not a build id, so that no argument can
 * escape `builds/`.
 */
export function buildFolder({builds}: DataFolder, buildId: string): string {
  if (!BuildId.safeParse(buildId).success) {
    throw new UsageError(
      `${JSON.stringify(buildId)} is not a build id (expected 20261121-3f9c1a); the builds here are in ${builds}.`,
    );
  }
  return join(builds, buildId);
}

/** The fault of a `current` that is no link. */
export function notALink(current: string): UserError {
  return new UserError(
    `${current}: no link to a build, as where a copy followed the links (scp -r, cp -L). Remove it or move it away.`,
  );
}

/**
 * The id of the build that `current` links to, or null before the first publication. Throws a `UserError`
 * when the link does not lead to a build in `builds/`.
 */
export async function currentBuildId({root, builds, current}: DataFolder): Promise<string | null> {
  const target = await readlink(current).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    if (error.code === "EINVAL") throw notALink(current);
    throw new UserError(`${current}: cannot be read (${error.code}).`, {cause: error});
  });
  if (target === null) return null;
  const realTarget = await realpath(join(root, target)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ELOOP" || error.code === "ENOTDIR") return null;
    throw new UserError(`${current}: leads to ${target}, which cannot be read (${error.code}).`, {
      cause: error,
    });
  });
  const inBuilds = realTarget !== null && dirname(realTarget) === (await realpath(builds));
  if (realTarget === null || !inBuilds || !BuildId.safeParse(basename(realTarget)).success) {
    throw new UserError(`${current}: leads to ${target}, which is not a build. Run "cattle publish BUILD".`);
  }
  return basename(realTarget);
}

/** Says that a data folder has no build yet, and how one is made. */
export function nothingPublished({current}: DataFolder): string {
  return `${current}: nothing is published. The sample is in data/demo (CATTLE_DATA=data/demo); for real data run "cattle nightly".`;
}

/**
 * The id of the published build. Throws a `UserError` when nothing is published yet, and as `currentBuildId`
 * does.
 */
export async function publishedBuildId(data: DataFolder): Promise<string> {
  const buildId = await currentBuildId(data);
  if (buildId === null) throw new UserError(nothingPublished(data));
  return buildId;
}

/** The ids of all build folders, oldest as-of date first. */
export async function buildIds({builds}: DataFolder): Promise<string[]> {
  const names = await readdir(builds).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => BuildId.safeParse(name).success).sort();
}

/** A build with the time it was built (ms since 1970); 0 when its manifest cannot be read. */
type RetainedBuild = {readonly buildId: string; readonly builtAt: number};

/** The builds of a data folder, newest first; those with an unknown build time come last. */
export async function retainedBuilds(data: DataFolder): Promise<RetainedBuild[]> {
  const builds = await Promise.all((await buildIds(data)).map((buildId) => withAge(data, buildId)));
  return builds.sort((a, b) => b.builtAt - a.builtAt || (a.buildId < b.buildId ? 1 : -1));
}

async function withAge(data: DataFolder, buildId: string): Promise<RetainedBuild> {
  const manifest = await readManifest(buildFolder(data, buildId)).catch(() => null);
  return {buildId, builtAt: manifest === null ? 0 : Date.parse(manifest.built_at)};
}

/** Network file systems by `f_type` of Linux statfs(2). FUSE is included because it may be remote. */
const networkFileSystems: Readonly<Record<number, string>> = {
  26985: "NFS",
  20859: "SMB",
  4266872130: "SMB2",
  4283649346: "CIFS",
  1702057286: "FUSE",
  1397113167: "AFS",
  12805120: "Ceph",
  1937076805: "Coda",
  16914839: "9P",
};

/**
 * Throws a `ConfigError` for a folder on a network file system, where renames, locks and mapped files do not
 * behave as we need. A folder that does not exist yet passes.
 */
export async function refuseNetworkFileSystem(folder: string, allowed: boolean): Promise<void> {
  const facts = await statfs(folder).catch(() => null);
  const kind = facts === null ? undefined : networkFileSystems[facts.type];
  if (kind === undefined || allowed) return;
  throw new ConfigError(
    `${folder}: on a network file system (${kind}). Use a local disk, or set CATTLE_ALLOW_NETWORK_FS=1 at your own risk.`,
  );
}
