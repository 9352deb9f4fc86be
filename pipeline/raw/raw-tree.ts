import type {Dirent} from "node:fs";
import {lstat, readdir, readlink, realpath, stat} from "node:fs/promises";
import {dirname, join, relative, resolve} from "node:path";
import {isTransient, kindOf} from "@open-cattle/safe-files";
import {messageOf} from "../../lib/errors.ts";
import type {RawMeta} from "../../schemas/raw-meta.ts";
import {isMetaFile, metaOfPage, type PullOfPage, pullRecordName, readPull} from "./meta-file.ts";

/** A file of a feed or entry, or something else in its folder with the reason to leave it out. */
export type FoundFile = {
  /** Below the raw folder, with forward slashes. */
  readonly path: string;
  readonly kind: "market" | "parcels";
  readonly feedOrEntryId: string;
  readonly fault?: string;
  readonly pull?: {readonly of: PullOfPage; readonly meta: RawMeta};
};

type Place = Pick<FoundFile, "kind" | "feedOrEntryId"> & {readonly root: string; readonly linked: boolean};

/**
 * Lists the contents of feed and entry folders, unordered. Meta files, `README*` and names with a leading dot are no input. A path may
 * contain one link, which must stay inside the raw folder. Other links, anything that is neither file nor folder, and unreadable folders
 * become a fault of their path and are never thrown.
 */
export async function walkRaw(rawDir: string): Promise<FoundFile[]> {
  const root = await realpath(rawDir);
  const foundFiles: FoundFile[] = [];
  for (const kind of ["market", "parcels"] as const) {
    const sides = await stat(join(root, kind)).catch(() => null);
    if (sides?.isDirectory() !== true) continue;
    for (const entry of await listing(join(root, kind))) {
      const feedOrEntryId = nameOf(entry);
      if (feedOrEntryId.startsWith(".") || (entry.isFile() && !isOdd(entry))) continue;
      const of = await walkEntry(entry, kind, {kind, feedOrEntryId, root, linked: false});
      // A file, or a link to one, directly below the kind belongs to no feed.
      foundFiles.push(
        ...of.filter(({path, fault}) => fault !== undefined || path !== `${kind}/${feedOrEntryId}`),
      );
    }
  }
  return foundFiles;
}

async function walkFolder(folder: string, place: Place): Promise<FoundFile[]> {
  const {root, kind, feedOrEntryId} = place;
  try {
    const entries = await listing(join(root, folder));
    if (entries.some((entry) => nameOf(entry) === pullRecordName)) return await pagesOf(folder, place);
    const found: FoundFile[] = [];
    for (const entry of entries) {
      const name = nameOf(entry);
      if (name.startsWith(".") || name.startsWith("README") || isMetaFile(name)) continue;
      found.push(...(await walkEntry(entry, folder, place)));
    }
    return found;
  } catch (error) {
    if (isTransient(error)) throw error;
    return [{path: folder, kind, feedOrEntryId, fault: `${folder}: ${faultText(error)}`}];
  }
}

async function walkEntry(entry: Dirent<Buffer>, folder: string, place: Place): Promise<FoundFile[]> {
  const {kind, feedOrEntryId} = place;
  const path = `${folder}/${nameOf(entry)}`;
  const refused = (what: string) => [{path, kind, feedOrEntryId, fault: `${path}: ${what}`}];
  if (isOdd(entry)) return refused("its name is not UTF-8; rename it.");
  if (entry.isDirectory()) return walkFolder(path, place);
  if (entry.isFile()) return [{path, kind, feedOrEntryId}];
  if (!entry.isSymbolicLink()) return refused(`expected a file, got ${kindOf(entry)}.`);
  if (place.linked) return refused("a second link on the way to it; links are followed once.");
  const target = await targetOf(path, place.root);
  if (typeof target === "string") return refused(target);
  return target.isFolder ? walkFolder(path, {...place, linked: true}) : [{path, kind, feedOrEntryId}];
}

/** Returns what a link leads to, or why it is not followed. */
async function targetOf(path: string, root: string): Promise<{isFolder: boolean} | string> {
  try {
    const own = join(root, path);
    const target = resolve(dirname(own), await readlink(own));
    const found = await lstat(target);
    if (found.isSymbolicLink()) return "a link to a link; links are followed once.";
    if (!found.isFile() && !found.isDirectory()) return `expected a file, got a link to ${kindOf(found)}.`;
    const real = await realpath(target);
    if (isOutside(relative(root, real))) return `a link that leads out of the raw folder, to ${real}.`;
    if (found.isDirectory() && !isOutside(relative(real, await realpath(dirname(own)))))
      return "a link to a folder that it is in.";
    return {isFolder: found.isDirectory()};
  } catch (error) {
    if (isTransient(error)) throw error;
    return `a link that leads nowhere (${faultText(error)}).`;
  }
}

function isOutside(way: string): boolean {
  return way === ".." || way.startsWith("../") || way.startsWith("/");
}

/** Returns the pages listed in a pull's record; other files in its folder are ignored. */
async function pagesOf(folder: string, {root, kind, feedOrEntryId}: Place): Promise<FoundFile[]> {
  const path = `${folder}/${pullRecordName}`;
  const pull = await readPull(join(root, folder)).catch((error: unknown) => {
    if (isTransient(error)) throw error;
    return messageOf(error).replaceAll(join(root, "/"), "");
  });
  if (typeof pull === "string") return [{path, kind, feedOrEntryId, fault: pull}];
  return pull.pages.map(({file}) => ({
    path: `${folder}/${file}`,
    kind,
    feedOrEntryId,
    pull: {of: {folder, layer: pull.layer}, meta: metaOfPage(pull, file)},
  }));
}

/** Reads names as bytes, because not every file name is valid UTF-8. */
async function listing(dir: string): Promise<Dirent<Buffer>[]> {
  const entries = await readdir(dir, {withFileTypes: true, encoding: "buffer"});
  return entries.sort((a, b) => Buffer.compare(a.name, b.name));
}

/** The name of an entry; bytes that are not UTF-8 are shown as `\xE9`. */
function nameOf({name}: Dirent<Buffer>): string {
  const text = name.toString("utf8");
  if (Buffer.from(text).equals(name)) return text;
  return [...name.toString("latin1")]
    .map((c) => (c > "~" ? `\\x${c.charCodeAt(0).toString(16).toUpperCase()}` : c))
    .join("");
}

function isOdd({name}: Dirent<Buffer>): boolean {
  return !Buffer.from(name.toString("utf8")).equals(name);
}

function faultText(error: unknown): string {
  return `cannot be read (${(error as NodeJS.ErrnoException).code ?? messageOf(error)})`;
}
