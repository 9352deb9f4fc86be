import {constants} from "node:fs";
import {access, rename, rm, stat} from "node:fs/promises";
import {basename, dirname, join} from "node:path";
import type {RawMeta} from "../../schemas/raw-meta.ts";
import {writeDurably} from "../publish/durable.ts";
import type {RawFile} from "./raw-files.ts";
import {metaPath, metaText} from "./raw-meta.ts";

/** The raw files with a time each, and those whose folder cannot be written. */
export type SeenFiles = {
  readonly files: RawFile[];
  /** Files that got a meta in this run. */
  readonly written: readonly string[];
  /** Files without a meta in folders that cannot be written: their modification time counts. */
  readonly readOnly: readonly string[];
};

/**
 * Gives each raw file that has no meta one that says when it was first seen, so that a copy of the folder without times builds
 * the same bytes (`docs/design/architecture.md` section 6). A file in a folder that must not be written keeps its modification
 * time and is named. Throws for a full disk.
 */
export async function rememberFirstSeen(files: readonly RawFile[], now: Date): Promise<SeenFiles> {
  const seenAt = `${now.toISOString().slice(0, 19)}Z`;
  const writable = new Map<string, boolean>();
  const seen: {files: RawFile[]; written: string[]; readOnly: string[]} = {
    files: [],
    written: [],
    readOnly: [],
  };
  for (const file of files) {
    if (!isUndated(file)) {
      seen.files.push(file);
      continue;
    }
    const folder = dirname(file.absolutePath);
    if (!writable.has(folder)) writable.set(folder, await isWritable(folder));
    const meta: RawMeta = {retrieved_at: seenAt, sha256: file.sha256, assumed: true};
    if (writable.get(folder) === true && (await wrote(file.absolutePath, metaText(meta)))) {
      seen.written.push(file.path);
      seen.files.push({...file, meta, retrievedAt: seenAt, retrievedAtFrom: "assumed"});
    } else {
      seen.readOnly.push(file.path);
      seen.files.push(file);
    }
  }
  return seen;
}

/** Says whether a file that was read has no time of retrieval. One that nobody needs is not read, and left as it is. */
export function isUndated({retrievedAtFrom, sha256}: RawFile): boolean {
  return retrievedAtFrom === "mtime" && sha256 !== "";
}

/** The permission counts also for a user who may write everywhere: a folder that was closed on purpose stays as it is. */
async function isWritable(folder: string): Promise<boolean> {
  const {mode} = await stat(folder);
  if ((mode & 0o222) === 0) return false;
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Writes the meta of a file as a whole or not at all; false where the file system does not let it. */
async function wrote(path: string, text: string): Promise<boolean> {
  const part = join(dirname(path), `.${basename(metaPath(path))}.part`);
  try {
    await rm(part, {force: true});
    await writeDurably(part, text);
    await rename(part, metaPath(path));
    return true;
  } catch (error) {
    if (["EROFS", "EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
