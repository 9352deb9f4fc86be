import {open, readdir, stat} from "node:fs/promises";
import {basename, dirname, extname, join, relative} from "node:path";
import {delimitedHead, expansionLimits, FileError} from "@open-cattle/parcel-files";
import {statementOf} from "../../lib/registry/layer-terms.ts";
import type {CadastreSource, JoinSpec, ParcelSource} from "../../schemas/parcel-source.ts";
import {openRawContent} from "../raw/raw-content.ts";
import type {RawFile} from "../raw/raw-files.ts";
import type {Dataset} from "./readers/file-reader.ts";

/** The role of a raw file in its entry: main file, file of a joined table, or neither. */
export type FileRole = "main" | "none" | {readonly join: string};

/** File names of a joined table by its format, for an entry without a glob. */
const extensionsOfFormat: Readonly<Record<string, RegExp>> = {
  "json-rows": /\.json(\.gz)?$/i,
  csv: /\.(csv|txt)(\.gz|\.zip)?$/i,
  tsv: /\.(tsv|tab)(\.gz|\.zip)?$/i,
  dbf: /\.dbf(\.zip)?$/i,
  geojson: /\.geojson(\.gz)?$/i,
  parquet: /\.parquet$/i,
};

/** The terms of a source, from its entry, a cadastre layer or a build's manifest. */
type Terms = {readonly licence: string; readonly terms: {readonly bulk: boolean}};

type Source = ParcelSource | CadastreSource;

const headBytes = 4096;

/** Extensions of files that accompany or describe another file and are never a table themselves. */
const besideATable: ReadonlySet<string> = new Set([
  "shx",
  "prj",
  "cpg",
  "sbn",
  "sbx",
  "qix",
  "fbn",
  "fbx",
  "ain",
  "aih",
  "cst",
  "xml",
  "pdf",
  "doc",
  "docx",
  "rtf",
  "log",
  "tif",
  "md",
  "html",
  "qmd",
  "qpj",
  "png",
  "jpg",
  "gif",
  "lyr",
]);

/** Extensions of workbooks, which beside another table often describe it. */
const workbooks: ReadonlySet<string> = new Set(["xls", "xlsx"]);
/** The fewest and the longest names in the first line of a text that is a table beside those of another kind. */
const fewestNames = 3;
const longestName = 40;

/**
 * A file, or a member of an archive, that may be a table; `isBeside` if by its kind it may as well describe the tables beside it. An entry's
 * columns decide (`stage-file.ts`); where there is no entry yet, such a member is a table only if it is the one meant.
 */
export type Member = Dataset & {readonly isBeside?: true};

/**
 * Returns the tables in a raw file, unpacked below `dir`: the file itself, or each member of an archive that does not belong to another.
 * Throws a `UserError` if the file cannot be unpacked.
 */
export async function datasetsOf(file: RawFile, dir: string): Promise<Member[]> {
  const content = await openRawContent(file);
  const outer = await content.extractTo(dir);
  const paths = content.packing === "zip" ? await withInnerArchives(outer, file, dir) : outer;
  if (content.packing !== "zip") return [await describe(paths[0]!, file.path, await besides(paths[0]!))];
  const {tables, beside} = await membersOf(paths);
  const described = (path: string) => describe(path, `${file.path}:${relative(dir, path)}`, paths);
  return [
    ...(await Promise.all(tables.map(described))),
    ...(await Promise.all(
      beside.map(async (path): Promise<Member> => ({...(await described(path)), isBeside: true})),
    )),
  ];
}

/**
 * Tells the tables of an archive from the texts and workbooks that may describe them. Texts alone are all tables; beside another kind those
 * whose first line names columns are.
 */
async function membersOf(paths: readonly string[]): Promise<{tables: readonly string[]; beside: string[]}> {
  if (paths.length === 1) return {tables: paths, beside: []};
  const possible = paths.filter((path) => isTable(path, paths));
  const books = possible.filter((path) => workbooks.has(extensionOf(path)));
  const texts = possible.filter((path) => extensionOf(path) === "txt");
  const named = possible.filter((path) => !books.includes(path) && !texts.includes(path));
  if (texts.length === possible.length) return {tables: texts, beside: []};
  const rolls: string[] = [];
  for (const path of texts) if (await namesColumns(path)) rolls.push(path);
  const certain = possible.filter((path) => named.includes(path) || rolls.includes(path));
  const tables = certain.length > 0 ? certain : books;
  // `roll.txt` beside `roll.shp` belongs to it and is not reported by itself.
  const stems = new Set(named.map(stemOf));
  return {tables, beside: possible.filter((path) => !tables.includes(path) && !stems.has(stemOf(path)))};
}

/** True for a text whose first line names columns; its rows are not judged, since one of a roll may be odd. */
async function namesColumns(path: string): Promise<boolean> {
  try {
    const {columns} = await delimitedHead(path, path);
    return columns.length >= fewestNames && columns.every((name) => name.length <= longestName);
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

function stemOf(path: string): string {
  return path.slice(0, path.length - extname(path).length).toLowerCase();
}

/**
 * Unpacks the archives in an archive, one level deep, beside its other members. What all of them hold together is bounded as what one file
 * holds.
 */
async function withInnerArchives(
  paths: readonly string[],
  {path: shownPath, sizeBytes}: RawFile,
  dir: string,
): Promise<string[]> {
  const unpacked: string[] = [];
  const {members, ratio, ratioFromBytes, ...limits} = expansionLimits;
  let totalBytes = Math.min(limits.totalBytes, Math.max(ratioFromBytes, ratio * sizeBytes));
  for (const absolutePath of paths) {
    if (extensionOf(absolutePath) !== "zip") unpacked.push(absolutePath);
    else {
      const path = `${shownPath}:${relative(dir, absolutePath)}`;
      const left = {...limits, ratio, ratioFromBytes, totalBytes, members: members - unpacked.length};
      const inner = await (await openRawContent({path, absolutePath}, left)).extractTo(`${absolutePath}~`);
      for (const each of inner) totalBytes -= (await stat(each)).size;
      unpacked.push(...inner);
    }
  }
  return unpacked;
}

/** Returns the archive's member named by a layer, or all members if none has that name. */
export function ofLayer(datasets: readonly Member[], layer: string | number | undefined): readonly Member[] {
  const stem = typeof layer === "string" ? layer.toLowerCase() : null;
  const named = datasets.filter(
    ({path, extension}) => basename(path).toLowerCase() === `${stem}.${extension}`,
  );
  return named.length > 0 ? named : datasets;
}

/** Returns the files of the folder if some may belong together, as in an unpacked shapefile. */
async function besides(path: string): Promise<string[]> {
  const extension = extensionOf(path);
  if (!["shp", "dbf", "txt"].includes(extension) && !besideATable.has(extension)) return [path];
  return (await readdir(dirname(path))).map((name) => join(dirname(path), name));
}

function isTable(path: string, paths: readonly string[]): boolean {
  const extension = extensionOf(path);
  if (besideATable.has(extension)) return false;
  // A shapefile's attributes are read together with it.
  return (
    extension !== "dbf" ||
    !paths.some((other) => other.toLowerCase() === path.toLowerCase().replace(/dbf$/, "shp"))
  );
}

async function describe(path: string, shownPath: string, siblings: readonly string[]): Promise<Dataset> {
  await using file = await open(path);
  const {buffer, bytesRead} = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return {path, shownPath, extension: extensionOf(path), head: buffer.subarray(0, bytesRead), siblings};
}

function extensionOf(path: string): string {
  return extname(path).slice(1).toLowerCase();
}

/**
 * Returns why a source must not be pulled as a whole, or null. Decided by terms, for entries and cadastre layers alike: a publisher that
 * states no terms has allowed nothing (`docs/design/fetching.md` section 3).
 */
export function refusalOfBulk({licence, terms}: Terms): string | null {
  if (!isStated(licence)) return "its publisher states no terms: read them, then cattle sources allow";
  return terms.bulk ? null : 'its terms do not allow to take the whole ("bulk": false)';
}

/** Returns why an entry or a layer must not be pulled as a whole, or null; undecided wording is distinguished from a refusal. */
export function refusalOfSource(source: Source): string | null {
  const refusal = refusalOfBulk(source);
  return refusal !== null && isStated(source.licence) && isUndecided(source)
    ? "its publisher's terms neither allow nor forbid it: read them, then cattle sources allow"
    : refusal;
}

/** True if a person may decide to pull the source: its publisher said neither yes nor no, or nothing. */
export function isUndecided(source: Source): boolean {
  return refusalOfBulk(source) !== null && (statementOf(source)?.who ?? "undecided") === "undecided";
}

/** True if a publisher's licence or terms are known. */
export function isStated(licence: string): boolean {
  return !/^(not stated|unknown\b)/i.test(licence.trim());
}

/**
 * Returns the role of an entry's raw file. A joined table takes the files of its glob, or of its format. The remaining files are main files
 * if they match the entry's glob, or if it has none. Pages of a pulled layer are always main files.
 */
export function fileRole(entry: ParcelSource, file: Pick<RawFile, "path" | "pull">): FileRole {
  if (file.pull !== undefined) return "main";
  const name = file.path.replace(`parcels/${entry.id}/`, "");
  const join = entry.joins?.find((each) => joinsFile(each, name));
  if (join !== undefined) return {join: join.prefix};
  return entry.files === undefined || fitsGlob(name, entry.files) ? "main" : "none";
}

function joinsFile({files, format}: JoinSpec, name: string): boolean {
  if (files !== undefined) return fitsGlob(name, files);
  return extensionsOfFormat[format ?? ""]?.test(name) ?? false;
}

/** Matches a path with forward slashes against a glob: `*` and `?` within a folder, `**` across folders, `{a,b}` alternatives. */
function fitsGlob(path: string, glob: string): boolean {
  return new RegExp(`^${globSource(glob)}$`, "i").test(path);
}

function globSource(glob: string): string {
  return glob.replace(/\*\*\/?|[*?{},]|[^*?{},]+/g, (piece) => {
    if (piece.startsWith("**")) return ".*";
    const special: Record<string, string> = {"*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")", ",": "|"};
    return special[piece] ?? piece.replace(/[\\^$.|()[\]+]/g, "\\$&");
  });
}
