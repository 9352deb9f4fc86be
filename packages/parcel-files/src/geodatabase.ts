import {FileError, type FileFormat, NotATable} from "./parcel-file.ts";

/** The catalogue table that every file geodatabase has; the refusal is reported once, for this file. */
const catalogue = "a00000001.gdbtable";
const itsFolder = /^(.*?[^/:]*\.gdb)(?:\.zip)?[/:]/i;

/**
 * Refuses an Esri file geodatabase and names the command that converts it: the format is unpublished, and the packages that read it without
 * GDAL lose rows.
 */
export const geodatabaseFormat: FileFormat = {
  name: "file geodatabase",
  accepts: ({shownPath, extension}) => itsFolder.test(shownPath) || extension.startsWith("gdbtabl"),
  async open({shownPath, siblings}) {
    if (!shownPath.toLowerCase().endsWith(catalogue))
      throw new NotATable(`${shownPath}: part of a file geodatabase.`);
    // Some publishers include the same rows twice in an archive.
    if (siblings.some((path) => /\.shp$/i.test(path)))
      throw new NotATable(`${shownPath}: a file geodatabase; the shapefile beside it is read.`);
    throw new FileError(`${shownPath}: ${conversionOf(shownPath)}`);
  },
};

/** Returns the advice on converting a file geodatabase to a readable format. */
export function conversionOf(shownPath: string): string {
  const archive = /^(.*\.zip):/i.exec(shownPath)?.[1];
  const source = archive ?? itsFolder.exec(shownPath)?.[1] ?? shownPath;
  const name = source.split("/").at(-1)!;
  const target = `${name.replace(/(?:\.gdb)?(?:\.zip)?$/i, "")}.gpkg`;
  return `a file geodatabase, which is not read. Convert it: ogr2ogr -f GPKG "${target}" "${name}", put ${target} into the folder in its place and, of several layers, name the one of the parcels in the entry ("layer").`;
}
