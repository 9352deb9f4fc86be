import {link, mkdir} from "node:fs/promises";
import {dirname, join} from "node:path";
import {fileFault} from "../../lib/storage/build-files.ts";
import type {ManifestFile} from "../../schemas/manifest.ts";

/**
 * Links a part's files from another build into a staging folder, each after its SHA-256 was checked: a link shares the
 * bytes, so damage would travel with it. Gives null, or the first fault found, and then nothing was linked.
 */
export async function linkPart(
  fromDir: string,
  toDir: string,
  files: readonly ManifestFile[],
): Promise<string | null> {
  for (const file of files) {
    const fault = await faultOf(join(fromDir, file.path), file);
    if (fault !== null) return `${fromDir}/${file.path}: ${fault}`;
  }
  for (const {path} of files) {
    await mkdir(dirname(join(toDir, path)), {recursive: true});
    await link(join(fromDir, path), join(toDir, path));
  }
  return null;
}

async function faultOf(path: string, file: ManifestFile): Promise<string | null> {
  try {
    return await fileFault(path, file, "full");
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "is missing";
    if (code === "EIO") return "cannot be read (EIO)";
    throw error;
  }
}
