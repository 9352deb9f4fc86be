import {constants} from "node:fs";
import {access, stat} from "node:fs/promises";
import {dirname} from "node:path";
import {messageOf, UserError} from "../../lib/errors.ts";
import {readForeign} from "../../lib/storage/foreign-file.ts";
import {writeWhole} from "../../lib/storage/whole-file.ts";
import {FirstSeenFile, type RawMeta} from "../../schemas/raw-meta.ts";
import type {RawFile} from "./raw-files.ts";
import {metaPath, metaText} from "./raw-meta.ts";

/** The raw files with a time each, and what was written for that. */
type SeenFiles = {
  readonly files: RawFile[];
  /** Files that got a meta in this run, or a line in the book. */
  readonly fresh: readonly string[];
};

type SeenOptions = {
  readonly now: Date;
  /** The file of the data folder that holds the times of files without a meta, by path and digest. */
  readonly book: string;
  /** True for the raw folder of the data folder itself, whose files get a meta beside them. */
  readonly own: boolean;
  /** False for a look that must leave nothing behind. */
  readonly keep: boolean;
};

/**
 * Gives each raw file that has no meta the time at which it was first seen, so that a copy of the folder without times builds the
 * same bytes (`docs/design/architecture.md` section 6). In the data folder's own raw folder it is kept in a meta beside the file; of
 * any other folder, in which nothing is ever written, and of one that is closed, in the book. Throws for a full disk and a bad book.
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
  const seen: RawFile[] = [];
  let grew = false;
  for (const file of files) {
    const key = keyOf(file);
    const known = times.get(key);
    if (!isUndated(file) || (known === undefined && !keep)) {
      seen.push(file);
      continue;
    }
    const meta: RawMeta = {retrieved_at: known ?? seenAt, sha256: file.sha256, assumed: true};
    if (known === undefined) {
      fresh.push(file.path);
      const wrote = (await canWrite(dirname(file.absolutePath))) && (await wroteMeta(file, meta));
      if (!wrote) times.set(key, seenAt);
      grew ||= !wrote;
    }
    seen.push({...file, meta, retrievedAt: meta.retrieved_at, retrievedAtFrom: "assumed"});
  }
  if (grew) await writeBook(book, times);
  return {files: seen, fresh};
}

/** Says whether a file that was read has no time of retrieval. One that nobody needs is not read, and left as it is. */
function isUndated({retrievedAtFrom, sha256}: RawFile): boolean {
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

/** Writes the meta of a file; false where the file system does not let it, or the name has no room for it. */
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

/** The times of the book by digest and path; none where it is absent. */
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
