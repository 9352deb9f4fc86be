import {type FileFormat, fileFormats, NotATable as PartOfATable} from "@open-cattle/parcel-files";
import {stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import {asUserError} from "../../raw/file-faults.ts";
import {delimitedReader} from "./delimited.ts";
import {type Dataset, NotATable, type Reader, stageColumns} from "./file-reader.ts";
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

/** The reader that stages the rows of a format. */
function formatReader(format: FileFormat): Reader {
  return {
    name: format.name,
    accepts: (dataset) => format.accepts(dataset),
    async read(request) {
      try {
        await using file = await format.open(request.dataset, request);
        const staged = await (file.columns === null
          ? stageRecords(request.db, request, file.rows())
          : stageColumns(request, file.columns, (needed) => file.rows(needed)));
        return {...staged, remark: file.remark, account: file.account(staged.rows)};
      } catch (error) {
        throw error instanceof PartOfATable ? new NotATable(error.message) : asUserError(error);
      }
    },
  };
}
