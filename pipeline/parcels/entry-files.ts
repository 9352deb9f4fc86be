import type {JoinSpec, ParcelSource} from "../../schemas/parcel-source.ts";
import type {RawFile} from "../raw/raw-files.ts";

/** The role of a raw file in its entry: a main file, a file of a joined table, or neither. */
export type FileRole = "main" | "none" | {readonly join: string};

/** Names of the files of a joined table by its format, for an entry that gives no glob. */
const extensionsOfFormat: Readonly<Record<string, RegExp>> = {
  "json-rows": /\.json(\.gz)?$/i,
  csv: /\.(csv|txt)(\.gz|\.zip)?$/i,
  tsv: /\.(tsv|tab)(\.gz|\.zip)?$/i,
  dbf: /\.dbf(\.zip)?$/i,
  geojson: /\.geojson(\.gz)?$/i,
  parquet: /\.parquet$/i,
};

/**
 * Gives the role of a raw file of an entry. A joined table takes the files of its glob, else those of its format; the rest are
 * main files if they fit the entry's own glob, or if it has none. Pages of a pulled layer are always main files.
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

/** Says whether a path with forward slashes fits a glob: `*` and `?` stay within a folder, `**` spans folders, `{a,b}` is either. */
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
