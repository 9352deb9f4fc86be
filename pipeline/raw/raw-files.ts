import {stat} from "node:fs/promises";
import {join} from "node:path";
import {isTransient} from "@open-cattle/safe-files";
import {messageOf, UserError} from "../../lib/errors.ts";
import type {RawMeta} from "../../schemas/raw-meta.ts";
import {digestOfFile, type FileIdentity} from "./file-digest.ts";
import {type PullOfPage, readMeta} from "./meta-file.ts";
import {type FoundFile, walkRaw} from "./raw-tree.ts";

/** A file or pulled layer that is replaced by a newer complete one: a file by one from the same URL, a pull by one of the same entry. */
type ReplacedSet = {readonly path: string; readonly feedOrEntryId: string; readonly by: string};

type FileSet = {readonly path: string; readonly files: RawFile[]};

/** Matches the instant in names given by `cattle fetch`, which distinguishes versions. */
const fetchedName = /_\d{8}T\d{6}Z(?=\.[a-z0-9.]+$)/;

/** One input file of a build, with where it came from. */
export type RawFile = {
  /** Path below the raw folder, with forward slashes. */
  readonly path: string;
  readonly absolutePath: string;
  readonly kind: "market" | "parcels";
  /** Market feed or parcel entry id; the name of the file's folder. */
  readonly feedOrEntryId: string;
  readonly sizeBytes: number;
  /** SHA-256 of the stored bytes (a `.gz` is not unpacked). */
  readonly sha256: string;
  readonly meta: RawMeta | null;
  /** ISO instant in UTC, from the meta file or else the modification time. */
  readonly retrievedAt: string;
  /** `assumed`: the meta only says when a build first saw the file, because nobody stated when it was fetched. */
  readonly retrievedAtFrom: "meta" | "assumed" | "mtime";
  /** The pull of which the file is a page. */
  readonly pull?: PullOfPage;
  /** The file's identity when its digest was taken; absent without a digest. */
  readonly identity?: FileIdentity;
  /** Why the file cannot be read, with its path; nothing of it is read, and `sha256` is empty. */
  readonly fault?: string;
};

/** True if the digest of a file is needed. */
type NeedsDigest = (file: Pick<RawFile, "kind" | "feedOrEntryId" | "pull">) => boolean;

type ListOptions = {
  readonly needsDigest?: NeedsDigest;
  /** Receives the number of files, and of their bytes, examined so far. */
  readonly onProgress?: (seen: {files: number; of: number; bytes: number}) => void;
};

/** Files read concurrently: enough to keep the disk busy, each with a buffer of at most 1 MiB. */
const atOnce = 8;

/**
 * Lists the input files below `<raw>/market/<feed>/` and `<raw>/parcels/<entry id>/`, sorted by path (byte order). Meta files, `README*`
 * and names with a leading dot are no input. Non-files, unreadable files and files with an invalid meta are listed with their `fault`.
 * Throws a `UserError` if the raw folder is absent. Files for which `needsDigest` is false are not read, and their `sha256` is empty.
 */
export async function listRawFiles(
  rawDir: string,
  {needsDigest = () => true, onProgress = () => undefined}: ListOptions = {},
): Promise<RawFile[]> {
  if (!(await isFolder(rawDir)))
    throw new UserError(
      `${rawDir}: no such folder of raw files. "cattle fetch" makes it, and "cattle add FILE" puts what you have into it.`,
      {code: "no_raw_folder"},
    );
  const foundFiles = await walkRaw(rawDir);
  const files: RawFile[] = [];
  const queue = foundFiles.values();
  let bytes = 0;
  const work = async () => {
    for (const each of queue) {
      const file = await describe(rawDir, each, needsDigest);
      bytes += file.sizeBytes;
      onProgress({files: files.push(file), of: foundFiles.length, bytes});
    }
  };
  onProgress({files: 0, of: foundFiles.length, bytes});
  await Promise.all(Array.from({length: atOnce}, work));
  return files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

async function describe(rawDir: string, found: FoundFile, needsDigest: NeedsDigest): Promise<RawFile> {
  const {path, kind, feedOrEntryId, fault} = found;
  const absolutePath = join(rawDir, path);
  const pull = found.pull === undefined ? {} : {pull: found.pull.of};
  const place = {path, absolutePath, kind, feedOrEntryId, ...pull};
  if (fault !== undefined) return faulty(place, fault);
  try {
    const {size, mtimeMs} = await stat(absolutePath);
    const digests = needsDigest({kind, feedOrEntryId, ...pull});
    const read = digests ? await digestOfFile(absolutePath) : {sha256: ""};
    const stated = found.pull?.meta ?? (await readMeta(absolutePath));
    // An assumed time belongs to the bytes that were there; other bytes under the same name are new.
    const meta = digests && stated?.assumed === true && stated.sha256 !== read.sha256 ? null : stated;
    return {
      ...place,
      sizeBytes: size,
      ...read,
      meta,
      retrievedAt: instant(meta === null ? mtimeMs : Date.parse(meta.retrieved_at)),
      retrievedAtFrom: meta === null ? "mtime" : meta.assumed === true ? "assumed" : "meta",
    };
  } catch (error) {
    if (isTransient(error)) throw error;
    const {code} = error as NodeJS.ErrnoException;
    const fault = code === undefined ? messageOf(error) : `${path}: cannot be read (${code}).`;
    // Reports must not depend on where the raw folder is on this machine.
    return faulty(place, fault.replaceAll(join(rawDir, "/"), ""));
  }
}

/** A file of which only the name is known; its time is the epoch, so that it never counts as newer. */
function faulty(
  place: Pick<RawFile, "path" | "absolutePath" | "kind" | "feedOrEntryId">,
  fault: string,
): RawFile {
  const facts = {sizeBytes: 0, sha256: "", meta: null, retrievedAt: instant(0)} as const;
  return {...place, ...facts, retrievedAtFrom: "mtime", fault};
}

/** Formats an instant in whole seconds, because copies do not always keep a finer modification time. */
function instant(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** True if a path is a folder; the raw folder itself may be a link. */
async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

/**
 * Separates current files from those replaced by a newer complete version. Parcel files fetched from one URL are versions of one source; so
 * are the pulls of one entry, whose layer may have moved, and the answers of the weather service. The newest complete version replaces the
 * others and, among incomplete pulls, the newest. All other market files are current, because each report, and each page of a series, is
 * part of the history.
 */
export function newestSets(files: readonly RawFile[]): {current: RawFile[]; replaced: ReplacedSet[]} {
  const [fetched, others] = [files.filter(isVersion), files.filter((file) => !isVersion(file))];
  const current = new Set(others);
  const replaced: ReplacedSet[] = [];
  for (const [, versions] of Map.groupBy(fetched, sourceOfVersion)) {
    const sets = setsOf(versions);
    const newest = newestOf(sets.filter(isComplete)) ?? newestOf(sets.filter(isPull));
    for (const set of sets) {
      const isReplaced = newest !== null && set !== newest && (isComplete(newest) || isPull(set));
      if (isReplaced)
        replaced.push({path: set.path, feedOrEntryId: set.files[0]!.feedOrEntryId, by: newest.path});
      else for (const file of set.files) current.add(file);
    }
  }
  return {current: files.filter((file) => current.has(file)), replaced};
}

/** The market feed whose answers say what is in force and what is forecast, which a later answer ends. */
const feedOfNow = "nws";

function isVersion({kind, feedOrEntryId, meta, path, pull}: RawFile): boolean {
  const hasVersions = kind === "parcels" || feedOrEntryId === feedOfNow;
  return hasVersions && meta?.url !== undefined && (pull !== undefined || fetchedName.test(path));
}

/** A text that the versions of a source share. An entry has one layer, so pulls share it though its address was corrected between them. */
function sourceOfVersion({feedOrEntryId, meta, path, pull}: RawFile): string {
  if (pull !== undefined) return `${feedOrEntryId} pull`;
  return `${feedOrEntryId} ${meta!.url} ${path.replace(fetchedName, "")}`;
}

function setsOf(files: readonly RawFile[]): FileSet[] {
  const sets = Map.groupBy(files, ({path, pull}) => pull?.folder ?? path);
  return [...sets].map(([path, own]) => ({path, files: own}));
}

function newestOf(sets: readonly FileSet[]): FileSet | null {
  const time = ({files, path}: FileSet) => `${files[0]!.retrievedAt} ${path}`;
  return sets.reduce<FileSet | null>(
    (best, set) => (best === null || time(set) > time(best) ? set : best),
    null,
  );
}

function isComplete({files}: FileSet): boolean {
  return files.every(({meta}) => meta?.complete === true);
}

function isPull({files}: FileSet): boolean {
  return files[0]!.pull !== undefined;
}
