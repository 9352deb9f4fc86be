import {
  buildFolder,
  buildIds,
  currentBuildId,
  type DataFolder,
  retainedBuilds,
} from "../../lib/storage/data-folder.ts";
import {readManifest} from "../../lib/storage/manifest-file.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import {heldBackByBuild} from "./gate.ts";

/** A complete build that a new one links from or is compared with. */
export type Published = {readonly dir: string; readonly manifest: Manifest};

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

/** Returns the parts that a build held back, with the reasons, and segments of the delta that it left alone as part `BUILD`. */
export function heldBackParts({market, states, gates}: Manifest): {part: string; because: string}[] {
  const parts = [["MARKET", market] as const, ...Object.entries(states)];
  const held = parts.flatMap(([part, made]) => {
    const because = made?.held_back_because ?? null;
    return because === null ? [] : [{part, because}];
  });
  return [...heldBackByBuild(gates), ...held];
}
