/** Files of parcels and what they come in: formats to rows of cells and geometry, encodings, archives, workbooks. */
export {uniqueNames} from "./column-names.ts";
export {type DelimitedHead, delimitedHead, headRows} from "./delimited-head.ts";
export {type ExpansionLimits, expansionCounter, expansionLimits} from "./expansion.ts";
export {fixedWidthAdvice} from "./fixed-width.ts";
export {fileFormats} from "./formats.ts";
export {conversionOf} from "./geodatabase.ts";
export {htmlTables} from "./html-tables.ts";
export {
  type Cells,
  type FileAccount,
  FileError,
  type FileFormat,
  type FileRow,
  NotATable,
  type ParcelFile,
} from "./parcel-file.ts";
export {type StatedCrs, sourceProjection} from "./source-crs.ts";
export {utf8Text} from "./text-encoding.ts";
export {isUtf8File} from "./utf8-file.ts";
export {openSheets, type Sheet} from "./worksheets.ts";
export {isZip, openZipMember, zipMembers, zipNames} from "./zip-file.ts";
