import {readdir, rm, symlink} from "node:fs/promises";
import {join} from "node:path";
import {makeOwnFolder, sharedFolder} from "@open-cattle/safe-files";
import {UsageError, UserError} from "../../lib/errors.ts";
import {
  buildFolder,
  buildIds,
  currentBuildId,
  type DataFolder,
  notALink,
  retainedBuilds,
} from "../../lib/storage/data-folder.ts";
import {readManifest, servedFaults} from "../../lib/storage/manifest-file.ts";
import {passFailpoint, renameDurably} from "../parts/durable.ts";

/** Points `current` at a build. A new link is created beside it and renamed over it, so that it is never missing or partial. */
export async function pointCurrentTo({root, current}: DataFolder, buildId: string): Promise<void> {
  const beside = join(root, `.current-${process.pid}`);
  passFailpoint("before-symlink");
  await rm(beside, {force: true});
  await symlink(join("builds", buildId), beside);
  passFailpoint("before-swap");
  await renameDurably(beside, current).catch(async (error: NodeJS.ErrnoException) => {
    await rm(beside, {force: true});
    throw error.code === "EISDIR" ? notALink(current) : error;
  });
  passFailpoint("after-swap");
}

/** Verifies and publishes a build. Throws a `UserError` that lists the faults if it is damaged. */
export async function publishBuild(data: DataFolder, buildId: string): Promise<void> {
  await requireSound(data, buildId);
  await pointCurrentTo(data, buildId);
}

/** Points `current` at the given build, or at the predecessor of the published one, and returns its id. Throws like `publishBuild`. */
export async function rollback(data: DataFolder, buildId?: string): Promise<string> {
  const target = buildId ?? (await previousBuildId(data));
  await publishBuild(data, target);
  return target;
}

/** Throws a `UserError` with every difference between a build folder and its manifest, and a `UsageError` if the build does not exist. */
async function requireSound(data: DataFolder, buildId: string): Promise<void> {
  const dir = buildFolder(data, buildId);
  const there = await buildIds(data);
  if (!there.includes(buildId)) {
    const known = there.length === 0 ? "there is none" : `there are ${there.join(", ")}`;
    throw new UsageError(`${buildId}: no such build in ${data.builds}; ${known}.`);
  }
  const faults = await servedFaults(dir, await readManifest(dir), {depth: "full"});
  if (faults.length === 0) return;
  const lines = faults.map(({path, fault}) => `  ${path}: ${fault}`).join("\n");
  throw new UserError(`${dir}: not as its manifest says:\n${lines}`);
}

/** Removes links that a dead process left while replacing `current`. Call it with the build lock held. */
export async function sweepLinks({root}: DataFolder): Promise<void> {
  makeOwnFolder(root, sharedFolder);
  for (const name of await readdir(root)) {
    if (/^\.current-\d+$/.test(name)) await rm(join(root, name));
  }
}

/** The base of the published build where it is kept, else the newest readable build that was made before it. */
async function previousBuildId(data: DataFolder): Promise<string> {
  const current = await currentBuildId(data);
  if (current === null) throw new UserError(`${data.current}: nothing is published.`);
  const newestFirst = await retainedBuilds(data);
  const manifest = await readManifest(buildFolder(data, current)).catch(() => null);
  const base = newestFirst.find(({buildId}) => buildId === manifest?.base_build_id);
  // Without its manifest nobody knows when the published build was made: any other may be before it.
  const from = manifest === null ? 0 : newestFirst.findIndex(({buildId}) => buildId === current) + 1;
  const target = base ?? newestFirst.slice(from).find(({builtAt}) => builtAt > 0);
  if (target === undefined) throw new UserError(`${data.builds}: no build before ${current}.`);
  return target.buildId;
}
