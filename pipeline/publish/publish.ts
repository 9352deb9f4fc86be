import {mkdir, readdir, rm, symlink} from "node:fs/promises";
import {join} from "node:path";
import {UsageError, UserError} from "../../lib/errors.ts";
import {buildFaults} from "../../lib/storage/build-files.ts";
import {
  buildFolder,
  buildIds,
  currentBuildId,
  type DataFolder,
  notALink,
  retainedBuilds,
} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {passFailpoint, renameDurably} from "./durable.ts";

/** A complete build that a new one links from or is compared with. */
export type Published = {readonly dir: string; readonly manifest: Manifest};

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
  const faults = await buildFaults(dir, await readManifest(dir), {depth: "full"});
  if (faults.length === 0) return;
  const lines = faults.map(({path, fault}) => `  ${path}: ${fault}`).join("\n");
  throw new UserError(`${dir}: not as its manifest says:\n${lines}`);
}

/** Removes links that a dead process left while replacing `current`. Call it with the build lock held. */
export async function sweepLinks({root}: DataFolder): Promise<void> {
  await mkdir(root, {recursive: true});
  for (const name of await readdir(root)) {
    if (/^\.current-\d+$/.test(name)) await rm(join(root, name));
  }
}

async function previousBuildId(data: DataFolder): Promise<string> {
  const current = await currentBuildId(data);
  if (current === null) throw new UserError(`${data.current}: nothing is published.`);
  const there = await buildIds(data);
  const {base_build_id: base} = await readManifest(buildFolder(data, current));
  const before = there.filter((id) => id < current).at(-1);
  const target = base !== null && there.includes(base) ? base : before;
  if (target === undefined) throw new UserError(`${data.builds}: no build before ${current}.`);
  return target;
}

/**
 * Returns the published build, or null. If `current` is absent it is the newest readable retained build, because found parcels may exist
 * only there. Throws a `UserError` if the build cannot be read.
 */
export async function currentBuild(data: DataFolder): Promise<Published | null> {
  const id = (await currentBuildId(data)) ?? (await newestReadable(data));
  return id === null ? null : published(data, id);
}

async function newestReadable(data: DataFolder): Promise<string | null> {
  return (await retainedBuilds(data)).find(({builtAt}) => builtAt > 0)?.buildId ?? null;
}

/** Returns the base of a published build; null if it is gone. */
export async function baseOf(data: DataFolder, {manifest}: Published): Promise<Published | null> {
  const id = manifest.base_build_id;
  return id === null || !(await buildIds(data)).includes(id) ? null : published(data, id);
}

/** Returns the newest readable build with an earlier as-of date, the last one of its day, or null. */
export async function earlierBuild(data: DataFolder, asOf: string): Promise<Published | null> {
  const day = asOf.replaceAll("-", "");
  const found: Published[] = [];
  for (const id of await buildIds(data)) {
    if (id.slice(0, 8) >= day) continue;
    // An unreadable old build must not stop the new one; the next older build is compared instead.
    const build = await published(data, id).catch(() => null);
    if (build !== null) found.push(build);
  }
  const age = ({manifest}: Published) => `${manifest.as_of_date} ${manifest.built_at} ${manifest.build_id}`;
  return found.sort((a, b) => (age(a) < age(b) ? -1 : 1)).at(-1) ?? null;
}

async function published(data: DataFolder, id: string): Promise<Published> {
  const dir = buildFolder(data, id);
  return {dir, manifest: await readManifest(dir)};
}

/** Returns the parts that a build held back, with the reasons. */
export function heldBackParts({market, states}: Manifest): {part: string; because: string}[] {
  const parts = [["MARKET", market] as const, ...Object.entries(states)];
  return parts.flatMap(([part, made]) => {
    const because = made?.held_back_because ?? null;
    return because === null ? [] : [{part, because}];
  });
}
