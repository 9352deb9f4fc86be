import {createHash} from "node:crypto";
import {createReadStream} from "node:fs";
import {readdir, stat} from "node:fs/promises";
import {join} from "node:path";
import {pipeline} from "node:stream/promises";
import {UserError} from "../../lib/errors.ts";
import type {RawMeta} from "../../schemas/raw-meta.ts";
import {metaOfPage, type PullOfPage, pullRecordName, readPull} from "./pull-record.ts";
import {isMetaFile, readMeta} from "./raw-meta.ts";

/** One input file of a build, with the facts of its origin. */
export type RawFile = {
  /** Below the raw folder, with forward slashes. */
  readonly path: string;
  readonly absolutePath: string;
  readonly side: "market" | "parcels";
  /** Market feed or parcel entry id, which is the name of the folder of the file. */
  readonly unit: string;
  readonly sizeBytes: number;
  /** SHA-256 of the stored bytes (a `.gz` is not unpacked). */
  readonly sha256: string;
  readonly meta: RawMeta | null;
  /** ISO instant in UTC from the meta file, else the modification time of the file. */
  readonly retrievedAt: string;
  /** `assumed`: the meta says when a build first saw the file, because nobody stated when it was fetched. */
  readonly retrievedAtFrom: "meta" | "assumed" | "mtime";
  /** The pull of which the file is a page. */
  readonly pull?: PullOfPage;
};

/** Says whether the digest of a file is needed. */
type NeedsDigest = (file: Pick<RawFile, "side" | "unit" | "pull">) => boolean;

type Found = {readonly path: string; readonly pull?: {readonly of: PullOfPage; readonly meta: RawMeta}};

/**
 * Gives the input files below `<raw>/market/<feed>/` and `<raw>/parcels/<entry id>/`, sorted by path (byte order).
 * Meta files, `README*` and names with a leading dot are not input. Throws a `UserError` for an absent raw folder
 * and for a meta file that is not valid, with its path. Of a file for which `needsDigest` is false nothing is read, and its
 * `sha256` is empty.
 */
export async function listRawFiles(
  rawDir: string,
  {needsDigest = () => true}: {needsDigest?: NeedsDigest} = {},
): Promise<RawFile[]> {
  if (!(await isFolder(rawDir))) throw new UserError(`${rawDir}: no such folder of raw files.`);
  const files: RawFile[] = [];
  for (const side of ["market", "parcels"] as const) {
    for (const unit of await foldersIn(join(rawDir, side))) {
      for (const found of await filesBelow(rawDir, `${side}/${unit}`)) {
        files.push(await describe(rawDir, found, {side, unit, needsDigest}));
      }
    }
  }
  return files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** Gives the SHA-256 of a file's bytes, in hex. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, {highWaterMark: 1 << 20}), hash);
  return hash.digest("hex");
}

async function describe(
  rawDir: string,
  {path, pull}: Found,
  {side, unit, needsDigest}: Pick<RawFile, "side" | "unit"> & {needsDigest: NeedsDigest},
): Promise<RawFile> {
  const absolutePath = join(rawDir, path);
  const {size, mtimeMs} = await stat(absolutePath);
  const digests = needsDigest({side, unit, ...(pull === undefined ? {} : {pull: pull.of})});
  const sha256 = digests ? await sha256OfFile(absolutePath) : "";
  const stated = pull?.meta ?? (await readMeta(absolutePath));
  // An assumed time is that of the bytes that were there: other bytes under the same name are seen for the first time.
  const meta = digests && stated?.assumed === true && stated.sha256 !== sha256 ? null : stated;
  return {
    path,
    absolutePath,
    side,
    unit,
    sizeBytes: size,
    sha256,
    meta,
    retrievedAt: instant(meta === null ? mtimeMs : Date.parse(meta.retrieved_at)),
    retrievedAtFrom: meta === null ? "mtime" : meta.assumed === true ? "assumed" : "meta",
    ...(pull === undefined ? {} : {pull: pull.of}),
  };
}

/** Gives an instant in whole seconds, because copies of a file do not keep a finer modification time everywhere. */
function instant(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

async function foldersIn(dir: string): Promise<string[]> {
  if (!(await isFolder(dir))) return [];
  const entries = await readdir(dir, {withFileTypes: true});
  const folders: string[] = [];
  for (const {name} of entries) {
    if (!name.startsWith(".") && (await isFolder(join(dir, name)))) folders.push(name);
  }
  return folders.sort();
}

async function filesBelow(rawDir: string, folder: string): Promise<Found[]> {
  const found: Found[] = [];
  const names = (await readdir(join(rawDir, folder))).sort();
  if (names.includes(pullRecordName)) return pagesOf(rawDir, folder);
  for (const name of names) {
    if (name.startsWith(".") || name.startsWith("README") || isMetaFile(name)) continue;
    const path = `${folder}/${name}`;
    if (await isFolder(join(rawDir, path))) found.push(...(await filesBelow(rawDir, path)));
    else found.push({path});
  }
  return found;
}

/** Gives the pages that the record of a pull names; a file that it does not name is no part of it. */
async function pagesOf(rawDir: string, folder: string): Promise<Found[]> {
  const pull = await readPull(join(rawDir, folder));
  return pull.pages.map(({file}) => ({
    path: `${folder}/${file}`,
    pull: {of: {folder, layer: pull.layer}, meta: metaOfPage(pull, file)},
  }));
}

/** Says whether a path is a folder. Links are followed, because a raw folder may be linked together from several disks. */
async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}
