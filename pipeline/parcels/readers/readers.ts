import {arcgisAnswerReader} from "./arcgis-answer.ts";
import {dbfReader} from "./dbf.ts";
import {delimitedReader} from "./delimited.ts";
import {flatgeobufReader} from "./flatgeobuf.ts";
import {geodatabaseReader} from "./geodatabase.ts";
import {geopackageReader} from "./geopackage.ts";
import {jsonReader} from "./json.ts";
import {parquetReader} from "./parquet.ts";
import type {Dataset, Reader} from "./reader.ts";
import {shapefilePartReader, shapefileReader} from "./shapefile.ts";
import {xlsxReader} from "./xlsx.ts";

/** The readers, in the order in which they are tried. */
const readers: readonly Reader[] = [
  geodatabaseReader,
  shapefileReader,
  shapefilePartReader,
  dbfReader,
  flatgeobufReader,
  geopackageReader,
  parquetReader,
  xlsxReader,
  arcgisAnswerReader,
  jsonReader,
  delimitedReader,
];

/** Gives the reader of a dataset, by its first bytes and name; undefined when no reader knows it. */
export function readerOf(dataset: Dataset): Reader | undefined {
  return readers.find((reader) => reader.knows(dataset));
}
