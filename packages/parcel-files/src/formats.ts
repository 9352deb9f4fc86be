import {dbfFormat} from "./dbf.ts";
import {flatgeobufFormat} from "./flatgeobuf.ts";
import {geodatabaseFormat} from "./geodatabase.ts";
import {geopackageFormat} from "./geopackage.ts";
import {arcgisAnswerFormat, jsonFormat} from "./json.ts";
import {kmlFormat} from "./kml.ts";
import type {FileFormat} from "./parcel-file.ts";
import {shapefileFormat, shapefilePartFormat} from "./shapefile.ts";
import {xlsxFormat} from "./xlsx.ts";

/** The formats in the order in which they are tried. */
export const fileFormats: readonly FileFormat[] = [
  geodatabaseFormat,
  shapefileFormat,
  shapefilePartFormat,
  dbfFormat,
  flatgeobufFormat,
  geopackageFormat,
  xlsxFormat,
  kmlFormat,
  arcgisAnswerFormat,
  jsonFormat,
];
