import {UserError} from "../../../lib/errors.ts";
import {dbfReader} from "./dbf.ts";
import {delimitedReader} from "./delimited.ts";
import {type Dataset, NotATable, type Reader} from "./file-reader.ts";
import {flatgeobufReader} from "./flatgeobuf.ts";
import {geopackageReader} from "./geopackage.ts";
import {arcgisAnswerReader, jsonReader} from "./json.ts";
import {kmlReader} from "./kml.ts";
import {parquetReader} from "./read-parquet.ts";
import {shapefilePartReader, shapefileReader} from "./shapefile.ts";
import {xlsxReader} from "./xlsx.ts";

/** The catalogue table that every file geodatabase has; the refusal is reported once, for this file. */
const catalogue = "a00000001.gdbtable";
const itsFolder = /^(.*?[^/:]*\.gdb)(?:\.zip)?[/:]/i;

/**
 * Refuses an Esri file geodatabase and names the command that converts it: the format is unpublished, and the packages that read it without
 * GDAL lose rows.
 */
const geodatabaseReader: Reader = {
  name: "file geodatabase",
  accepts: ({shownPath, extension}) => itsFolder.test(shownPath) || extension.startsWith("gdbtabl"),
  async read({dataset}) {
    const {shownPath} = dataset;
    if (!shownPath.toLowerCase().endsWith(catalogue))
      throw new NotATable(`${shownPath}: part of a file geodatabase.`);
    // Some publishers include the same rows twice in an archive.
    if (dataset.siblings.some((path) => /\.shp$/i.test(path)))
      throw new NotATable(`${shownPath}: a file geodatabase; the shapefile beside it is read.`);
    throw new UserError(`${shownPath}: ${conversionOf(shownPath)}`);
  },
};

/** The readers in the order in which they are tried. */
const readers: readonly Reader[] = [
  geodatabaseReader,
  shapefileReader,
  shapefilePartReader,
  dbfReader,
  flatgeobufReader,
  geopackageReader,
  parquetReader,
  xlsxReader,
  kmlReader,
  arcgisAnswerReader,
  jsonReader,
  delimitedReader,
];

/** Returns the reader for a dataset, judged by first bytes and name; undefined if none accepts it. */
export function readerOf(dataset: Dataset): Reader | undefined {
  return readers.find((reader) => reader.accepts(dataset));
}

/** Returns the advice on converting a file geodatabase to a readable format. */
export function conversionOf(shownPath: string): string {
  const archive = /^(.*\.zip):/i.exec(shownPath)?.[1];
  const source = archive ?? itsFolder.exec(shownPath)?.[1] ?? shownPath;
  const name = source.split("/").at(-1)!;
  const target = `${name.replace(/(?:\.gdb)?(?:\.zip)?$/i, "")}.gpkg`;
  return `a file geodatabase, which is not read. Convert it: ogr2ogr -f GPKG "${target}" "${name}", put ${target} into the folder in its place and, of several layers, name the one of the parcels in the entry ("layer").`;
}
