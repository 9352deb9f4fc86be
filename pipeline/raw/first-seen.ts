import {constants} from "node:fs";
import {access, stat} from "node:fs/promises";
import {dirname} from "node:path";
import {readForeign, writeWhole} from "@open-cattle/safe-files";
import {messageOf, UserError} from "../../lib/errors.ts";
import {FirstSeenFile, type RawMeta} from "../../schemas/raw-meta.ts";
import {metaPath, metaText} from "./meta-file.ts";
import type {RawFile} from "./raw-files.ts";

/** The raw files, each with a time, and which of the times are new. */
type SeenFiles = {
  readonly files: RawFile[];
  /** Files that got a meta or an entry in the book in this run. */
  readonly fresh: readonly string[];
};

type SeenOptions = {
  readonly now: Date;
  /** File in the data folder with the times of files without a meta, by path and digest. */
  readonly book: string;
  /** True for the data folder's own raw folder, whose files get a meta beside them. */
  readonly own: boolean;
  /** False for a dry run, which must leave nothing behind. */
  readonly keep: boolean;
};

/**
 * Gives each raw file without a meta the time when it was first seen, so that a copy of the folder without timestamps builds the same bytes
 * (`docs/design/architecture.md` section 6). The time is kept in a meta beside the file if the raw folder is the data folder's own and
 * writable. Otherwise it is kept in the book, because nothing is ever written to other folders. Throws for a full disk and an invalid book.
 */
export async function rememberFirstSeen(files: readonly RawFile[], options: SeenOptions): Promise<SeenFiles> {
  const {now, book, own, keep} = options;
  if (!files.some(isUndated)) return {files: [...files], fresh: []};
  const seenAt = `${now.toISOString().slice(0, 19)}Z`;
  const times = await readBook(book);
  const writable = new Map<string, boolean>();
  const canWrite = async (folder: string) => {
    if (!writable.has(folder)) writable.set(folder, own && (await isWritable(folder)));
    return writable.get(folder)!;
  };
  const fresh: string[] = [];
  const seenFiles: RawFile[] = [];
  let grew = false;
  for (const file of files) {
    const key = keyOf(file);
    const known = times.get(key);
    if (!isUndated(file) || (known === undefined && !keep)) {
      seenFiles.push(file);
      continue;
    }
    const meta: RawMeta = {retrieved_at: known ?? seenAt, sha256: file.sha256, assumed: true};
    if (known === undefined) {
      fresh.push(file.path);
      const wrote = (await canWrite(dirname(file.absolutePath))) && (await wroteMeta(file, meta));
      if (!wrote) times.set(key, seenAt);
      grew ||= !wrote;
    }
    seenFiles.push({...file, meta, retrievedAt: meta.retrieved_at, retrievedAtFrom: "assumed"});
  }
  if (grew) await writeBook(book, times);
  return {files: seenFiles, fresh};
}

/** True for a file that was read but has no retrieval time. Files that nobody needs are not read and stay as they are. */
function isUndated({retrievedAtFrom, sha256}: RawFile): boolean {
  return retrievedAtFrom === "mtime" && sha256 !== "";
}

/** Checks the permission bits too, because root may write anywhere: a folder made read-only on purpose stays untouched. */
async function isWritable(folder: string): Promise<boolean> {
  const {mode} = await stat(folder);
  if ((mode & 0o222) === 0) return false;
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Writes a file's meta; false if the file system refuses, or if the name leaves no room for the suffix. */
async function wroteMeta({absolutePath}: RawFile, meta: RawMeta): Promise<boolean> {
  try {
    await writeWhole(metaPath(absolutePath), metaText(meta), {replaces: true});
    return true;
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (["EROFS", "EACCES", "EPERM", "ENAMETOOLONG"].includes(code ?? "")) return false;
    throw error;
  }
}

function keyOf({path, sha256}: Pick<RawFile, "path" | "sha256">): string {
  return `${sha256} ${path}`;
}

/** Reads the book: times by digest and path; empty if absent. */
async function readBook(path: string): Promise<Map<string, string>> {
  const text = await readForeign(path, 2 ** 30).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return new Map();
  try {
    const {files} = FirstSeenFile.parse(JSON.parse(text));
    return new Map(files.map((file) => [keyOf(file), file.first_seen_at]));
  } catch (error) {
    throw new UserError(
      `${path}: not the list of first-seen times: ${messageOf(error)}. Restore or remove it.`,
    );
  }
}

async function writeBook(path: string, times: ReadonlyMap<string, string>): Promise<void> {
  const files = [...times].map(([key, seenAt]) => {
    const [sha256 = ""] = key.split(" ", 1);
    return {path: key.slice(sha256.length + 1), sha256, first_seen_at: seenAt};
  });
  files.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const book: FirstSeenFile = {format: 1, files};
  await writeWhole(path, `${JSON.stringify(book, null, 1)}\n`, {replaces: true});
}
