import {rm} from "node:fs/promises";
import {join} from "node:path";
import type {ManifestInput} from "../../schemas/manifest.ts";
import {newestSets} from "./newest-sets.ts";
import {listRawFiles} from "./raw-files.ts";
import {metaPath} from "./raw-meta.ts";

/**
 * Gives the fetched parcel files and pulls that a newer whole one replaces and that no retained build names, below the raw
 * folder; empty without one.
 */
export async function unneededRaw(
  rawDir: string,
  kept: readonly (readonly ManifestInput[])[],
): Promise<string[]> {
  const files = await listRawFiles(rawDir, {needsDigest: () => false}).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.name === "UserError" && /no such folder/.test(error.message)) return [];
      throw error;
    },
  );
  const named = kept.flat().map(({path}) => path);
  return newestSets(files)
    .replaced.map(({path}) => path)
    .filter((path) => !named.some((input) => input === path || input.startsWith(`${path}/`)))
    .sort();
}

/** Removes what `unneededRaw` names, each file with its meta. */
export async function removeRaw(rawDir: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await rm(join(rawDir, path), {recursive: true, force: true});
    await rm(metaPath(join(rawDir, path)), {force: true});
  }
}
