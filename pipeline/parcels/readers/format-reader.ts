import {type FileFormat, NotATable as PartOfATable} from "@open-cattle/parcel-files";
import {stageRecords} from "../../../lib/parcels/conform/staged-table.ts";
import {asUserError} from "../../raw/file-faults.ts";
import {NotATable, type Reader, stageColumns} from "./file-reader.ts";

/** The reader that stages the rows of a format. */
export function formatReader(format: FileFormat): Reader {
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
