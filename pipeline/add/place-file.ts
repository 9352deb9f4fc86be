import {mkdir, readdir, stat} from "node:fs/promises";
import {basename, dirname, extname, join} from "node:path";
import {copyWhole, sweepTemporaryFiles, writeWhole} from "@open-cattle/safe-files";
import {UserError} from "../../lib/errors.ts";
import type {RawMeta} from "../../schemas/raw-meta.ts";
import {sha256OfFile} from "../raw/file-digest.ts";
import {metaPath, metaText} from "../raw/meta-file.ts";
import type {RawFolder} from "./recognise.ts";

/** The outcome of placing one file; `there` means that the folder already has these bytes, under this or another name. */
export type Placed = {readonly path: string; readonly outcome: "added" | "there"};

type PlaceRequest = {
  readonly source: string;
  readonly rawDir: string;
  readonly folder: RawFolder;
  /** Name in the folder, if it differs from the file's. */
  readonly name?: string | undefined;
  readonly meta: RawMeta;
  /** True for a newer edition, which may have the name of the older one: its day is added to the name. */
  readonly isEdition?: boolean;
};

/** Extensions of a shapefile's companions, which are copied with it. */
const partsOfShapefile = /^\.(shx|dbf|prj|cpg|sbn|sbx|qix|qpj)$/i;

/**
 * Copies a file, with a shapefile's companions, into its folder of raw files and writes the metas. Nothing is overwritten: throws a
 * `UserError` if the name is taken by other bytes, or if builds would not read a file of this name.
 */
export async function placeFile(request: PlaceRequest): Promise<Placed[]> {
  const placed: Placed[] = [];
  for (const source of [request.source, ...(await partsOf(request.source))]) {
    const renamed =
      request.name === undefined ? undefined : withExtension(request.name, source, request.source);
    placed.push(await placeOne({...request, source, name: renamed}));
  }
  return placed;
}

async function placeOne(request: PlaceRequest): Promise<Placed> {
  const {source, rawDir, folder, name, meta, isEdition = false} = request;
  const fileName = name ?? basename(source);
  const fault = nameFault(fileName);
  if (fault !== null) throw new UserError(`${fileName}: ${fault}; give it another name with --as.`);
  const dir = join(rawDir, folder.kind, folder.feedOrEntryId);
  const sha256 = await sha256OfFile(source);
  await mkdir(dir, {recursive: true});
  // Even if the file is already there: an `add` killed right after naming it has left its temporary name.
  await sweepTemporaryFiles(dir);
  const twin = await sameBytes(dir, {source, sha256});
  if (twin !== null) return {path: `${folder.kind}/${folder.feedOrEntryId}/${twin}`, outcome: "there"};
  const isTaken = async (file: string) => (await stat(join(dir, file)).catch(() => null)) !== null;
  const target = isEdition && (await isTaken(fileName)) ? editionName(fileName, meta.retrieved_at) : fileName;
  const path = `${folder.kind}/${folder.feedOrEntryId}/${target}`;
  if (await isTaken(target)) {
    const edition =
      folder.kind === "parcels" && !isEdition
        ? "add this one with --replace if it is a newer edition of the whole"
        : "remove that one if this is its new edition";
    throw new UserError(
      `${path}: already exists with other bytes; ${edition}, else give this one another name with --as.`,
    );
  }
  // Meta first: a build that starts in between would otherwise write its own.
  const metaPlace = metaPath(join(dir, target));
  await writeWhole(metaPlace, metaText({...meta, sha256}), {replaces: true});
  await copyWhole(source, join(dir, target)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new UserError(`${path}: already exists; give this one another name with --as.`);
  });
  return {path, outcome: "added"};
}

/** The name of a newer edition beside an older one: `roll.csv` of 12 November is `roll-2026-11-12.csv`. */
function editionName(name: string, retrievedAt: string): string {
  const extension = /\.[^.]+(?:\.(?:gz|zip))?$/i.exec(name)?.[0] ?? "";
  return `${name.slice(0, name.length - extension.length)}-${retrievedAt.slice(0, 10)}${extension}`;
}

/** Why builds would skip a file of this name; null for a good name. */
function nameFault(name: string): string | null {
  if (name.includes("/") || name.includes("\\")) return "expected a name, not a path";
  if (name.startsWith(".")) return "names with a leading dot are not read";
  if (name.startsWith("README")) return "names that begin with README are not read";
  return name.endsWith(".meta.json") ? "the name of a meta file" : null;
}

async function partsOf(source: string): Promise<string[]> {
  if (extname(source).toLowerCase() !== ".shp") return [];
  const stem = basename(source, extname(source)).toLowerCase();
  const names = await readdir(dirname(source));
  return names
    .filter(
      (name) => partsOfShapefile.test(extname(name)) && basename(name, extname(name)).toLowerCase() === stem,
    )
    .sort()
    .map((name) => join(dirname(source), name));
}

function withExtension(name: string, source: string, main: string): string {
  return source === main ? name : `${basename(name, extname(name))}${extname(source)}`;
}

/** Returns the name of a file in the folder with the same bytes, or null. */
async function sameBytes(
  dir: string,
  {source, sha256}: {source: string; sha256: string},
): Promise<string | null> {
  const {size} = await stat(source);
  for (const name of (await readdir(dir)).sort()) {
    const found = await stat(join(dir, name));
    if (nameFault(name) !== null || !found.isFile() || found.size !== size) continue;
    if ((await sha256OfFile(join(dir, name))) === sha256) return name;
  }
  return null;
}
