import {fileFormats} from "@open-cattle/parcel-files";
import {delimitedReader} from "./delimited.ts";
import type {Dataset, Reader} from "./file-reader.ts";
import {formatReader} from "./format-reader.ts";
import {parquetReader} from "./read-parquet.ts";

/** The readers in the order in which they are tried; that of Parquet stands before those that judge text. */
const readers: readonly Reader[] = [
  ...fileFormats.map(formatReader).toSpliced(
    fileFormats.findIndex(({name}) => name === "worksheet"),
    0,
    parquetReader,
  ),
  delimitedReader,
];

/** Returns the reader for a dataset, judged by first bytes and name; undefined if none accepts it. */
export function readerOf(dataset: Dataset): Reader | undefined {
  return readers.find((reader) => reader.accepts(dataset));
}
